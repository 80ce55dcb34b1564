import { AppError, type ErrorCode, failedWith, messageOf } from '../contract/errors.ts';
import type { Failure, Reason } from '../contract/status.ts';
import { ProviderError } from '../llm/provider.ts';

const reasonOfCode: Partial<Record<ErrorCode, Reason>> = {
  CAPSULE_TIMED_OUT: 'deadline',
  CAPSULE_SPOKE_NONSENSE: 'protocol',
  LINE_TOO_LONG: 'protocol',
  CAPSULE_FELL_SILENT: 'crashed',
  CAPSULE_NOT_STARTED: 'crashed',
  TOO_MANY_INTENTS: 'limit',
  LOOP_IDENTICAL: 'loop',
  LOOP_ERRORS: 'loop',
  CAPSULE_DIVERGED: 'denied',
  OUTCOME_ABANDONED: 'denied',
  CANCELLED: 'cancelled',
  RUN_PARKED: 'interrupted',
  RUN_UNREADABLE: 'settings',
  CAPSULES_EXHAUSTED: 'loop',
  PROVIDER_FAILED: 'provider',
  MODEL_NEEDED: 'plan_invalid',
  ATTACHMENT_NEEDS_MODEL: 'plan_invalid',
  MODEL_ANSWER_INVALID: 'plan_invalid',
  PLAN_INVALID: 'plan_invalid',
  CAPSULE_UNKNOWN: 'settings',
  CAPSULE_QUARANTINED: 'settings',
  EMBEDDER_UNAVAILABLE: 'settings',
  SETTINGS_INVALID: 'settings',
  ISOLATION_REFUSED: 'isolation',
  ISOLATION_MISSING: 'isolation',
  CAPSULE_NOT_ISOLATED: 'isolation',
};

/** A recorded failure as an error. */
export class RecordedFailure extends Error {
  readonly failure: Failure;
  readonly reason: Reason;

  constructor(failure: Failure, reason: Reason) {
    super(failure.message);
    this.failure = failure;
    this.reason = reason;
  }
}

/** The reason for a thrown failure; `crashed` if it is not an AppError or a failure of a provider. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof RecordedFailure) return error.reason;
  if (error instanceof ProviderError) return 'provider';
  if (!(error instanceof AppError)) return 'crashed';
  if (failedWith(error, 'INTENT_DENIED')) {
    return refusals.find((reason) => reason === error.details.reason) ?? 'denied';
  }
  return reasonOfCode[(error as AppError).code] ?? 'subtask_failed';
}

const refusals: readonly Reason[] = ['budget', 'provider', 'expired', 'isolation'];

/** A thrown error in the form that is stored and shown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RecordedFailure) return error.failure;
  const failure = { code: codeOf(error), message: messageOf(error) };
  const next = error instanceof AppError ? error.next : [];
  return next.length > 0 ? { ...failure, next } : failure;
}

function codeOf(error: unknown): string {
  if (error instanceof ProviderError) return 'PROVIDER_FAILED';
  return error instanceof AppError ? (error as AppError).code : 'INTERNAL';
}
