import type { AuditRow } from '../../../app/audit/audit-api.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { jsonOf } from '../../io/json-of.ts';
import { jsonLine } from '../../io/print-json.ts';
import { choiceOption, sinceOption } from '../../options/option-value.ts';
import type { CommandContext } from '../../with-capstan.ts';

const CHUNK_LINES = 500;

/** `audit export`: prints in chunks, and waits while the reader of stdout is slower. */
export async function exportAudit({ capstan, args, io, text }: CommandContext): Promise<number> {
  const isCsv = choiceOption('--format', args.options['format'], ['jsonl', 'csv']) === 'csv';
  const since = sinceOption(args.options['since']);
  const lineOf = isCsv ? csvLine : (row: AuditRow) => `${jsonLine(jsonOf(row))}\n`;
  const lines = isCsv ? [`${columns.join(',')}\r\n`] : [];
  const print = async () => {
    io.stdout(lines.splice(0).join(''));
    return (await io.stdoutReady?.()) ?? true;
  };
  for await (const row of capstan.audit.export({
    run: args.positionals[0] ?? text('run'),
    since,
  })) {
    lines.push(lineOf(row));
    if (lines.length >= CHUNK_LINES && !(await print())) return exitCodes.completed;
  }
  await print();
  return exitCodes.completed;
}

const columns = 'seq,at,actor,action,run_id,ref,detail,prev_hash,hash'.split(',');

/** RFC 4180, every cell quoted, control and invisible characters escaped. */
function csvLine(row: AuditRow): string {
  const document = jsonOf(row);
  const cells = columns.map((column) => {
    const value = document[column];
    return typeof value === 'object' && value !== null
      ? jsonLine(value)
      : escapeText(String(value ?? ''));
  });
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}
