import type { Approval } from '../../contract/approval.ts';
import type { Agreed, AgreedCapsules } from '../agreed/agreed-capsules.ts';
import type { AgreedFile } from '../agreed/agreed-files.ts';
import type { Audit } from '../audit/audit.ts';
import type { Journal } from '../intent/journal.ts';
import type { TrustStore } from './trust-store.ts';

interface AgreeParts {
  readonly agreed: AgreedCapsules;
  readonly audit: Audit;
}

/**
 * Records that the files of a capsule are approved. To be called inside a transaction.
 *
 * @param facts Further facts for the audit.
 */
export function agree(
  { agreed, audit }: AgreeParts,
  approved: Agreed,
  runId: string | null = null,
  facts: Readonly<Record<string, unknown>> = {},
): void {
  const { capsuleId: ref, dir, hash, by } = approved;
  agreed.agree(approved);
  const detail = { dir, hash, by, ...facts };
  audit.append({ actor: by, action: 'capsule.agreed', runId, ref, detail });
}

/** The capsule that a question about changed files is about; undefined if its run no longer waits for it. */
export function changedCapsule({ runId, intentId }: Approval, journal: Journal) {
  const intent = journal.openIntentsOf(runId).find(({ id }) => id === intentId);
  const { capsule: id, dir } = (intent?.request ?? {}) as { capsule?: string; dir?: string };
  return id === undefined || dir === undefined ? undefined : { id, dir };
}

/**
 * Stores the approval of the changed files of a capsule. To be called in the transaction of the answer.
 *
 * @param files The files that are approved, if the caller has read them.
 */
export function agreeTo(
  approval: Approval,
  {
    journal,
    trust,
    ...parts
  }: AgreeParts & { readonly journal: Journal; readonly trust: TrustStore },
  files?: readonly AgreedFile[],
): void {
  const { runId, capsuleHash: hash } = approval;
  const { id: capsuleId, dir } = changedCapsule(approval, journal) ?? {};
  if (capsuleId === undefined || dir === undefined) return;
  if (parts.agreed.hashOf(capsuleId, dir) === hash) return;
  agree(parts, { capsuleId, dir, hash, by: 'person', files }, runId);
  trust.reset(capsuleId, { actor: 'policy' });
}
