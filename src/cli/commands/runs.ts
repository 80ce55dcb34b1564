import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { findRun } from '../../coordinator/find-run.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import { eventFile } from '../../events/event-log.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { confirm } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatCost, formatTable } from '../format.ts';
import { outcomeText } from '../outcome-text.ts';
import { printJson } from '../print-json.ts';
import { shorten } from '../shorten.ts';
import { type WithStores, withStores } from '../with-stores.ts';
import { runsCancel } from './runs-cancel.ts';
import { runsDiff } from './runs-diff.ts';
import { runsExport } from './runs-export.ts';
import { runsFollow } from './runs-follow.ts';
import { showRunRecord } from './runs-show.ts';
import { runsUndo } from './runs-undo.ts';

const MOST_RUNS = 100_000;

const json = { flags: '--json', description: 'print JSON' };

export const command: CommandDefinition = {
  name: 'runs',
  summary: 'Show, follow, cancel and delete runs',
  options: [],
  examples: ['capstan runs list', 'capstan runs follow last', 'capstan runs prune --dry-run'],
  subcommands: [
    {
      name: 'list',
      summary: 'List runs, newest first',
      options: [
        { flags: '-n, --limit <count>', description: 'most runs to list (default: 20)' },
        { flags: '-w, --workspace <dir>', description: 'only runs that worked in this folder' },
        json,
      ],
      examples: ['capstan runs list --limit 5', 'capstan runs list --workspace . --json'],
      run: (args, io) => withStores(args, io, list),
    },
    {
      name: 'show',
      summary:
        'Show one run: who took part and how they fared, what was changed and who agreed, and its answer',
      arguments: '<run>',
      options: [{ flags: '--full', description: 'every difference to its last line' }, json],
      examples: [
        'capstan runs show 0199',
        'capstan runs show 0199 --full',
        'capstan runs show 0199 --json',
      ],
      run: (args, io) => withStores(args, io, showRunRecord),
    },
    {
      name: 'logs',
      summary: 'Print the events of one run, one JSON document a line',
      arguments: '<run>',
      options: [{ flags: '--json', description: 'print one JSON list instead of lines' }],
      examples: ['capstan runs logs 0199'],
      run: (args, io) => withStores(args, io, logs),
    },
    runsFollow,
    runsCancel,
    runsExport,
    runsDiff,
    runsUndo,
    {
      name: 'delete',
      summary: 'Delete runs with their journal and logs; the files that they wrote stay',
      arguments: '<run...>',
      options: [{ flags: '-y, --yes', description: 'do not ask' }, json],
      examples: ['capstan runs delete 0199 --yes'],
      run: (args, io) => withStores(args, io, remove),
    },
    {
      name: 'prune',
      summary: 'Delete ended runs that are older, or take more room, than the settings keep',
      options: [{ flags: '--dry-run', description: 'only say what would be deleted' }, json],
      examples: ['capstan runs prune --dry-run', 'CAPSTAN_RUNS_KEEP_DAYS=7 capstan runs prune'],
      run: (args, io) => withStores(args, io, prune),
    },
  ],
  run: async (_args, io) => {
    io.stderr(
      'capstan runs: say list, show, logs, follow, cancel, diff, undo, export, delete or prune (see `capstan runs --help`)\n',
    );
    return exitCodes.usage;
  },
};

function list({ stores, args, io }: WithStores): number {
  const limit = Number(args.options['limit'] ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
    const problem = `--limit is "${args.options['limit']}"; it must be a whole number from 1 to 10000.`;
    throw new AppError('USAGE', { problem });
  }
  const runs = runsOf(stores, limit, folderOf(args, io));
  if (args.options['json'] === true) {
    printJson(
      io,
      runs.map((run) => summaryOf(stores, run)),
    );
  } else if (runs.length === 0) {
    io.stdout('There are no runs yet.\n');
  } else {
    io.stdout(
      formatTable([
        ['run', 'began', 'status', 'cost', 'task'],
        ...runs.map((run) => rowOf(stores, run)),
      ]),
    );
  }
  return exitCodes.completed;
}

/** The folder that only is asked about; undefined: all. One that is gone may have had runs, too. */
function folderOf({ options }: CommandArguments, { cwd }: CommandIo): string | undefined {
  const { workspace } = options;
  if (typeof workspace !== 'string') return undefined;
  const path = resolve(cwd, workspace);
  return existsSync(path) ? realpathSync(path) : path;
}

function runsOf({ runs }: Stores, limit: number, workspace: string | undefined) {
  if (workspace === undefined) return runs.list({ limit });
  return runs
    .list({ limit: MOST_RUNS })
    .filter((run) => run.workspace === workspace)
    .slice(0, limit);
}

const summaryOf = ({ runs }: Stores, run: RunRecord) => ({
  run_id: run.id,
  status: run.status,
  reason: run.reason,
  task: run.task,
  workspace: run.workspace,
  provider: run.provider,
  created_at: run.createdAt,
  ended_at: run.endedAt,
  cost_usd: runs.costOf(run.id).costMicroUsd / 1e6,
});

const rowOf = ({ runs, approvals }: Stores, run: RunRecord): string[] => [
  run.id,
  run.createdAt.slice(0, 16).replace('T', ' '),
  outcomeText(run, approvals.of(run.id).filter(({ status }) => status === 'pending').length),
  formatCost(runs.costOf(run.id).costMicroUsd / 1e6),
  shorten(run.task, 60),
];

async function logs({ stores, settings, args, io }: WithStores): Promise<number> {
  const run = findRun(stores.runs, args.positionals[0] ?? '');
  const path = eventFile(settings.places.stateDir, run.id);
  const lines = await readFile(path, 'utf8').catch((cause: unknown) => {
    const problem = `The log of run ${run.id} can't be read: ${path}`;
    throw new AppError('USAGE', { problem }, { cause });
  });
  if (args.options['json'] === true) printJson(io, lines.split('\n').flatMap(eventOf));
  else io.stdout(io.isOutputTerminal ? escapeText(lines, true) : lines);
  return exitCodes.completed;
}

/** A line that was cut off with its process is left out. */
function eventOf(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}

async function remove({ stores, settings, args, io }: WithStores): Promise<number> {
  const found = args.positionals.map((id) => findRun(stores.runs, id));
  const busy = found.find(({ status }) => status === 'running' || status === 'pending');
  if (busy) throw new AppError('USAGE', { problem: `Run ${busy.id} is still running.` });
  const what = `${found.length} ${found.length === 1 ? 'run' : 'runs'}`;
  if (args.options['yes'] !== true && !(await confirm(`Delete ${what}?`, io))) {
    io.stderr('Nothing was deleted.\n');
    return exitCodes.failed;
  }
  await deleteAll(found, { stores, settings });
  if (args.options['json'] === true) printJson(io, { deleted: found.map(({ id }) => id) });
  else io.stdout(`Deleted ${what}.\n`);
  return exitCodes.completed;
}

async function prune({ stores, settings, args, io }: WithStores): Promise<number> {
  const ended = stores.runs.list({ limit: MOST_RUNS }).filter(({ endedAt }) => endedAt !== null);
  const doomed = beyondKeeping(ended, stores, settings);
  const isDry = args.options['dryRun'] === true;
  if (!isDry) await deleteAll(doomed, { stores, settings });
  if (args.options['json'] === true) {
    const ids = doomed.map(({ id }) => id);
    printJson(io, { dry_run: isDry, deleted: isDry ? [] : ids, would_delete: isDry ? ids : [] });
  } else {
    io.stdout(
      `${isDry ? 'Would delete' : 'Deleted'} ${doomed.length} of ${ended.length} ended runs.\n`,
    );
  }
  return exitCodes.completed;
}

async function deleteAll(
  runs: readonly RunRecord[],
  { stores, settings }: Pick<WithStores, 'stores' | 'settings'>,
): Promise<void> {
  const { deleteRun } = await import('../../coordinator/delete-run.ts');
  for (const run of runs) deleteRun(stores, settings.places, { run, actor: 'person:cli' });
}

/** Of runs, newest first, those that are older or take more room than the settings keep. */
function beyondKeeping(
  ended: readonly RunRecord[],
  stores: Stores,
  { retention, places }: Settings,
): readonly RunRecord[] {
  const oldest = stores.now().getTime() - retention.keepMs;
  let bytes = 0;
  return ended.filter(({ id, createdAt }) => {
    bytes += sizeOf(eventFile(places.stateDir, id)) + stores.runs.bytesOf(id);
    return bytes > retention.keepBytes || Date.parse(createdAt) < oldest;
  });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
