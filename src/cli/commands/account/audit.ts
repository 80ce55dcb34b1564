import type { AuditReport } from '../../../app/audit/audit-api.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { commandGroup } from '../../help/command-group.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';
import { exportAudit } from './audit-export.ts';

export const command = commandGroup('capstan runs audit', {
  topic: 'Look',
  brief: 'who did what',
  summary: 'Verify and export the audit trail',
  subcommands: [
    {
      name: 'verify',
      topic: 'Look',
      brief: 'was it changed',
      summary:
        'Verify every link of the chain and the journal against it; exit code 1 if something was changed',
      options: [
        {
          flags: '--head <hash>',
          description: 'also check that this earlier head is still in the chain',
        },
        standard.json,
      ],
      examples: ['capstan runs audit verify', 'capstan runs audit verify --head "$(cat head.txt)"'],
      run: withCapstan(verify),
    },
    {
      name: 'export',
      topic: 'Look',
      brief: 'its lines',
      summary: 'Print the lines of the audit trail, oldest first',
      arguments: '[run]',
      options: [
        { flags: '--run <run>', description: 'the run', isHidden: true },
        standard.since,
        { flags: '--format <format>', description: 'jsonl (default) or csv' },
      ],
      examples: [
        'capstan runs audit export 9c41d07e',
        'capstan runs audit export --since 7d --format csv',
      ],
      run: withCapstan(exportAudit),
    },
  ],
});

async function verify({ capstan, args, io }: CommandContext): Promise<number> {
  const report = await capstan.audit.verify({ head: textOption(args.options['head']) });
  const { lines, head, problems } = report;
  const isOk = problems.length === 0;
  if (args.options['json'] === true) printJson(io, { ok: isOk, lines, head, problems });
  else io.stdout(textOf(report));
  return isOk ? exitCodes.completed : exitCodes.failed;
}

function textOf({ lines, head, problems }: AuditReport): string {
  const list = problems.map(
    ({ seq, problem }) => `  ${seq === 0 ? '' : `line ${seq}: `}${escapeText(problem)}\n`,
  );
  const what = lines === 1 ? '1 line of the record' : `${lines} lines of the record`;
  return `${what}: ${problems.length === 0 ? 'nothing was changed' : countOf(problems.length)}\n${list.join('')}head ${head}\n`;
}

const countOf = (count: number): string => {
  if (count >= MAX_PROBLEMS) return `${MAX_PROBLEMS} problems and perhaps more`;
  return count === 1 ? '1 problem' : `${count} problems`;
};

/** A report holds at most this many. */
const MAX_PROBLEMS = 100;
