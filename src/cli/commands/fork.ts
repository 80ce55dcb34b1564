import { realpathSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { redactorOfNames } from '../../app/wiring/known-secrets.ts';
import { findPlaces, makePlaces } from '../../config/places.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { findRun } from '../../coordinator/find-run.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import type { ExpectedEffects, FoundFile } from '../../history/fork/fork-point.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { confirm } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { isIsolationWaived, isolationFlags } from '../isolation-flags.ts';
import { settingsOfRun } from '../settings-of-run.ts';
import { showRun } from '../show-run.ts';

export const command: CommandDefinition = {
  name: 'fork',
  summary: 'Begin a new run with the history of another one up to a request, and go on from there',
  arguments: '<run>',
  options: [
    {
      flags: '--at <request>',
      description: 'the last request of the shared history: its number or its id (none: list them)',
    },
    { flags: '-w, --workspace <dir>', description: 'folder that the new run works in' },
    { flags: '--force', description: 'go on where files there are not what the history says' },
    ...isolationFlags,
    { flags: '--timeout <seconds>', description: 'longest time of the new run' },
    { flags: '--json', description: 'print one JSON document instead of the answer' },
    { flags: '-q, --quiet', description: 'no progress on stderr' },
  ],
  examples: [
    'capstan fork 0199',
    'capstan fork 0199 --at 7 --workspace ../copy',
    'capstan fork 0199 --at 7 --workspace . --force --json',
  ],
  async run(args, io) {
    const forked = await fork(args, io);
    if (!forked) return exitCodes.usage;
    const loaded = await settingsOfRun(forked, args.options, io);
    const isJson = args.options['json'] === true;
    const isQuiet = args.options['quiet'] === true;
    return showRun(
      loaded,
      { io, isJson, isQuiet, isIsolationWaived: isIsolationWaived(args.options) },
      (app, signal) => app.resumeRun(forked, signal),
    );
  },
};

/** Makes the new run, parked. Undefined where the requests were only listed. */
async function fork(args: CommandArguments, io: CommandIo): Promise<RunRecord | undefined> {
  const { openStores } = await import('../../coordinator/open-stores.ts');
  const places = findPlaces(io.environment, io.cwd);
  makePlaces(places);
  const stores = openStores(places.stateDir, { redactor: redactorOfNames(io.environment) });
  try {
    const run = findRun(stores.runs, args.positionals[0] ?? '');
    if (run.status === 'running' || run.status === 'pending') {
      throw new AppError('USAGE', { problem: `Run ${run.id} is still running.` });
    }
    if (args.options['at'] !== undefined) return await forkAt(stores, run, { args, io });
    listRequests(stores, run, io);
    return undefined;
  } finally {
    stores.close();
  }
}

function listRequests({ journal }: Stores, { id }: RunRecord, io: CommandIo): void {
  const rows = journal
    .intentsOf(id)
    .map(({ subtaskId, name, target, status }, index) => [
      String(index + 1),
      subtaskId || '-',
      name,
      escapeText(target),
      status,
    ]);
  io.stdout(formatTable([['at', 'subtask', 'request', 'target', 'status'], ...rows]));
  io.stderr('Say which of them is the last that the new run shares: --at <request>\n');
}

interface Asked {
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

async function forkAt(stores: Stores, run: RunRecord, { args, io }: Asked): Promise<RunRecord> {
  const { expectedEffects, findForkPoint, isAsExpected, lookAt } = await import(
    '../../history/fork/fork-point.ts'
  );
  const { forkRun } = await import('../../history/fork/fork-run.ts');
  const workspace = folderOf(args.options['workspace'], io);
  const point = findForkPoint(stores.journal.intentsOf(run.id), String(args.options['at']));
  const expected = expectedEffects(point, run, workspace);
  const found = await lookAt(expected.files);
  const wrong = found.filter((file) => !isAsExpected(file));
  const tell = args.options['quiet'] === true && wrong.length === 0 ? () => {} : io.stderr;
  tell(told(expected, found, workspace));
  if (wrong.length > 0 && args.options['force'] !== true && !(await mayGoOn(wrong, { args, io }))) {
    throw new AppError('FORK_FILES_DIFFER', { workspace, files: wrong.length });
  }
  const forked = forkRun(stores, { run, point, workspace, files: expected.files });
  tell(`run ${forked.id} goes on from request ${point.number} of run ${run.id}\n`);
  return forked;
}

function folderOf(given: unknown, io: CommandIo): string {
  const fail = (problem: string) => new AppError('USAGE', { problem });
  if (typeof given !== 'string') {
    throw fail(
      'Say where the new run works: --workspace <dir>. Its files are not rewound for you.',
    );
  }
  const path = resolve(io.cwd, given);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw fail(`--workspace is "${given}", which is no folder.`);
  }
  return realpathSync(path);
}

async function mayGoOn(wrong: readonly FoundFile[], { args, io }: Asked): Promise<boolean> {
  if (!io.isTerminal || args.options['json'] === true) return false;
  return confirm(`Go on, although ${wrong.length} of these files differ?`, io);
}

/** What the folder should show, and whether it does. */
function told({ others }: ExpectedEffects, found: readonly FoundFile[], workspace: string): string {
  if (found.length + others.length === 0) return 'The shared history changed nothing.\n';
  const files = found.map((file) => [
    verdictOf(file),
    relative(workspace, file.path),
    wanted(file),
  ]);
  const rest = others.map(({ name, target }) => ["can't be checked", `${name} ${target}`, '']);
  const rows = [...files, ...rest].map((row) => row.map((cell) => escapeText(cell)));
  return `Files are not rewound. What the shared history did, and ${workspace} should show:\n${formatTable(rows)}`;
}

function verdictOf({ sha256, found }: FoundFile): string {
  if (sha256 === null) return "can't be checked";
  if (sha256 === found) return 'as expected';
  if (found === 'absent') return 'missing';
  return 'differs';
}

const wanted = ({ sha256 }: FoundFile): string => {
  if (sha256 === null) return '';
  return sha256 === 'absent' ? 'no file' : `sha256 ${sha256}`;
};
