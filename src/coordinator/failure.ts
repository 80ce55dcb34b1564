import { AppError, type ErrorCode, messageOf } from '../errors.ts';
import type { Failure, Reason } from './status.ts';

const reasonOfCode: Partial<Record<ErrorCode, Reason>> = {
  CAPSULE_TIMED_OUT: 'deadline',
  CAPSULE_SPOKE_NONSENSE: 'protocol',
  LINE_TOO_LONG: 'protocol',
  CAPSULE_FELL_SILENT: 'crashed',
  CAPSULE_NOT_STARTED: 'crashed',
  TOO_MANY_INTENTS: 'loop',
  CANCELLED: 'cancelled',
  INTENT_DENIED: 'denied',
  PROVIDER_FAILED: 'provider',
  MODEL_NEEDED: 'plan_invalid',
  MODEL_ANSWER_INVALID: 'plan_invalid',
  PLAN_INVALID: 'plan_invalid',
  CAPSULE_UNKNOWN: 'settings',
};

/** The reason that stands for a thrown failure; `crashed` where it is not one of ours. */
export const reasonOf = (error: unknown): Reason =>
  error instanceof AppError
    ? (reasonOfCode[(error as AppError).code] ?? 'subtask_failed')
    : 'crashed';

/** A thrown failure as it is kept and shown. */
export const failureOf = (error: unknown): Failure => ({
  code: error instanceof AppError ? error.code : 'INTERNAL',
  message: messageOf(error),
});
