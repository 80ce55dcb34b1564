import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { WireError } from '../../contract/wire/coordinator-messages.ts';
import type { AttemptScope, AttemptTally } from '../intent/scope.ts';

/** An attempt that makes the same request more often is ended. High enough for polling. */
const MAX_IDENTICAL = 12;

/** An attempt ends after this many failures without a success in between. */
const MAX_ERRORS_IN_A_ROW = 10;

/** Counts one intent; returns the error that ends the attempt if it loops. */
export function countRequest(
  { requestHash, name, target }: Pick<IntentRecord, 'requestHash' | 'name' | 'target'>,
  { requests }: Pick<AttemptTally, 'requests'>,
): AppError | undefined {
  const count = (requests.get(requestHash) ?? 0) + 1;
  requests.set(requestHash, count);
  if (count <= MAX_IDENTICAL) return undefined;
  const what = target === '' ? name : `${name} ${JSON.stringify(target)}`;
  return new AppError('LOOP_IDENTICAL', { what, count });
}

/**
 * Counts the outcome of one intent, and ends the attempt after too many consecutive failures. A cancelled call is none:
 * its attempt ends for another reason.
 */
export function countOutcome(error: WireError | undefined, scope: AttemptScope): void {
  if (error?.code === 'CANCELLED') return;
  const { tally } = scope;
  tally.errorsInARow = error === undefined ? 0 : tally.errorsInARow + 1;
  if (tally.errorsInARow < MAX_ERRORS_IN_A_ROW || scope.attemptId === null) return;
  const last = error?.message ?? 'an error without a message';
  scope.end(new AppError('LOOP_ERRORS', { count: tally.errorsInARow, last }));
}
