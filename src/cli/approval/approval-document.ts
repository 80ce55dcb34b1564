import type { Approval } from '../../contract/approval.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';

/** A question as `--json` prints it. */
export const approvalDocument = ({
  requestHash,
  capsuleHash,
  policyVersion,
  plan,
  editedSteps,
  createdAt,
  ...shown
}: Approval) => ({ ...withDocumentKeys(shown), asked_at: createdAt });
