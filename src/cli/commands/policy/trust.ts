import type { TrustLevel } from '../../../app/policy/trust/trust-api.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { commandGroup } from '../../help/command-group.ts';
import { choiceOption, standard } from '../../options/standard-options.ts';
import { headedTable } from '../../text/format.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

export const command = commandGroup('capstan policy trust', {
  topic: 'Trust',
  summary: 'Show and reset the trust in capsules',
  subcommands: [
    {
      name: 'show',
      summary: 'Show the trust in each capsule, per tier',
      arguments: '[capsule]',
      options: { ...standard.json },
      examples: ['capstan policy trust show', 'capstan policy trust show file-clerk --json'],
      run: withCapstan(show),
    },
    {
      name: 'reset',
      topic: 'Change',
      summary: 'Reset the trust in a capsule to supervised',
      arguments: '<capsule>',
      options: {
        '--tier <n>': 'tier 1 or 2 only (default: both)',
        ...standard.json,
      },
      examples: [
        'capstan policy trust reset file-clerk',
        'capstan policy trust reset command-runner --tier 2',
      ],
      run: withCapstan(reset),
    },
  ],
});

async function show({ capstan, args }: CommandContext): Promise<CommandResult> {
  const [capsuleId] = args.positionals;
  const rows = await capstan.trust.list(capsuleId);
  const head = ['capsule', 'tier', 'level', 'approved', 'denied', 'failures in a row', 'next'];
  return {
    json: rows.map(({ next: _, ...row }) => withDocumentKeys(row)),
    text: headedTable(head, rows.map(rowOf), noRowsText(capsuleId)),
  };
}

const noRowsText = (capsuleId: string | undefined): string =>
  capsuleId === undefined
    ? 'Every capsule is supervised: nothing was approved or denied yet.\n'
    : `${escapeText(capsuleId)} is supervised: none of its requests was approved or denied yet.\n`;

const rowOf = (row: TrustLevel): readonly string[] => [
  escapeText(row.capsuleId),
  row.tier === 1 ? '1 write' : '2 execute',
  row.level,
  String(row.approved),
  String(row.denied),
  String(row.failuresInARow),
  row.next === null ? '-' : `${row.next.approvals} more for ${row.next.level}`,
];

async function reset({ capstan, args, named }: CommandContext): Promise<CommandResult> {
  const tiers = '1 (write) or 2 (execute)';
  const given = choiceOption('--tier', args.options['tier'], ['1', '2'], tiers);
  const tier = given === undefined ? undefined : given === '1' ? 1 : 2;
  const count = await capstan.trust.reset(named, { tier, by: 'cli' });
  const where = tier ? ` in tier ${tier}` : '';
  return {
    json: { capsule_id: named, tier: tier ?? null, reset: count },
    text: count === 0 ? noRowsText(named) : `${escapeText(named)} is supervised again${where}.\n`,
  };
}
