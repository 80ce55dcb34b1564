import { type AuditRow, readAudit } from '../../../broker/audit/audit.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { AppContext } from '../../context/open-context.ts';
import { findRun } from '../../runs/find-run.ts';

export interface AuditExport {
  /** One run only: its id, a unique end of it, or `last`. Default: every line. */
  readonly run?: string | undefined;
  /** Lines from this time on. Default: all. */
  readonly since?: Date | undefined;
}

const PART_LINES = 500;

/** No statement stays open between two parts, so a slow reader does not block writers. */
export async function* exportAudit(
  context: AppContext,
  { run, since }: AuditExport,
): AsyncGenerator<AuditRow> {
  const { db } = await context.stores();
  const runId = run ? (await findRun(context, run)).id : null;
  const from = since?.toISOString() ?? '';
  for (let afterSeq = 0; ; ) {
    const part = readPart(db, runId, afterSeq);
    for (const row of part) if (row.at >= from) yield row;
    const last = part.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}

function readPart(db: Stores['db'], runId: string | null, afterSeq: number): readonly AuditRow[] {
  const rows: AuditRow[] = [];
  for (const row of readAudit(db, { runId, afterSeq })) {
    rows.push(row);
    if (rows.length === PART_LINES) break;
  }
  return rows;
}
