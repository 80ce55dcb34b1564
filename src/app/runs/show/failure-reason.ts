import type { Reason } from '../../../contract/status.ts';
import { reasonOf } from '../../../coordinator/failure.ts';

/** Why a run can't start or continue because of this error; `crashed` if no other reason applies. */
export function failureReason(error: unknown): Reason {
  const reason = reasonOf(error);
  return reason === 'subtask_failed' ? 'crashed' : reason;
}
