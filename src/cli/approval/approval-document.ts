import type { Approval } from '../../contract/approval.ts';
import { jsonOf } from '../io/print-json.ts';

/** A question as `--json` prints it. */
export const approvalDocument = ({
  requestHash,
  capsuleHash,
  policyVersion,
  plan,
  editedSteps,
  createdAt,
  ...shown
}: Approval) => ({ ...jsonOf(shown), asked_at: createdAt });
