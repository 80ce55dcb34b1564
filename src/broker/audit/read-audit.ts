import type { Db } from '../../db/open-database.ts';
import { type AuditRow, SELECT_AUDIT, type StoredAuditRow } from './audit.ts';

/** Lines in order, after `afterSeq`; only those of `runId` if it is given. Read row by row. */
export function* readAudit(
  db: Db,
  {
    runId = null,
    afterSeq = 0,
  }: { readonly runId?: string | null; readonly afterSeq?: number } = {},
): Generator<AuditRow> {
  const rows = db
    .prepare<[{ runId: string | null; afterSeq: number }], StoredAuditRow>(
      `${SELECT_AUDIT} WHERE seq > @afterSeq AND (@runId IS NULL OR run_id = @runId) ORDER BY seq`,
    )
    .iterate({ runId, afterSeq });
  for (const row of rows) yield { ...row, detail: JSON.parse(row.detail) as AuditRow['detail'] };
}
