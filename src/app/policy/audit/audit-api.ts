import type { AuditRow } from '../../../broker/audit/audit.ts';
import type { AuditReport } from '../../../broker/audit/verify-audit.ts';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import type { AppContext } from '../../context/open-context.ts';

export type { AuditReport, AuditRow };

export interface AuditExport {
  /** One run only: its id, a unique end of it, or `last`. Default: every line. */
  readonly run?: string | undefined;
  /** Lines from this time on. Default: all. */
  readonly since?: Date | undefined;
}

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
    const options = head === undefined ? {} : { head: hashOf(head) };
    const { verifyAudit } = await import('../../../broker/audit/verify-audit.ts');
    const { db } = await context.stores();
    return verifyAudit(db, options);
  },
  async *export({ run, since } = {}) {
    const { readAudit } = await import('../../../broker/audit/audit.ts');
    const { findRun } = await import('../../runs/find-run.ts');
    const { db } = await context.stores();
    const runId = run ? (await findRun(context, run)).id : null;
    const from = since?.toISOString() ?? '';
    for (const row of inParts((afterSeq) => readAudit(db, { runId, afterSeq })))
      if (row.at >= from) yield row;
  },
});

const PART_LINES = 500;

/** No statement stays open between two parts, so a slow reader does not block writers. */
function* inParts(readAfter: (seq: number) => Iterable<AuditRow>): Generator<AuditRow> {
  let part: AuditRow[] = [];
  do {
    const rows = readAfter(part.at(-1)?.seq ?? 0);
    part = [];
    for (const row of rows) if (part.push(row) === PART_LINES) break;
    yield* part;
  } while (part.length > 0);
}

function hashOf(text: string): string {
  const hash = text.trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  throw usage(
    `head is "${printable(text, 80)}". Write the 64 hexadecimal digits of the head of an earlier verification.`,
  );
}
