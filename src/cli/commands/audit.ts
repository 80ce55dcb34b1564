import type { AuditReport } from '../../broker/audit/verify-audit.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { type WithStores, withStores } from '../with-stores.ts';
import { exportAudit } from './audit-export.ts';

export const command: CommandDefinition = {
  name: 'audit',
  summary: 'Check and export the chained record of who did what',
  options: [],
  examples: ['capstan audit verify', 'capstan audit export --format csv > audit.csv'],
  subcommands: [
    {
      name: 'verify',
      summary:
        'Check every link of the chain, and the journal against it; 1 where something was changed',
      options: [
        {
          flags: '--head <hash>',
          description: 'also check that this line, kept elsewhere, is still in the chain',
        },
        { flags: '--json', description: 'print JSON' },
      ],
      examples: ['capstan audit verify', 'capstan audit verify --head "$(cat head.txt)"'],
      run: (args, io) => withStores(args, io, verify),
    },
    {
      name: 'export',
      summary: 'Print the lines of the record, oldest first',
      options: [
        { flags: '--run <id>', description: 'of one run only' },
        {
          flags: '--since <when>',
          description: 'from a day or time on, or of the last 12h, 7d, 4w',
        },
        { flags: '--format <format>', description: 'jsonl (default) or csv' },
      ],
      examples: [
        'capstan audit export --run 0199a1b2',
        'capstan audit export --since 7d --format csv',
      ],
      run: (args, io) => withStores(args, io, exportAudit),
    },
  ],
  run: async (_args, io) => {
    io.stderr('capstan audit: say verify or export (see `capstan audit --help`)\n');
    return exitCodes.usage;
  },
};

async function verify({ stores, args, io }: WithStores): Promise<number> {
  const { verifyAudit } = await import('../../broker/audit/verify-audit.ts');
  const given = args.options['head'];
  const report = verifyAudit(stores.db, given === undefined ? {} : { head: hashOf(String(given)) });
  if (args.options['json'] === true) {
    const { lines, head, problems } = report;
    const ok = problems.length === 0;
    printJson(io, { ok, lines, head, problems });
  } else {
    io.stdout(tell(report));
  }
  return report.problems.length === 0 ? exitCodes.completed : exitCodes.failed;
}

function tell({ lines, head, problems }: AuditReport): string {
  const told = problems.map(
    ({ seq, problem }) => `  ${seq === 0 ? '' : `line ${seq}: `}${escapeText(problem)}\n`,
  );
  const what = lines === 1 ? '1 line of the record' : `${lines} lines of the record`;
  return `${what}: ${problems.length === 0 ? 'nothing was changed' : countOf(problems.length)}\n${told.join('')}head ${head}\n`;
}

const countOf = (count: number): string => {
  if (count >= MOST_TOLD) return `${MOST_TOLD} problems and perhaps more`;
  return count === 1 ? '1 problem' : `${count} problems`;
};

/** As many as a report holds. */
const MOST_TOLD = 100;

function hashOf(text: string): string {
  const hash = text.trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  const problem = `--head is "${escapeText(text)}". Write the 64 hexadecimal digits that \`capstan audit verify\` named as the head.`;
  throw new AppError('USAGE', { problem });
}
