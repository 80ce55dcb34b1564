import type { AuditRow } from '../../../app/audit/audit-api.ts';
import { AppError } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { jsonLine } from '../../io/print-json.ts';
import { textOption } from '../../options/text-option.ts';
import { momentOf } from '../../text/moment.ts';
import type { CommandContext } from '../../with-capstan.ts';

const CHUNK_LINES = 500;

/** `audit export`: prints in chunks, and waits while the reader of stdout is slower. */
export async function exportAudit({ capstan, args, io }: CommandContext): Promise<number> {
  const { run, since, format } = args.options;
  const { head, line } = formatOf(format);
  const options = {
    run: args.positionals[0] ?? textOption(run),
    since: sinceOf(since, new Date()),
  };
  const lines = [head];
  const print = async () => {
    io.stdout(lines.splice(0).join(''));
    return (await io.stdoutReady?.()) ?? true;
  };
  for await (const row of capstan.audit.export(options)) {
    lines.push(line(row));
    if (lines.length >= CHUNK_LINES && !(await print())) return exitCodes.completed;
  }
  await print();
  return exitCodes.completed;
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
  ['jsonl', { head: '', line: (row) => `${jsonLine(documentOf(row))}\n` }],
  ['csv', { head: `${columns.join(',')}\r\n`, line: csvLine }],
]);

/** RFC 4180, every cell quoted, control and invisible characters escaped. */
function csvLine(row: AuditRow): string {
  const document = documentOf(row);
  const cells = columns.map((column) => {
    const value = document[column];
    return typeof value === 'object' && value !== null
      ? jsonLine(value)
      : escapeText(String(value ?? ''));
  });
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function formatOf(given: unknown = 'jsonl'): Format {
  const format = formats.get(String(given));
  if (format) return format;
  const problem = `--format is "${escapeText(String(given))}". Write jsonl or csv.`;
  throw new AppError('USAGE', { problem });
}

function sinceOf(given: unknown, now: Date): Date | undefined {
  if (given === undefined) return undefined;
  const since = momentOf(String(given), now, 'past');
  if (since) return since;
  const problem = `--since is "${escapeText(String(given))}". Write a day (2026-01-31), a time (2026-01-31T12:00Z), or 12h, 7d, 4w.`;
  throw new AppError('USAGE', { problem });
}
