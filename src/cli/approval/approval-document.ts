import type { Approval } from '../../contract/approval.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';

/** A question as `--json` prints it. */
export function approvalDocument(approval: Approval) {
  const { requestHash, capsuleHash, policyVersion, plan, editedSteps, createdAt, ...shown } =
    approval;
  return { ...withDocumentKeys(shown), asked_at: createdAt };
}
