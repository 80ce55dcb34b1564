import type { Approval } from '../../contract/approval.ts';
import type { AgreedCapsules } from '../agreed/agreed-capsules.ts';
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
  approved: Parameters<AgreedCapsules['agree']>[0],
  runId: string | null = null,
  facts: Readonly<Record<string, unknown>> = {},
): void {
  const { capsuleId: ref, dir, hash, by } = approved;
  agreed.agree(approved);
  const detail = { dir, hash, by, ...facts };
  audit.append({ actor: by, action: 'capsule.agreed', runId, ref, detail });
}

/** Stores the approval of the changed files of a capsule. To be called in the transaction of the answer. */
export function agreeTo(
  { runId, intentId, capsuleHash: hash }: Approval,
  {
    journal,
    trust,
    ...parts
  }: AgreeParts & { readonly journal: Journal; readonly trust: TrustStore },
): void {
  const intent = journal.openIntentsOf(runId).find(({ id }) => id === intentId);
  const { capsule, dir } = (intent?.request ?? {}) as { capsule?: string; dir?: string };
  if (capsule === undefined || dir === undefined) return;
  agree(parts, { capsuleId: capsule, dir, hash, by: 'person' }, runId);
  trust.reset(capsule, { actor: 'policy' });
}
