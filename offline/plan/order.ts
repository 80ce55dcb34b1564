import { hasEffect, isOneOf, type Step } from './step.ts';

/** A step with the steps whose results it needs. */
interface Placed extends Step {
  readonly needs: ReadonlySet<number>;
  readonly carried: readonly string[];
}

/**
 * Returns a function that gets the steps in the order of the task, and returns the earlier steps that each one only waits
 * for: those before `then` or before its number in a list, and if it may look at any file (`show the diff`, `list the
 * files`), those that change something.
 */
export function createOrder(): (step: Placed) => ReadonlySet<number> {
  let count = 0;
  // What comes before the last `then`; afterwards, the steps that no other one needs, and those that change something.
  let before: readonly number[] = [];
  let ends = new Set<number>();
  let writers: number[] = [];
  return (step) => {
    if (isNext(step) && count > 0) {
      before = [...ends];
      ends = new Set();
      writers = [];
    }
    const earlier = looksAround(step) ? writers : [];
    const after = new Set([...before, ...earlier].filter((at) => !step.needs.has(at)));
    for (const at of [...step.needs, ...after]) ends.delete(at);
    ends.add(count);
    if (hasEffect(step) && earlier.length > 0) writers = [count];
    else if (hasEffect(step)) writers.push(count);
    count += 1;
    return after;
  };
}

/** Whether a step comes after the steps before it, in the words of the task. */
const isNext = ({ clauses, main }: Step): boolean =>
  clauses.slice(0, clauses.indexOf(main) + 1).some((clause) => clause.isNext);

const reads = isOneOf('ask run git sql summarise other');

/** Whether a step reads, and names neither a single file nor an earlier result. */
const looksAround = (step: Placed): boolean =>
  reads(step) && step.refersTo === 'none' && step.carried.length === 0 && !step.inputs.some(isFile);

const isFile = (name: string) => !/[*?]|\/$/.test(name);
