import { join } from 'node:path';
import type { StandingRow, TrustStore } from '../../broker/questions/trust-store.ts';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Db } from '../../db/open-database.ts';
import { trustTiers, untilNextLevel } from '../../policy/trust.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';

const json = { flags: '--json', description: 'print JSON' };

export const command: CommandDefinition = {
  name: 'trust',
  summary: 'Show how far each capsule is trusted, and take trust back',
  options: [],
  examples: ['capstan trust show', 'capstan trust reset file-clerk'],
  subcommands: [
    {
      name: 'show',
      summary: 'Show how far capsules are trusted to write (tier 1) and to execute (tier 2)',
      arguments: '[capsule]',
      options: [json],
      examples: ['capstan trust show', 'capstan trust show file-clerk --json'],
      run: (args, io) => withTrust(args, io, show),
    },
    {
      name: 'reset',
      summary: 'Take the trust in a capsule back: it is asked about again like a new one',
      arguments: '<capsule>',
      options: [{ flags: '--tier <n>', description: 'of tier 1 or 2 only (default: both)' }, json],
      examples: ['capstan trust reset file-clerk', 'capstan trust reset command-runner --tier 2'],
      run: (args, io) => withTrust(args, io, reset),
    },
  ],
  run: async (_args, io) => {
    io.stderr('capstan trust: say show or reset (see `capstan trust --help`)\n');
    return exitCodes.usage;
  },
};

interface Here {
  readonly trust: TrustStore;
  readonly db: Db;
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

async function withTrust(
  args: CommandArguments,
  io: CommandIo,
  body: (here: Here) => number,
): Promise<number> {
  const { environment, cwd } = io;
  const { settings } = await loadSettings({ environment, cwd, installFolder: installFolder() });
  const { openDatabase } = await import('../../db/open-database.ts');
  const { createAudit } = await import('../../broker/audit/audit.ts');
  const { createTrustStore } = await import('../../broker/questions/trust-store.ts');
  const db = openDatabase(join(settings.places.stateDir, 'capstan.db'));
  try {
    return body({ trust: createTrustStore(db, createAudit(db)), db, args, io });
  } finally {
    db.close();
  }
}

function show({ trust, args, io }: Here): number {
  const [capsuleId] = args.positionals;
  const rows = trust.list(capsuleId);
  if (args.options['json'] === true) printJson(io, rows.map(documentOf));
  else if (rows.length === 0) io.stdout(nobody(capsuleId));
  else
    io.stdout(
      formatTable([
        ['capsule', 'tier', 'level', 'approved', 'denied', 'failures in a row', 'next'],
        ...rows.map(rowOf),
      ]),
    );
  return exitCodes.completed;
}

const nobody = (capsuleId: string | undefined): string =>
  capsuleId === undefined
    ? 'Every capsule is supervised: none has been approved or denied yet.\n'
    : `${escapeText(capsuleId)} is supervised: none of its intents has been approved or denied yet.\n`;

const words = { 1: '1 write', 2: '2 execute' } as const;

const rowOf = (row: StandingRow): readonly string[] => [
  escapeText(row.capsuleId),
  words[row.tier],
  row.level,
  String(row.approved),
  String(row.denied),
  String(row.failuresInARow),
  untilNextLevel(row) ?? '-',
];

const documentOf = ({
  capsuleId,
  tier,
  level,
  approved,
  denied,
  failuresInARow,
  changedAt,
}: StandingRow) => ({
  capsule_id: capsuleId,
  tier,
  level,
  approved,
  denied,
  failures_in_a_row: failuresInARow,
  changed_at: changedAt,
});

function reset({ trust, db, args, io }: Here): number {
  const capsuleId = args.positionals[0] ?? '';
  const tier = tierOf(args.options['tier']);
  const count = db
    .transaction(() => trust.reset(capsuleId, { actor: 'person:cli', ...(tier ? { tier } : {}) }))
    .immediate();
  if (args.options['json'] === true)
    io.stdout(`${JSON.stringify({ capsule_id: capsuleId, tier: tier ?? null, reset: count })}\n`);
  else if (count === 0) io.stdout(nobody(capsuleId));
  else
    io.stdout(`${escapeText(capsuleId)} is supervised again${tier ? ` in tier ${tier}` : ''}.\n`);
  return exitCodes.completed;
}

function tierOf(given: unknown): 1 | 2 | undefined {
  if (given === undefined) return undefined;
  const tier = trustTiers.find((one) => String(one) === String(given).trim());
  if (tier !== undefined) return tier;
  throw new AppError('USAGE', {
    problem: `--tier is "${escapeText(String(given))}". Write 1 (write) or 2 (execute).`,
  });
}
