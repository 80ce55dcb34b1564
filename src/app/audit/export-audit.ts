import type { AuditRow } from '../../broker/audit/audit.ts';
import { readAudit } from '../../broker/audit/read-audit.ts';
import { findRun } from '../../coordinator/find-run.ts';
import type { Stores } from '../../coordinator/open-stores.ts';

export interface AuditExport {
  /** One run only, by its id or the beginning of it. Default: every line. */
  readonly run?: string | undefined;
  /** Lines from this time on. Default: all. */
  readonly since?: Date | undefined;
}

const PART_LINES = 500;

/** No statement stays open between two parts, so a slow reader does not block writers. */
export function* exportAudit(
  { db, runs }: Pick<Stores, 'db' | 'runs'>,
  { run, since }: AuditExport,
): Generator<AuditRow> {
  const runId = run === undefined ? null : findRun(runs, run).id;
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
