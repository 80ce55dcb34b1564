import type { AttemptRecord } from './subtask-store.ts';

/** How a subtask goes on after an attempt that did not complete. */
export type Retry =
  /** The process failed or was interrupted, not the work: the next attempt is told again what this one was told. */
  | 'same'
  /** The work came to nothing usable: the next attempt starts afresh, and knows what stands. */
  | 'afresh'
  | 'never';

/** What the row of an attempt says of the next one: the same in the life that made it and in any later one. */
export function retryAfter({
  status,
  reason,
  response,
}: Pick<AttemptRecord, 'status' | 'reason' | 'response'>): Retry {
  if (status === 'interrupted' || status === 'running') return 'same';
  if (reason === 'crashed' || reason === 'protocol') return 'same';
  const { status: said } = (response ?? {}) as { readonly status?: unknown };
  return said === 'ok' ? 'afresh' : 'never';
}
