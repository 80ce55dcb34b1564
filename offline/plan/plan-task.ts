import { reworded } from '../language/reword.ts';
import { clausesOf } from './clauses.ts';
import { linkSteps } from './links.ts';
import { piecesOf } from './pieces.ts';
import { sayStep } from './say-step.ts';
import { hasEffect } from './step.ts';
import { stepsOf } from './steps.ts';

/** One subtask of a plan, in the format of the `plan` document. */
export interface PlannedStep {
  readonly id: string;
  readonly description: string;
  readonly depends_on: readonly string[];
  /** Those of `depends_on` whose results it does not get. Omitted if there are none. */
  readonly order_only?: readonly string[];
}

/**
 * Splits an explicit task into steps, in order. The same task always gives the same steps.
 *
 * Every word of the task is in the description of a step, except connectors (`and then`), list markers and courtesy. `in
 * it` and `in the file` become the file that an earlier step named; `call it a.csv` becomes `save it as a.csv`.
 */
export function planTask(text: string): readonly PlannedStep[] {
  const { steps, bans, said } = readTask(text);
  if (steps.length === 0) return [{ id: 'step_1', description: text.trim(), depends_on: [] }];
  const acts = steps.map(hasEffect);
  return steps.map((step, index) => {
    const isMeant = acts.includes(true) ? acts[index] : index === steps.length - 1;
    return {
      id: `step_${index + 1}`,
      description: sayStep(said, step, isMeant ? bans : []),
      depends_on: idsOf([...step.needs, ...step.after]),
      ...(step.after.size > 0 && { order_only: idsOf([...step.after]) }),
    };
  });
}

const idsOf = (steps: readonly number[]) =>
  steps.toSorted((a, b) => a - b).map((at) => `step_${at + 1}`);

/** Reads a task into linked steps, before they are described, and the bans for every step with effects. */
export function readTask(text: string) {
  const said = reworded(text);
  const clauses = clausesOf(piecesOf(said));
  const steps = linkSteps(stepsOf(clauses.filter(({ kind }) => kind !== 'ban')));
  return { said, steps, bans: clauses.filter(({ kind }) => kind === 'ban') };
}
