import type { AttemptTally } from '../../broker/intent/scope.ts';

import type { Failure, Reason } from '../../contract/status.ts';

export type AttemptOutcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly reason: Reason;
      readonly failure: Failure;
      /** How many requests of the attempt had an effect. */
      readonly effects: number;
    };

/** A failed attempt; by default for a reason of the task itself. */
export const failed = (
  failure: Failure,
  { effects }: Pick<AttemptTally, 'effects'>,
  reason: Reason = 'subtask_failed',
): AttemptOutcome => ({ ok: false, reason, failure, effects });
