import type { TrustLevel } from '../../../app/trust/trust-api.ts';
import { AppError } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatTable } from '../../format.ts';
import { commandGroup } from '../../help/command-group.ts';
import { printJson, printJsonLine } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const command = commandGroup('capstan policy trust', {
  topic: 'Trust',
  brief: 'how much capsules may do unasked',
  summary: 'Show and reset the trust in capsules',
  subcommands: [
    {
      name: 'show',
      topic: 'Look',
      brief: 'the levels',
      summary: 'Show the trust in capsules to write (tier 1) and to execute (tier 2)',
      arguments: '[capsule]',
      options: [standard.json],
      examples: ['capstan policy trust show', 'capstan policy trust show file-clerk --json'],
      run: withCapstan(show),
    },
    {
      name: 'reset',
      topic: 'Change',
      brief: 'back to supervised',
      summary: 'Reset the trust in a capsule: it is supervised like a new one',
      arguments: '<capsule>',
      options: [
        { flags: '--tier <n>', description: 'tier 1 or 2 only (default: both)' },
        standard.json,
      ],
      examples: [
        'capstan policy trust reset file-clerk',
        'capstan policy trust reset command-runner --tier 2',
      ],
      run: withCapstan(reset),
    },
  ],
});

async function show({ capstan, args, io }: CommandContext): Promise<number> {
  const [capsuleId] = args.positionals;
  const rows = await capstan.trust.list(capsuleId);
  if (args.options['json'] === true) printJson(io, rows.map(documentOf));
  else if (rows.length === 0) io.stdout(noRowsText(capsuleId));
  else
    io.stdout(
      formatTable([
        ['capsule', 'tier', 'level', 'approved', 'denied', 'failures in a row', 'next'],
        ...rows.map(rowOf),
      ]),
    );
  return exitCodes.completed;
}

const noRowsText = (capsuleId: string | undefined): string =>
  capsuleId === undefined
    ? 'Every capsule is supervised: nothing was approved or denied yet.\n'
    : `${escapeText(capsuleId)} is supervised: none of its requests was approved or denied yet.\n`;

const words = { 1: '1 write', 2: '2 execute' } as const;

const rowOf = (row: TrustLevel): readonly string[] => [
  escapeText(row.capsuleId),
  words[row.tier],
  row.level,
  String(row.approved),
  String(row.denied),
  String(row.failuresInARow),
  row.next === null ? '-' : `${row.next.approvals} more for ${row.next.level}`,
];

const documentOf = ({
  capsuleId,
  tier,
  level,
  approved,
  denied,
  failuresInARow,
  changedAt,
}: TrustLevel) => ({
  capsule_id: capsuleId,
  tier,
  level,
  approved,
  denied,
  failures_in_a_row: failuresInARow,
  changed_at: changedAt,
});

async function reset({ capstan, args, io }: CommandContext): Promise<number> {
  const [capsuleId = ''] = args.positionals;
  const tier = tierOf(args.options['tier']);
  const count = await capstan.trust.reset(capsuleId, { tier, by: 'cli' });
  if (args.options['json'] === true)
    printJsonLine(io, { capsule_id: capsuleId, tier: tier ?? null, reset: count });
  else if (count === 0) io.stdout(noRowsText(capsuleId));
  else
    io.stdout(`${escapeText(capsuleId)} is supervised again${tier ? ` in tier ${tier}` : ''}.\n`);
  return exitCodes.completed;
}

function tierOf(given: unknown): 1 | 2 | undefined {
  if (given === undefined) return undefined;
  const text = String(given).trim();
  if (text === '1') return 1;
  if (text === '2') return 2;
  throw new AppError('USAGE', {
    problem: `--tier is "${escapeText(String(given))}". Write 1 (write) or 2 (execute).`,
  });
}
