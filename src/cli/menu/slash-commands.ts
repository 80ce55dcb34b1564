import { escapeText } from '../../contract/text/escape-text.ts';
import { usage } from '../../contract/usage.ts';
import { planText, questionOf, resultText } from '../commands/changes/runs-undo.ts';
import { folderText } from '../text/short-folder.ts';
import { shortId } from '../text/short-id.ts';
import { shorten } from '../text/shorten.ts';
import { printCost } from './commands/print-cost.ts';
import { printDiff } from './commands/print-diff.ts';
import { wrapProse } from './draw/wrap-prose.ts';
import type { MenuContext } from './program/create-context.ts';
import { cutEnd } from './terminal/text-width.ts';
import { openApprovals } from './views/open-approvals.ts';
import { openCapsules } from './views/open-capsules.ts';
import { openDoctor } from './views/open-doctor.ts';
import { openModels, takeNamedModel } from './views/open-models.ts';
import { openRuns } from './views/open-runs.ts';
import { openSessions } from './views/open-sessions.ts';
import { openSetup } from './views/open-setup.ts';
import { openText } from './views/open-text.ts';

/** A command of the conversation. `/name words` calls `run` with `words`; completion and `/help` list the table. */
interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** `[file]`, `<task>`. Default: none. */
  readonly arguments?: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Thrown errors are printed. */
  run(context: MenuContext, words: string): void | Promise<void>;
}

/** Every command of the conversation, in the order in which `/` lists them. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: 'model',
    arguments: '[name]',
    summary: 'choose the model of this conversation',
    run: (context, words) => (words === '' ? openModels(context) : takeNamedModel(context, words)),
  },
  {
    name: 'sessions',
    summary: 'continue an earlier conversation',
    run: openSessions,
  },
  {
    name: 'approvals',
    summary: 'answer the open questions of every run',
    run: openApprovals,
  },
  {
    name: 'runs',
    summary: 'follow, resume or cancel runs',
    run: openRuns,
  },
  {
    name: 'capsules',
    summary: 'inspect, edit and check capsules',
    run: openCapsules,
  },
  {
    name: 'new',
    arguments: '<task>',
    summary: 'start a task now, beside the one that works',
    run: ({ conversation }, words) => conversation.start(taskAfter('/new', words)),
  },
  {
    name: 'resume',
    arguments: '[words]',
    summary: 'continue the parked run, with words as a message',
    run: ({ conversation }, words) => conversation.resumeNewest(words),
  },
  {
    name: 'plan',
    arguments: '<task>',
    summary: 'show the plan of a task before it starts',
    run: ({ conversation }, words) =>
      conversation.start(taskAfter('/plan', words), { planFirst: true }),
  },
  {
    name: 'diff',
    arguments: '[file]',
    summary: 'show the latest changes',
    run: async (context, words) => {
      const runId = await runOfConversation(context);
      await printDiff(context, words === '' ? { runId } : { runId, file: words });
    },
  },
  {
    name: 'undo',
    arguments: '[run]',
    summary: 'undo the latest changes (asks); again: those before',
    run: undoNamed,
  },
  {
    name: 'redo',
    arguments: '[run]',
    summary: 'take the latest /undo back (asks)',
    run: redoNamed,
  },
  {
    name: 'cost',
    summary: 'show the cost of this conversation and of today',
    run: printCost,
  },
  {
    name: 'setup',
    summary: 'choose a provider and store its key',
    run: async (context) => void (await openSetup(context)),
  },
  {
    name: 'settings',
    summary: 'show the settings and their sources',
    run: printSettings,
  },
  {
    name: 'doctor',
    summary: 'check this machine and list what is missing',
    run: openDoctor,
  },
  {
    name: 'clear',
    summary: 'start a new session; a parked run stays parked',
    run: ({ conversation }) => conversation.clear(),
  },
  { name: 'help', summary: 'list the commands and keys', run: openHelp },
  { name: 'quit', summary: 'leave Capstan', run: ({ quit }) => quit() },
];

/** @throws AppError `USAGE` if there is none. */
function taskAfter(command: string, words: string): string {
  if (words !== '') return words;
  throw usage(`The task is missing. Type it after the command: ${command} Fix the tests`);
}

function openHelp(context: MenuContext): void {
  const commands = slashCommands.map(
    ({ name, arguments: words = '', summary }) => [`/${name} ${words}`.trim(), summary] as const,
  );
  const marks = [['?', 'in an empty line: the keys'] as const, ['@', 'name a file'] as const];
  openText(context, [...commands, ...marks]);
}

/** Maximum number of runs checked for changes. */
const MAX_RUNS = 20;

/**
 * Returns the newest run of the conversation that changed files, or its newest run if none did. A question that was asked
 * after a change does not hide it from `/diff`.
 *
 * @throws AppError `USAGE` if it has no run.
 */
async function runOfConversation(context: MenuContext): Promise<string> {
  const runs = await newestRuns(context);
  for (const { id } of runs) {
    if ((await context.capstan.runs.diff(id)).files.length > 0) return id;
  }
  return runs[0].id;
}

/** @throws AppError `USAGE` if there is none. */
async function newestRuns({ conversation, capstan }: MenuContext) {
  const session = conversation.sessionId();
  const { runs } = session === undefined ? { runs: [] } : await capstan.sessions.get(session);
  const [newest, ...others] = runs.slice(-MAX_RUNS).reverse();
  if (!newest) throw usage('This conversation has no run yet. /runs lists earlier ones.');
  return [newest, ...others] as const;
}

/**
 * Undoes the newest run of the conversation whose changes are in force, or the named one: lists the steps, asks, and
 * performs them. If they can't be undone, it says why, and never goes on to an older run by itself.
 */
async function undoNamed(context: MenuContext, words: string): Promise<void> {
  const runs = await newestRuns(context);
  const named = namedRun(runs, words);
  const run = named ?? (await firstInForce(context, runs));
  if (run === undefined) return say(context, 'Nothing is left to undo in this conversation.');
  if (await undoRun(context, run, { isNewest: !named && run === runs[0] })) return;
  const older = await firstInForce(context, runs.slice(runs.indexOf(run) + 1));
  if (older) say(context, `An older task: /undo ${shortId(older.id)} (${titleOf(older)})`);
}

type ListedRun = Awaited<ReturnType<typeof newestRuns>>[number];

/** Redoes the named run, or the one that was undone last. */
async function redoNamed(context: MenuContext, words: string): Promise<void> {
  const runs = await newestRuns(context);
  const run = namedRun(runs, words) ?? (await lastUndone(context, runs));
  if (run) await undoRun(context, run, { redo: true });
  else say(context, 'Nothing is left to redo in this conversation.');
}

/** Undefined: none of the runs is undone. */
async function lastUndone({ capstan }: MenuContext, runs: readonly ListedRun[]) {
  let last: { readonly run: ListedRun; readonly at: string } | undefined;
  for (const run of runs) {
    const { files } = await capstan.runs.diff(run.id);
    for (const { now, undone_at: at } of files)
      if (now === 'undone' && at && at > (last?.at ?? '')) last = { run, at };
  }
  return last?.run;
}

/** Undefined: none is named. @throws AppError `USAGE` if there is none of that name. */
function namedRun(runs: readonly ListedRun[], words: string): ListedRun | undefined {
  const named = runs.find(({ id }) => words === id || words === shortId(id));
  if (words === '' || named) return named;
  throw usage(`This conversation has no run "${words}".`);
}

/** The newest of the runs with changes that were not undone, or whose changes are not known. */
async function firstInForce({ capstan }: MenuContext, runs: readonly ListedRun[]) {
  for (const run of runs) {
    const { files, gaps } = await capstan.runs.diff(run.id);
    if (files.some(({ now }) => now !== 'undone')) return run;
    if (files.length === 0 && gaps.length > 0) return run;
  }
  return undefined;
}

/** The task of a run and, if there is one, the last message to it. */
function titleOf({ task, messages }: ListedRun): string {
  const [first, said] = [task, ...messages.slice(-1)].map((text) =>
    shorten(escapeText(text.replace(/\s+/g, ' ')), MAX_TITLE_CHARS),
  );
  return said === undefined ? `${first}` : `${first}; then you said: ${said}`;
}

/** Longest text of a task whose changes are undone, or of a message to it, in characters. */
const MAX_TITLE_CHARS = 70;

/** Prints an indented text that wraps at words, but not where columns are: the rest of a row could look like another row. */
function say({ frame, print }: MenuContext, text: string): void {
  const { width } = frame();
  const lines = text
    .split('\n')
    .flatMap((line) => (/\s{2}/.test(line) ? line : wrapProse(line, width - 2)));
  print(lines.map((line) => `  ${line}`).join('\n'));
}

/** False if there is nothing that can be undone, or redone. */
async function undoRun(
  context: MenuContext,
  run: ListedRun,
  { isNewest = false, redo = false },
): Promise<boolean> {
  const { capstan, frame, print, confirm } = context;
  const result = await capstan.runs.undo(run.id, {
    by: 'terminal',
    redo,
    confirm: (plan) => {
      say(context, `Changes of: ${titleOf(run)}\n${planText(plan).trimEnd()}`);
      return confirm(questionOf(plan));
    },
  });
  const isPossible = result.status !== 'nothing';
  const isUnknown = result.left_out.length === 0 && result.gaps.length > 0;
  if (!isPossible)
    say(
      context,
      isNewest && isUnknown
        ? "The newest task can't be undone: its files were not compared"
        : `Cannot be ${redo ? 'redone' : 'undone'}: ${titleOf(run)}`,
    );
  say(context, resultText(result).trimEnd());
  if (!redo && result.done.length > 0) print(frame().style.dim('  /redo takes it back'));
  return isPossible;
}

/** Layers that are not listed. The only flag is the folder of the conversation. */
const hiddenLayers: ReadonlySet<string> = new Set(['default', 'flag']);

/** `/settings`: the settings, their sources and the file to edit. Keys are masked already. */
async function printSettings({ capstan, workspace, io, frame, print }: MenuContext) {
  const { values, places } = await capstan.settings.get({ workspace });
  const { symbols, style, width } = frame();
  const shown = values.filter(({ layer, value }) => !hiddenLayers.has(layer) && value !== null);
  const nameWidth = Math.max(0, ...shown.map(({ name }) => name.length));
  const rows = shown.map(({ name, value, layer, source }) => {
    const from = layer === 'environment' ? 'environment' : escapeText(source);
    const row = `  ${name.padEnd(nameWidth)}  ${escapeText(value ?? '')}${symbols.separator}${from}`;
    return cutEnd(row, width, symbols);
  });
  const file = folderText(`${places.configDir}/config.yaml`, io.environment['HOME']);
  print(
    [
      ...(rows.length > 0 ? rows : ['  Every setting has its default value.']),
      `  Yours are in ${file}`,
      style.dim('  capstan config show --all lists every setting'),
    ].join('\n'),
  );
}
