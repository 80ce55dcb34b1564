import type { AttemptTally } from '../broker/intent/scope.ts';
import type { Capsule } from '../registry/capsule-store.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { RunContext } from './run-context.ts';

/** Codes by which a handler says that the task is not for it, before it has done anything. */
const notForMe = new Set(['NOT_UNDERSTOOD', 'NOT_SUPPORTED', 'NEEDS_MODEL', 'NOT_FOR_ME']);

/** Whether the capsule handed its task back, as one for another. */
export const isNotForIt = (outcome: AttemptOutcome): boolean =>
  !outcome.ok && outcome.tally.effects === 0 && notForMe.has(outcome.failure.code);

/**
 * Counts an ended attempt for its capsule: in its metrics, and towards its quarantine. What was interrupted, cancelled or
 * handed back is no use of it. To be called inside the transaction that ends the attempt.
 *
 * @returns Why the capsule is quarantined, where it is by this attempt.
 */
export function noteUse(
  { parts: { metrics, quarantine }, record }: RunContext,
  end: {
    readonly capsule: Capsule;
    readonly outcome: AttemptOutcome;
    /** Waits for people left out. */
    readonly durationMs: number;
    readonly tally: AttemptTally;
  },
): string | undefined {
  const { capsule, outcome, durationMs, tally } = end;
  if (wasBrokenOff(outcome) || isNotForIt(outcome)) return undefined;
  const isCompleted = outcome.ok;
  metrics.note({ capsule, isCompleted, durationMs, costMicroUsd: tally.costMicroUsd });
  const code = outcome.ok ? null : outcome.failure.code;
  const wasHindered = tally.denial !== undefined;
  return quarantine.note(capsule, { isCompleted, code, wasHindered }, record.id);
}

/** Whether it was ended from outside: that is no failure of the capsule. */
export const wasBrokenOff = (outcome: AttemptOutcome): boolean =>
  !outcome.ok && (outcome.reason === 'cancelled' || outcome.reason === 'interrupted');
