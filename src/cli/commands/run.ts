import { readFileSync } from 'node:fs';
import type { App } from '../../app.ts';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { packageVersion } from '../../config/package-version.ts';
import { findPlaces, makePlaces } from '../../config/places.ts';
import type { LoadedSettings } from '../../config/settings.ts';
import type { RunDocument } from '../../coordinator/run-document.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import { AppError, failedWith, messageOf } from '../../errors.ts';
import { brokenRunDocument } from '../broken-run-document.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { formatBytes, formatCost, formatDuration } from '../format.ts';
import { createRunView } from '../run-view.ts';
import { createStyle } from '../style.ts';
import { createTerminalApprover } from '../terminal-approver.ts';
import { watchSignals } from '../watch-signals.ts';

export const command: CommandDefinition = {
  name: 'run',
  summary: 'Carry out one task and end with its answer',
  arguments: '<task...>',
  options: [
    { flags: '-w, --workspace <dir>', description: 'folder to work in (default: the current one)' },
    { flags: '--provider <name>', description: 'offline, openai, anthropic, gemini or ollama' },
    { flags: '--model <name>', description: "the provider's model, for every kind of call" },
    { flags: '--capsule <id>', description: 'give the whole task to this capsule' },
    {
      flags: '--approve-mode <mode>',
      description: 'ask (default), allow or deny what would be asked',
    },
    {
      flags: '--budget-usd <amount>',
      description: 'most that the run may spend; naming it is the consent',
    },
    { flags: '--timeout <seconds>', description: 'longest time of the run' },
    { flags: '--json', description: 'print one JSON document instead of the answer' },
    { flags: '-q, --quiet', description: 'no progress on stderr' },
    {
      flags: '--trust-project',
      description: "use this project's Capstan files as they are now (for CI)",
    },
  ],
  examples: [
    'capstan run "Count the lines of every .md file in docs and save the table as lines.csv"',
    'capstan run --json --approve-mode deny --timeout 120 "Summarize README.md in five sentences"',
    'capstan run --capsule sql-analyst "How many orders has each country in shop.db?"',
    'echo "List the largest files" | capstan run -',
  ],
  run: async (args, io) => {
    const isJson = args.options['json'] === true;
    try {
      return await runTask(args, io, isJson);
    } catch (error) {
      const runId = failedWith(error, 'SETTINGS_INVALID') ? await keepRefusal(args, io, error) : '';
      const document = brokenRunDocument(error, runId);
      if (isJson) io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
      else io.stderr(`capstan: ${messageOf(error)}\n`);
      return exitCodeOf(document as Pick<RunRecord, 'status' | 'reason'>, { isLate: false });
    }
  },
};

/** A run that bad settings refuse has a row, too, where the database can be opened at all. Returns its id, or ''. */
async function keepRefusal(args: CommandArguments, io: CommandIo, error: unknown): Promise<string> {
  try {
    const { openStores } = await import('../../coordinator/open-stores.ts');
    const { recordRefusal } = await import('../../coordinator/record-refusal.ts');
    const places = findPlaces(io.environment, io.cwd);
    makePlaces(places);
    const stores = openStores(places.stateDir);
    try {
      return recordRefusal(stores, { task: taskOf(args), workspace: io.cwd }, error).id;
    } finally {
      stores.close();
    }
  } catch {
    return '';
  }
}

async function runTask(args: CommandArguments, io: CommandIo, isJson: boolean): Promise<number> {
  const task = taskOf(args);
  const loaded = await loadSettings({
    flags: args.options,
    environment: io.environment,
    cwd: io.cwd,
    installFolder: installFolder(),
  });
  const style = createStyle(io.environment, Boolean(process.stderr.isTTY));
  const tell = args.options['quiet'] === true ? () => {} : io.stderr;
  const { openApp } = await import('../../app.ts');
  const app = await openApp({
    settings: loaded.settings,
    project: loaded.project,
    ...(io.isTerminal && !isJson ? { approver: createTerminalApprover(io, style) } : {}),
  });
  try {
    app.events.listen(createRunView(tell, style));
    introduce(loaded, app, (text) => tell(`${style.dim(text)}\n`));
    const { document, exitCode } = await carryOut(args, task, app, loaded);
    if (isJson) io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
    else conclude(document, io, tell);
    return exitCode;
  } finally {
    await app.close();
  }
}

async function carryOut(
  { options }: CommandArguments,
  task: string,
  app: App,
  { settings }: LoadedSettings,
): Promise<{ document: RunDocument; exitCode: number }> {
  const watch = watchSignals(settings.runTimeoutMs, app.killNow);
  try {
    const capsule = options['capsule'];
    const run = await app.startRun({
      task,
      signal: watch.signal,
      ...(typeof capsule === 'string' ? { namedCapsule: capsule } : {}),
    });
    const exitCode = exitCodeOf(run, { signal: watch.received(), isLate: watch.isLate() });
    return { document: app.documentOf(run), exitCode };
  } finally {
    watch.stop();
  }
}

function introduce(
  { notices, settings }: LoadedSettings,
  app: App,
  say: (text: string) => void,
): void {
  const { name, why } = app.provider;
  const provider = name === 'offline' ? 'offline (no language model)' : name;
  say(`capstan ${packageVersion()} · ${provider}, ${why} · isolation ${app.isolation}`);
  say(`workspace ${settings.workspace}`);
  for (const notice of [...notices, ...app.notices]) say(`! ${notice}`);
}

function conclude(document: RunDocument, io: CommandIo, tell: (text: string) => void): void {
  const outcome = document.reason ? `${document.status} (${document.reason})` : document.status;
  const calls = document.usage.input_tokens + document.usage.output_tokens;
  const tokens = calls > 0 ? ` · ${calls} tokens` : '';
  tell(
    `\n${outcome} in ${formatDuration(document.duration_ms)} · ${formatCost(document.cost_usd)}${tokens}\n`,
  );
  for (const { path, bytes } of document.artifacts) tell(`wrote ${path} (${formatBytes(bytes)})\n`);
  if (document.error) tell(`${document.error.code}: ${document.error.message}\n`);
  tell('\n');
  if (document.answer) io.stdout(`${document.answer.trimEnd()}\n`);
}

function taskOf({ positionals }: CommandArguments): string {
  const words = positionals.join(' ').trim();
  const task = words === '-' ? readFileSync(0, 'utf8').trim() : words;
  if (task === '')
    throw new AppError('USAGE', {
      problem: 'There is no task. Say what is to be done: capstan run "…"',
    });
  if (task.length > 100_000) {
    throw new AppError('USAGE', {
      problem: `The task has ${task.length} characters; 100,000 are allowed. Put the material into a file and name it.`,
    });
  }
  return task;
}
