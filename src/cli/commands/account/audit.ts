import type { AuditReport } from '../../../app/audit/audit-api.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { counted } from '../../format.ts';
import { commandGroup } from '../../help/command-group.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';
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
      run: withCapstan(async ({ capstan, text }) => {
        const report = await capstan.audit.verify({ head: text('head') });
        const { lines, head, problems } = report;
        const ok = problems.length === 0;
        const json = { ok, lines, head, problems };
        return {
          json,
          text: textOf(report),
          exitCode: ok ? exitCodes.completed : exitCodes.failed,
        };
      }),
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

function textOf({ lines, head, problems }: AuditReport): string {
  const list = problems.map(
    ({ seq, problem }) => `  ${seq === 0 ? '' : `line ${seq}: `}${escapeText(problem)}\n`,
  );
  const count = problems.length === 0 ? 'nothing was changed' : countOf(problems.length);
  return `${counted(lines, 'line')} of the record: ${count}\n${list.join('')}head ${head}\n`;
}

/** A report holds at most this many. */
const MAX_PROBLEMS = 100;

const countOf = (count: number): string =>
  `${counted(count, 'problem')}${count >= MAX_PROBLEMS ? ' and perhaps more' : ''}`;
