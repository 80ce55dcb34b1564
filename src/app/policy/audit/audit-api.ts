import type { AuditRow } from '../../../broker/audit/audit.ts';
import type { AuditReport } from '../../../broker/audit/verify-audit.ts';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import type { AppContext } from '../../context/open-context.ts';
import type { AuditExport } from './export-audit.ts';

export type { AuditReport, AuditRow };

/** `capstan.audit`: the audit trail, a chained record of every decision and effect. */
export interface AuditApi {
  /**
   * Checks every link of the chain, and the rows of the journal against it.
   *
   * @param head SHA-256 (64 hexadecimal digits) of a line that was the last one once: it must still be in the chain.
   * @throws AppError `USAGE` if `head` is not a hash.
   */
  verify(options?: { readonly head?: string | undefined }): Promise<AuditReport>;
  /**
   * The lines of the audit trail, oldest first, read in parts.
   *
   * @throws AppError `RUN_UNKNOWN`; `USAGE` if several runs match.
   */
  export(options?: AuditExport): AsyncIterable<AuditRow>;
}

export const auditApi = (context: AppContext): AuditApi => ({
  async verify({ head } = {}) {
    const hash = head === undefined ? undefined : hashOf(head);
    const { verifyAudit } = await import('../../../broker/audit/verify-audit.ts');
    const { db } = await context.stores();
    return verifyAudit(db, hash === undefined ? {} : { head: hash });
  },
  async *export(options = {}) {
    const { exportAudit } = await import('./export-audit.ts');
    yield* exportAudit(context, options);
  },
});

function hashOf(text: string): string {
  const hash = text.trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  const problem = `head is "${printable(text, 80)}". Write the 64 hexadecimal digits of the head of an earlier verification.`;
  throw usage(problem);
}
