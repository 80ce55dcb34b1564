import { canonicalHash } from '../../platform/canonical-hash.ts';

/** All that an answer is given for: where one of these is another, it is another question. */
export interface Bound {
  /** SHA-256 of the canonical request. */
  readonly requestHash: string;
  readonly runId: string;
  readonly workspace: string;
  readonly capsuleHash: string;
  readonly policyVersion: string;
}

/** SHA-256, in hexadecimal, of what a question is about. */
export const bindingOf = ({
  requestHash,
  runId,
  workspace,
  capsuleHash,
  policyVersion,
}: Bound): string => canonicalHash({ requestHash, runId, workspace, capsuleHash, policyVersion });
