import type { AttemptScope } from '../../broker/intent/scope.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Step } from '../plan/plan.ts';
import { missingOutput } from './missing-output.ts';

/** The answer to the tool `final` of a step: the files missing from the result that a capsule is about to return. */
export const checkFinal =
  (run: RunContext, step: Step): NonNullable<AttemptScope['checkFinal']> =>
  async (named) => ({ missing: (await missingOutput(run, step, named)) ?? null });
