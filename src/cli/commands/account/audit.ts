import type { AuditReport, AuditRow } from '../../../app/policy/audit/audit-api.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { commandGroup } from '../../help/command-group.ts';
import { jsonLine } from '../../io/print-json.ts';
import { choiceOption, sinceOption, standard } from '../../options/standard-options.ts';
import { counted } from '../../text/format.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const command = commandGroup('capstan runs audit', {
  summary: 'Verify and export the audit trail',
  subcommands: [
    {
      name: 'verify',
      summary: 'Check that the audit trail and the journal are unchanged',
      options: {
        '--head <hash>': 'also check that this earlier head is still in the chain',
        ...standard.json,
      },
      examples: ['capstan runs audit verify', 'capstan runs audit verify --head "$(cat head.txt)"'],
      run: withCapstan(async ({ capstan, text }) => {
        const report = await capstan.audit.verify({ head: text('head') });
        const { lines, head, problems } = report;
        const ok = problems.length === 0;
        return { json: { ok, lines, head, problems }, text: textOf(report), isOk: ok };
      }),
    },
    {
      name: 'export',
      summary: 'Print the audit trail, oldest line first',
      arguments: '[run]',
      options: {
        ...standard.since,
        '--format <format>': 'jsonl (default) or csv',
      },
      hiddenOptions: { '--run <run>': 'the run' },
      examples: [
        'capstan runs audit export 9c41d07e',
        'capstan runs audit export --since 7d --format csv',
      ],
      run: withCapstan(exportAudit),
    },
  ],
});

function textOf({ lines, head, problems }: AuditReport): string {
  const list = problems.map(
    ({ seq, problem }) => `  ${seq === 0 ? '' : `line ${seq}: `}${escapeText(problem)}\n`,
  );
  const more = list.length >= MAX_PROBLEMS ? ' and perhaps more' : '';
  const count = list.length === 0 ? 'nothing was changed' : counted(list.length, 'problem');
  return `${counted(lines, 'line')} of the audit trail: ${count}${more}\n${list.join('')}head ${head}\n`;
}

/** A report holds at most this many. */
const MAX_PROBLEMS = 100;

const CHUNK_LINES = 500;

/** `audit export`: prints in chunks, and waits while the reader of stdout is slower. */
async function exportAudit({ capstan, args, io, text }: CommandContext): Promise<number> {
  const isCsv = choiceOption('--format', args.options['format'], ['jsonl', 'csv']) === 'csv';
  const since = sinceOption(args.options['since']);
  const run = args.positionals[0] ?? text('run');
  const lineOf = isCsv ? csvLine : (row: AuditRow) => `${jsonLine(withDocumentKeys(row))}\n`;
  const lines = isCsv ? [`${columns.join(',')}\r\n`] : [];
  const print = async () => {
    io.stdout(lines.splice(0).join(''));
    return (await io.stdoutReady?.()) ?? true;
  };
  for await (const row of capstan.audit.export({ run, since })) {
    lines.push(lineOf(row));
    if (lines.length >= CHUNK_LINES && !(await print())) return exitCodes.completed;
  }
  await print();
  return exitCodes.completed;
}

const columns = 'seq,at,actor,action,run_id,ref,detail,prev_hash,hash'.split(',');

/** RFC 4180, every cell quoted, control and invisible characters escaped. */
function csvLine(row: AuditRow): string {
  const document: Readonly<Record<string, unknown>> = withDocumentKeys(row);
  const cells = columns.map((column) => {
    const value = document[column] ?? '';
    return typeof value === 'object' ? jsonLine(value) : escapeText(String(value));
  });
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}
