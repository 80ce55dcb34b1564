import { once } from 'node:events';
import type { AuditRow } from '../../broker/audit/audit.ts';
import { escapeText } from '../../config/escape-text.ts';
import { AppError } from '../../contract/errors.ts';
import { findRun } from '../../coordinator/find-run.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { momentOf } from '../moment.ts';

interface Here {
  readonly stores: Stores;
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

/** `audit export`: in parts, no faster than they are taken. */
export async function exportAudit({ stores, args, io }: Here): Promise<number> {
  const { run, since, format } = args.options;
  const runId = run === undefined ? null : findRun(stores.runs, String(run)).id;
  const from = sinceOf(since, stores.now());
  const { head, line } = formatOf(format);
  io.stdout(head);
  for (let afterSeq: number | undefined = 0; afterSeq !== undefined; ) {
    const rows = await part(stores, runId, afterSeq);
    const text = rows.filter(({ at }) => at >= from).map(line);
    if (text.length > 0) io.stdout(text.join(''));
    await taken();
    afterSeq = process.stdout.destroyed ? undefined : rows.at(-1)?.seq;
  }
  return exitCodes.completed;
}

const PART_LINES = 500;

async function part(
  { db }: Stores,
  runId: string | null,
  afterSeq: number,
): Promise<readonly AuditRow[]> {
  const { readAudit } = await import('../../broker/audit/read-audit.ts');
  const rows: AuditRow[] = [];
  for (const row of readAudit(db, { runId, afterSeq })) {
    rows.push(row);
    if (rows.length === PART_LINES) break;
  }
  return rows;
}

/** Until whoever reads has room for more, or is gone. */
async function taken(): Promise<void> {
  const { stdout } = process;
  if (!stdout.writableNeedDrain || stdout.destroyed) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(stdout, 'drain', { signal }), once(stdout, 'close', { signal })]).catch(
    () => undefined,
  );
  over.abort();
}

interface Format {
  readonly head: string;
  line(row: AuditRow): string;
}

const columns = [
  'seq',
  'at',
  'actor',
  'action',
  'run_id',
  'ref',
  'detail',
  'prev_hash',
  'hash',
] as const;

const documentOf = ({ seq, at, actor, action, runId, ref, detail, prevHash, hash }: AuditRow) => ({
  seq,
  at,
  actor,
  action,
  run_id: runId,
  ref,
  detail,
  prev_hash: prevHash,
  hash,
});

const formats: ReadonlyMap<string, Format> = new Map([
  ['jsonl', { head: '', line: (row) => `${JSON.stringify(documentOf(row))}\n` }],
  ['csv', { head: `${columns.join(',')}\r\n`, line: csvLine }],
]);

/** RFC 4180, every cell quoted. */
function csvLine(row: AuditRow): string {
  const document = documentOf(row);
  const cells = columns.map((column) => {
    const value = document[column];
    return typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value ?? '');
  });
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function formatOf(given: unknown = 'jsonl'): Format {
  const format = formats.get(String(given));
  if (format) return format;
  const problem = `--format is "${escapeText(String(given))}". Write jsonl or csv.`;
  throw new AppError('USAGE', { problem });
}

function sinceOf(given: unknown, now: Date): string {
  if (given === undefined) return '';
  const since = momentOf(String(given), now, 'past');
  if (since) return since.toISOString();
  const problem = `--since is "${escapeText(String(given))}". Write a day (2026-01-31), a time (2026-01-31T12:00Z), or 12h, 7d, 4w.`;
  throw new AppError('USAGE', { problem });
}
