import * as z from 'zod';
import type { Capstan } from '../../../app/open-capstan.ts';
import {
  CaseResults,
  PromptPreview,
  RepeatedTasks,
} from '../../../contract/documents/capsule-documents.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { usage } from '../../../contract/usage.ts';
import { type Route, route } from '../route.ts';
import { BY } from '../shared-schemas.ts';

const Draft = z.strictObject({ overlay: z.string().max(262_144) });

/** Trials that take longer are cancelled. */
const TRIALS_MS = 25_000;

/** The result of trials, and how long they took. @param what As in an error: `The cases`. */
async function timed<T>(what: string, work: (signal: AbortSignal) => Promise<T>) {
  const startMs = performance.now();
  const signal = AbortSignal.timeout(TRIALS_MS);
  const result = await work(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    const seconds = TRIALS_MS / 1_000;
    throw usage(`${what} take longer than ${seconds} seconds here. Try the capsule in a terminal.`);
  });
  return { result, duration_ms: Math.round(performance.now() - startMs) };
}

/** Of `/…/skill.md:12`. */
function lineOf(where: string): number | null {
  const [, line] = /:(\d+)$/.exec(where) ?? [];
  return line === undefined ? null : Number(line);
}

/** Trying an overlay that is not saved. */
export const capsuleDrafts: readonly Route[] = [
  route('POST /capsules/:id/prompt', {
    summary: 'The prompt with an unsaved overlay, and its findings',
    body: Draft,
    answer: PromptPreview,
    async handle({ capstan }, { params, body }) {
      const options = { by: BY };
      const preview = await capstan.capsules.previewOverlay(params.id, body.overlay, options);
      const { tokens = 0, layers = [] } = preview.prompt ?? {};
      return {
        ...{ tokens, layers },
        findings: preview.findings.map(({ where, problem, fix, severity }) => ({
          line: lineOf(where),
          message: `${problem.replace(/\.$/, '')}. ${fix}`,
          severity,
        })),
      };
    },
  }),
  route('POST /capsules/:id/cases', {
    summary: 'The cases with the saved overlay and with a draft, from recorded answers',
    body: Draft,
    answer: CaseResults,
    async handle({ capstan }, { params, body }) {
      const { result, duration_ms } = await timed('The cases', (signal) =>
        capstan.capsules.tryOverlay(params.id, body.overlay, { by: BY, signal }),
      );
      const cases = result.map(({ name, saved, draft }) => ({
        name,
        saved: withDocumentKeys(saved),
        draft: withDocumentKeys(draft),
      }));
      return { cases, duration_ms };
    },
  }),
  route('POST /capsules/:id/compare', {
    summary: 'Its last tasks with the saved overlay and with a draft, from recorded answers',
    body: Draft,
    answer: RepeatedTasks,
    async handle({ capstan }, { params, body }) {
      const { result, duration_ms } = await timed('Its last tasks', (signal) =>
        capstan.capsules.compare(params.id, { draft: body.overlay, by: BY, signal }),
      );
      const tasks = result.tasks.map(({ done, before, after, difference }) => ({
        ...withDocumentKeys(done),
        ...{ saved: repeatedOf(before), draft: repeatedOf(after) },
        ...difference,
      }));
      return { tasks, duration_ms };
    },
  }),
];

type Trial = Awaited<ReturnType<Capstan['capsules']['compare']>>['tasks'][number]['before'];

const repeatedOf = (trial: Trial) => ({
  ...withDocumentKeys(trial),
  problem: trial.error?.message ?? null,
});
