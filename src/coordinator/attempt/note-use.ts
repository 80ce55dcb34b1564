import type { AttemptTally } from '../../broker/intent/scope.ts';
import type { Failure, Reason } from '../../contract/status.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { RunContext } from '../context/run-context.ts';
import { DECLINE_CODES } from '../route/recent-attempts.ts';

/** Whether the capsule declined its task without an effect, so that another one may try. */
export const hasDeclined = (outcome: AttemptOutcome): boolean =>
  !outcome.ok && outcome.effects === 0 && DECLINE_CODES.has(outcome.failure.code);

/** Whether the capsule declined because it handles other tasks: its error is less helpful than another capsule's. */
export const handlesOtherTasks = (outcome: AttemptOutcome): boolean =>
  !outcome.ok && outcome.failure.code === 'NOT_FOR_ME';

/**
 * Counts an ended attempt in the metrics of its capsule and towards its quarantine, unless it was interrupted, cancelled
 * or declined. To be called inside the transaction that ends the attempt.
 *
 * @returns The reason for a quarantine of the capsule; undefined if there is none.
 */
export function noteUse(
  { parts: { metrics, quarantine }, record }: RunContext,
  end: {
    readonly capsule: Capsule;
    readonly outcome: AttemptOutcome;
    /** Without waits for people. */
    readonly durationMs: number;
    readonly tally: AttemptTally;
  },
): string | undefined {
  const { capsule, outcome, durationMs, tally } = end;
  if (wasInterrupted(outcome) || hasDeclined(outcome)) return undefined;
  const isCompleted = outcome.ok;
  metrics.note({ capsule, isCompleted, durationMs, costMicroUsd: tally.costMicroUsd });
  const code = outcome.ok ? null : outcome.failure.code;
  const wasHindered = tally.denial !== undefined;
  return quarantine.note(capsule, { isCompleted, code, wasHindered }, record.id);
}

/** Whether the attempt was ended from outside, which is not a failure of the capsule. */
export const wasInterrupted = (outcome: AttemptOutcome): boolean =>
  !outcome.ok && (outcome.reason === 'cancelled' || outcome.reason === 'interrupted');

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
