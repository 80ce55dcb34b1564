import * as z from 'zod';
import { changeReason, noDiffReasons } from '../../app/runs/changes/change-reasons.ts';
import { withRenames } from '../../app/runs/changes/with-renames.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import {
  Changes,
  Receipt,
  Replay,
  RequestDetails,
  StepPrompt,
  UndoPlan,
} from '../../contract/documents/run-documents.ts';
import { ById, FileAnswer, type Route, route } from './route.ts';
import { BY } from './shared-schemas.ts';

/** Plans an undo or a redo (GET), or performs it. */
const undo = (name: `${'GET' | 'POST'} /runs/:id/${'undo' | 'redo'}`, summary: string): Route =>
  route(name, {
    summary,
    answer: UndoPlan,
    async handle({ capstan }, { params }) {
      const [dryRun, redo] = [name.startsWith('GET'), name.endsWith('redo')];
      const plan = await capstan.runs.undo(params.id, { by: BY, dryRun, redo });
      const paths = (action: string) =>
        plan.steps.filter((step) => step.action === action).map(({ path }) => path);
      return {
        status: plan.status,
        restored: paths('restore'),
        removed: paths('remove'),
        recreated: paths('recreate'),
        left: plan.left_out.map(({ path, reason }) => ({ path, why: changeReason(reason) })),
        perhaps_yours: plan.steps.filter((one) => one.perhaps_by_others).map(({ path }) => path),
      };
    },
  });

/** What runs did, and working with their record. */
export const runHistory: readonly Route[] = [
  route('GET /runs/:id/requests/:intent', {
    summary: 'One request with its content',
    params: ById.extend({ intent: z.string().min(1).max(200) }),
    answer: RequestDetails,
    handle: ({ capstan }, { params }) => capstan.reports.request(params.id, params.intent),
  }),
  route('GET /runs/:id/routing', {
    summary: 'How each step found its capsule',
    answer: z.object({ receipts: z.array(Receipt) }),
    handle: async ({ capstan }, { params }) => ({
      receipts: await capstan.reports.routing(params.id),
    }),
  }),
  route('GET /runs/:id/steps/:step/prompt', {
    summary: 'The prompt of a step before its first answer, layer by layer',
    params: ById.extend({ step: z.string().min(1).max(200) }),
    answer: StepPrompt,
    handle: ({ capstan }, { params }) => capstan.reports.prompt(params.id, params.step),
  }),
  route('GET /runs/:id/changes', {
    summary: 'What a run changed, file by file',
    answer: Changes,
    async handle({ capstan }, { params }) {
      const { files, complete } = await capstan.runs.diff(params.id);
      const documents = withRenames(files).map((file) => ({
        ...file,
        kind: file.from === undefined ? file.change : 'renamed',
        note:
          (file.diff_problem && noDiffReasons[file.diff_problem]) ??
          (file.reason && changeReason(file.reason)),
        made_by: [file.made_by],
        is_undone: file.now === 'undone',
      }));
      return { files: documents, complete };
    },
  }),
  undo('GET /runs/:id/undo', 'What an undo would do'),
  undo('POST /runs/:id/undo', "Undo a run's changes of files"),
  undo('GET /runs/:id/redo', 'What taking the undo back would do'),
  undo('POST /runs/:id/redo', 'Take the undo of a run back'),
  route('GET /runs/:id/artifacts', {
    summary: 'A file that the run wrote',
    query: z.object({ path: z.string().min(1).max(4_096) }),
    async handle({ capstan }, { params, query }) {
      const { name, content } = await capstan.reports.artifact(params.id, query.path);
      return new FileAnswer(name, 'application/octet-stream', content);
    },
  }),
  route('GET /runs/:id/export', {
    summary: 'The recording of a run, for a replay elsewhere',
    async handle({ capstan }, { params }) {
      const { runId, text } = await capstan.runs.export(params.id);
      return new FileAnswer(`run-${runId}.json`, 'application/json', text);
    },
  }),
  route('POST /runs/:id/replay', {
    summary: 'Run the record again without models or effects, and compare',
    answer: Replay,
    async handle({ capstan }, { params }) {
      const report = await capstan.runs.replay(params.id);
      return { ...withDocumentKeys(report), first_difference: report.divergence };
    },
  }),
  route('POST /runs/:id/fork', {
    summary: 'A parked run that shares the history up to a request',
    body: z.strictObject({
      at: z.union([z.int().min(1), z.string().min(1).max(200)]).describe('A number or an id.'),
      workspace: z.string().max(4_096).optional(),
      force: z.boolean().optional(),
    }),
    answer: z.object({ run_id: z.string() }),
    async handle({ capstan }, { params, body }) {
      const { run } = await capstan.runs.get(params.id);
      const workspace = body.workspace ?? run.workspace;
      const forked = await capstan.runs.fork({
        ...{ run: run.id, workspace, force: body.force },
        at: String(body.at),
      });
      return { run_id: forked.id };
    },
  }),
];
