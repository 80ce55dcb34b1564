import * as z from 'zod';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import { ErrorDocument, textOrNull } from '../../contract/documents/document-of.ts';
import { RunList, RunPage } from '../../contract/documents/run-documents.ts';
import { MAX_TASK_CHARS } from '../../contract/limits.ts';
import { runStatuses } from '../../contract/status.ts';
import { ModelHint } from '../../contract/wire/chat.ts';
import { problemOf } from '../server/problem.ts';
import { type Route, route } from './route.ts';
import { BY, limit, Since } from './shared-schemas.ts';

const status = z.enum(['waiting', ...runStatuses]);

const RunFilter = z.object({
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(status))
    .optional()
    .describe('One status or several with commas; `waiting`: with an open question.'),
  workspace: z.string().optional(),
  capsule: z.string().optional(),
  min_cost: z.coerce.number().min(0).optional().describe('At least this many dollars.'),
  since: Since.optional(),
  text: z.string().max(200).optional().describe('Words of the task, the answer or the id.'),
  trials: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('Also runs that check models or try a capsule.'),
  after: z.uuid('use the `next` of the previous page').optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const StartRun = z.strictObject({
  task: z.string().min(1).max(MAX_TASK_CHARS),
  workspace: z.string().min(1).max(4_096).optional(),
  session: z.string().max(100).optional(),
  capsule: z.string().max(200).optional(),
  hint: ModelHint.optional(),
  provider: z.literal('offline').optional().describe('Without a model. Default: as the settings.'),
  budget_usd: z.number().min(0).max(1_000_000).optional(),
  plan_first: z.boolean().optional().describe('The plan waits as a question of kind `plan`.'),
  dry_run: z.boolean().optional().describe('Only plans.'),
  attachments: z
    .array(z.strictObject({ name: z.string().min(1).max(100), text: z.string() }))
    .max(10)
    .optional()
    .describe('Texts given with the task: data, not instructions.'),
});

const Accepted = z.object({ run_id: z.string(), is_new: z.boolean() });
const Status = z.object({ run_id: z.string(), status: z.string() });

/** Starting, reading and steering runs. */
export const runs: readonly Route[] = [
  route('GET /runs', {
    summary: 'Runs, newest first, a page at a time',
    query: RunFilter,
    answer: RunList,
    handle: ({ capstan }, { query: { status, min_cost, after, ...rest } }) =>
      capstan.reports.runs({ ...rest, statuses: status, minCostUsd: min_cost, before: after }),
  }),
  route('POST /runs', {
    summary:
      'Start a run; a request repeated with its `Idempotency-Key` does not start a second one',
    body: StartRun,
    answer: Accepted,
    status: 202,
    async handle({ hosting }, { body, key }) {
      const { provider, budget_usd: budgetUsd, plan_first: planFirst, ...rest } = body;
      const { dry_run: dryRun, ...options } = rest;
      const settings = {
        ...(budgetUsd !== undefined && { budgetUsd: String(budgetUsd) }),
        ...(provider !== undefined && { provider }),
      };
      const { id, isNew } = await hosting.dispatch({
        ...options,
        planFirst,
        dryRun,
        key,
        settings,
      });
      return { run_id: id, is_new: isNew };
    },
  }),
  route('GET /runs/:id', {
    summary: 'One run: steps, requests, messages, files, questions',
    answer: RunPage,
    handle: ({ capstan }, { params }) => capstan.reports.run(params.id),
  }),
  route('POST /runs/:id/stop', {
    summary: 'Park a run, whichever process has it; only resuming continues it',
    answer: Status,
    async handle({ capstan }, { params }) {
      const { id, status } = await capstan.runs.stop(params.id, { by: BY });
      return { run_id: id, status };
    },
  }),
  route('POST /runs/:id/resume', {
    summary: 'Continue a parked or failed run',
    body: z.strictObject({ budget_usd: z.number().min(0).optional() }).default({}),
    answer: Status,
    status: 202,
    async handle({ hosting }, { params, body: { budget_usd: budgetUsd } }) {
      const settings = budgetUsd === undefined ? {} : { budgetUsd: String(budgetUsd) };
      const { id } = await hosting.resume(params.id, { settings });
      return { run_id: id, status: 'running' };
    },
  }),
  route('POST /runs/:id/cancel', {
    summary: 'Cancel a run permanently',
    answer: Status,
    async handle({ capstan }, { params }) {
      const { id, status } = await capstan.runs.cancel(params.id, { by: BY });
      return { run_id: id, status };
    },
  }),
  route('POST /runs/:id/messages', {
    summary:
      'Send a message to a run; a parked run without an open question continues with it, unless a person stopped it',
    body: z.strictObject({ text: z.string().min(1).max(MAX_TASK_CHARS) }),
    answer: z.object({
      id: z.string(),
      not_continued: ErrorDocument.describe(
        'Why the run stays parked; the message is stored, and read once it continues.',
      ),
    }),
    async handle({ capstan, hosting }, { params, body }) {
      const { id } = await capstan.runs.message(params.id, body.text, { by: BY });
      const { run } = await capstan.runs.get(params.id);
      const isFree = run.openQuestions === 0 && run.stoppedBy === null;
      if (run.status !== 'parked' || !isFree) return { id, not_continued: null };
      const failure = await hosting.resume(run.id).then(
        () => null,
        (error: unknown) => problemOf(error),
      );
      return { id, not_continued: failure && { code: failure.code, message: failure.detail } };
    },
  }),
];

const SessionRow = z.object({
  id: z.string(),
  title: z.string(),
  workspace: z.string(),
  status: z.string(),
  runs: z.int(),
  newest_at: z.string(),
});

export const sessions: readonly Route[] = [
  route('GET /sessions', {
    summary: 'Conversations, the newest first',
    query: z.object({ workspace: z.string().optional(), limit: limit(20, 500) }),
    answer: z.object({ sessions: z.array(SessionRow) }),
    handle: async ({ capstan }, { query }) => ({
      sessions: (await capstan.sessions.list(query)).map((one) => ({
        ...withDocumentKeys(one),
        title: one.task.slice(0, 200),
      })),
    }),
  }),
  route('GET /sessions/:id', {
    summary: 'The runs of a conversation, oldest first',
    answer: z.object({
      id: z.string(),
      runs: z.array(
        z.object({ id: z.string(), task: z.string(), status: z.string(), answer: textOrNull }),
      ),
    }),
    handle: ({ capstan }, { params }) => capstan.sessions.get(params.id),
  }),
];
