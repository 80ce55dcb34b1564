/**
 * A point where a test kills the process or makes a step fail, before and after each durable step: `commit` is before
 * the step, `committed` after it.
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
  | 'linked'
  | 'placed'
  | 'remember'
  | 'remembered'
  | 'checkpoint'
  | 'checkpointed';

/** A test sets this hook before it loads Capstan. */
const HOOK: unique symbol = Symbol.for('capstan.fail-point');

type Hook = (point: FailPoint) => void;

/** Reports that a fail point is reached. Does nothing unless a test has set a hook. */
export const failPoint: Hook =
  (globalThis as { readonly [HOOK]?: Hook })[HOOK] ?? (() => undefined);
