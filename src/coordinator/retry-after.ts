import type { AttemptRecord } from './store/subtask-store.ts';

/** How a subtask continues after an attempt that did not complete. */
export type Retry =
  /** Not the work but the process failed or was interrupted: the next attempt gets the recorded outcomes of this one. */
  | 'same'
  /** The result was unusable: the next attempt starts over, with a list of the applied effects. */
  | 'restart'
  | 'never';

/** Decides from the row of an attempt alone, so that the process that made it and a later one agree. */
export function retryAfter({
  status,
  reason,
  response,
}: Pick<AttemptRecord, 'status' | 'reason' | 'response'>): Retry {
  if (status === 'interrupted' || status === 'running') return 'same';
  if (reason === 'crashed' || reason === 'protocol') return 'same';
  const { status: said } = (response ?? {}) as { readonly status?: unknown };
  return said === 'ok' ? 'restart' : 'never';
}
