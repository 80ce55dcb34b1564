import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';

/** What an attempt did so far that may be a loop. */
export interface LoopTally {
  /** How often each request came, by its hash. */
  readonly requests: Map<string, number>;
  errorsInARow: number;
}

/** The same request comes this often before its attempt is ended: polling is fine, going round in circles is not. */
const MOST_IDENTICAL = 12;

/** This many failures with nothing that works in between end the attempt. */
const MOST_ERRORS_IN_A_ROW = 10;

/** Counts one intent; returns why the attempt ends where it goes in circles. */
export function loopOf(
  { requestHash, name, target }: Pick<IntentRecord, 'requestHash' | 'name' | 'target'>,
  { requests }: LoopTally,
): AppError | undefined {
  const count = (requests.get(requestHash) ?? 0) + 1;
  requests.set(requestHash, count);
  if (count <= MOST_IDENTICAL) return undefined;
  return new AppError('LOOP_IDENTICAL', { what: `${name} ${target}`.trim(), count });
}

/** Counts how one intent fared; returns why the attempt ends where nothing works any more. */
export function errorsOf(
  outcome: { readonly ok: boolean; readonly error?: { readonly message: string } | undefined },
  tally: LoopTally,
): AppError | undefined {
  tally.errorsInARow = outcome.ok ? 0 : tally.errorsInARow + 1;
  if (tally.errorsInARow < MOST_ERRORS_IN_A_ROW) return undefined;
  const last = outcome.error?.message ?? 'an error without words';
  return new AppError('LOOP_ERRORS', { count: tally.errorsInARow, last });
}
