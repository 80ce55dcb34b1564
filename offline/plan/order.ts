import { hasEffect, isOneOf, type Step } from './step.ts';

/** A step with the steps whose results it needs. */
interface Placed extends Step {
  readonly needs: ReadonlySet<number>;
  readonly carried: readonly string[];
}

/**
 * Returns a function that gets the steps in the order of the task, and returns the earlier steps that each one only waits
 * for: those before `then` or before its number in a list, unless nothing was changed so far, and if it may look at any file (`show the diff`, `list the
 * files`), those that change something.
 */
export function createOrder(): (step: Placed) => ReadonlySet<number> {
  const writersBefore = createWriters();
  let count = 0;
  let hasActed = false;
  // What comes before the last `then`; afterwards, the steps that no other one needs.
  let before: readonly number[] = [];
  let ends = new Set<number>();
  return (step) => {
    const isStage = isNext(step) && count > 0;
    if (isStage) [before, ends] = [[...ends], new Set()];
    hasActed ||= hasEffect(step);
    // Questions are answered whatever became of other questions.
    const waits = [...(hasActed ? before : []), ...writersBefore(step, { at: count, isStage })];
    const after = new Set(waits.filter((at) => !step.needs.has(at)));
    for (const at of [...step.needs, ...after]) ends.delete(at);
    ends.add(count);
    count += 1;
    return after;
  };
}

/** Returns the steps since the last `then` that change something, for a step that may look at any file. */
function createWriters() {
  let writers: readonly number[] = [];
  return (step: Placed, { at, isStage }: { readonly at: number; readonly isStage: boolean }) => {
    const earlier = looksAround(step) && !isStage ? writers : [];
    const isNew = isStage || earlier.length > 0;
    if (hasEffect(step)) writers = isNew ? [at] : [...writers, at];
    else if (isStage) writers = [];
    return earlier;
  };
}

/** Whether a step comes after the steps before it, in the words of the task. */
export const isNext = ({ clauses, main }: Step): boolean =>
  clauses.slice(0, clauses.indexOf(main) + 1).some((clause) => clause.isNext);

const reads = isOneOf('ask run git sql summarise other');

/** Whether a step reads, and names neither a single file nor an earlier result. */
const looksAround = (step: Placed): boolean =>
  reads(step) && step.refersTo === 'none' && step.carried.length === 0 && !step.inputs.some(isFile);

const isFile = (name: string) => !/[*?]|\/$/.test(name);
