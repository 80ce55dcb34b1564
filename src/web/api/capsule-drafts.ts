import * as z from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Route, route } from './route.ts';
import { CaseResults, PromptPreview } from './schemas/capsule-schemas.ts';
import { BY, ById } from './schemas/shared-schemas.ts';

const Draft = z.strictObject({ overlay: z.string().max(262_144) });

/** Cases that take longer are cancelled. */
const CASES_MS = 25_000;

function tooSlow(): AppError<'USAGE'> {
  const seconds = CASES_MS / 1_000;
  const problem = `The cases take longer than ${seconds} seconds here. Test the capsule in a terminal.`;
  return new AppError('USAGE', { problem });
}

/** Of `/…/skill.md:12`. */
function lineOf(where: string): number | null {
  const [, line] = /:(\d+)$/.exec(where) ?? [];
  return line === undefined ? null : Number(line);
}

/** Trying an overlay that is not saved. */
export const capsuleDrafts: readonly Route[] = [
  route('POST /capsules/:id/prompt', {
    summary: 'What a model would get with an overlay that is not saved, and what is wrong with it',
    params: ById,
    body: Draft,
    answer: PromptPreview,
    async handle({ capstan }, { params, body }) {
      const options = { by: BY };
      const preview = await capstan.capsules.previewOverlay(params.id, body.overlay, options);
      const { tokens = 0, layers = [] } = preview.prompt ?? {};
      return {
        tokens,
        layers: layers.map(({ path: _, ...layer }) => layer),
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
    params: ById,
    body: Draft,
    answer: CaseResults,
    async handle({ capstan }, { params, body }) {
      const startMs = performance.now();
      const signal = AbortSignal.timeout(CASES_MS);
      const compared = await capstan.capsules
        .tryOverlay(params.id, body.overlay, { by: BY, signal })
        .catch((error) => {
          throw signal.aborted ? tooSlow() : error;
        });
      const cases = compared.map(({ name, saved, draft }) => ({
        name,
        saved: documentOf(saved),
        draft: documentOf(draft),
      }));
      return { cases, duration_ms: Math.round(performance.now() - startMs) };
    },
  }),
];

const documentOf = <T extends { readonly costMicroUsd: number }>({ costMicroUsd, ...rest }: T) => ({
  ...rest,
  cost_usd: costMicroUsd / 1e6,
});
