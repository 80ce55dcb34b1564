import { hadEffect } from '../../broker/intent/record.ts';
import type { Pause } from '../../broker/intent/scope.ts';
import { useOnResume } from '../../broker/recall/record-pool.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { EarlierFailure } from '../../contract/wire/coordinator-messages.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Step } from '../plan/plan.ts';
import type { AttemptRecord } from '../store/subtasks/subtask-record.ts';

/** The starting point of an attempt. */
export interface AttemptBasis {
  /** The attempt that this one continues, with the same request and the recorded answers. */
  readonly earlier?: AttemptRecord | undefined;
  /** Outcomes of earlier attempts that are reused, although this attempt starts over. */
  readonly recalled?: readonly IntentRecord[] | undefined;
  /** The effects of earlier attempts, if this attempt starts over. */
  readonly appliedEffects?: ReturnType<typeof effectsOf> | undefined;
  /** Attempts of the subtask that failed before, by any capsule, oldest first. */
  readonly failures?: readonly EarlierFailure[] | undefined;
}

export interface AttemptPlan extends AttemptBasis {
  readonly step: Step;
  readonly capsule: Capsule;
  readonly kind: TaskKind;
  /** 1, 2, … within the subtask. */
  readonly number: number;
  readonly pause: Pause;
  /** Writes the consequences of success, in the transaction that ends the attempt. */
  readonly onSuccess: (result: unknown) => void;
}

/** @param rows Earlier attempts of the same capsule at the same subtask, oldest first. */
export function attemptBasis(run: RunContext, rows: readonly AttemptRecord[]): AttemptBasis {
  const last = rows.at(-1);
  if (!last) return {};
  if (isBeforeRetry(run, last)) return basisOfRetry(run, rows, last);
  const retry = retryAfter(last);
  if (retry === 'same') return { earlier: last };
  return retry === 'restart' ? { appliedEffects: effectsOf(run, rows) } : {};
}

/** Whether the attempt was made before its failed run was resumed. */
export const isBeforeRetry = ({ record }: RunContext, { id }: AttemptRecord): boolean =>
  id < (record.request.retriedAfter ?? '');

/**
 * The first attempt after a failed run was resumed. If a retry can end differently (the provider failed, the budget was
 * spent, a process crashed, a limit of requests can be raised), it continues the last attempt. If the recorded outcomes
 * could only lead to the same failure, model calls and reads are repeated, and only effects and final denials are
 * recalled.
 */
function basisOfRetry(
  run: RunContext,
  rows: readonly AttemptRecord[],
  last: AttemptRecord,
): AttemptBasis {
  const { journal } = run.parts;
  const canDiffer =
    last.error?.code === 'TOO_MANY_INTENTS' ||
    journal.recordOf(last.id).some((one) => useOnResume(one) !== 'answer');
  if (canDiffer || retryAfter(last) === 'same') return { earlier: last };
  const recalled = recordsOf(run, rows).filter((one) => hadEffect(one) || one.status === 'denied');
  return { recalled, appliedEffects: effectsOf(run, rows) };
}

/** The effects of these attempts, each once: `file_io.write` and its target. */
export const effectsOf = (run: RunContext, attempts: readonly AttemptRecord[]) =>
  recordsOf(run, attempts)
    .filter(hadEffect)
    .map(({ name, target }) => ({ operation: name, target }));

function recordsOf(
  { parts }: RunContext,
  attempts: readonly AttemptRecord[],
): readonly IntentRecord[] {
  const records = attempts.flatMap(({ id }) => parts.journal.recordOf(id));
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

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
