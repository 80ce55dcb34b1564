/**
 * A place where a process may die, or a step may fail, and the run must survive it: before and after everything that
 * lasts. `commit` and its like stand before the step, `committed` and its like after it.
 */
export type FailPoint =
  | 'open'
  | 'opened'
  | 'commit'
  | 'committed'
  | 'effect'
  | 'effected'
  | 'call'
  | 'called'
  | 'place'
  | 'placed'
  | 'remember'
  | 'remembered'
  | 'checkpoint'
  | 'checkpointed';

/** Where a test puts its hook, before anything of Capstan is loaded. */
const HOOK: unique symbol = Symbol.for('capstan.fail-point');

type Hook = (point: FailPoint) => void;

/** Says that a fail point is reached. Does nothing but in a process that a test prepared. */
export const failPoint: Hook =
  (globalThis as { readonly [HOOK]?: Hook })[HOOK] ?? (() => undefined);
