import { createInterface } from 'node:readline';
import type { Capstan } from '../../app/open-capstan.ts';
import type { StartedRun } from '../../app/runs/start/started-run.ts';
import { failedWith } from '../../contract/errors.ts';
import { usage } from '../../contract/usage.ts';
import type { CommandIo } from '../command.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { printError } from '../errors/print-error.ts';
import { showOptionsOf } from '../run/show-options.ts';
import { openRunTerminal, presenceOf, type RunTerminal } from '../run/show-run.ts';
import { shortFolder } from '../text/short-folder.ts';
import { shortId } from '../text/short-id.ts';
import type { Opening } from './opening.ts';

/** The state of the conversation. */
interface Place {
  sessionId: string | undefined;
  /** The newest run that is parked: `/resume` continues it, and with a model the next line. */
  parked: { readonly id: string; readonly hasModel: boolean; readonly isOwn: boolean } | undefined;
}

type Listeners = RunTerminal['listeners'];

/**
 * The conversation without redrawing: whole lines, for screen readers and plain terminals. Returns the exit code: 0, or 3
 * if one of its runs is parked.
 */
export async function openPlainMenu(io: CommandIo, opening: Opening): Promise<number> {
  const { openCapstan } = await import('../../app/open-capstan.ts');
  const { environment: env, cwd } = io;
  const capstan = await openCapstan({ env, cwd: opening.calledIn ?? cwd, presence: () => true });
  const place: Place = { sessionId: opening.sessionId, parked: undefined };
  io.stderr(
    `Capstan in ${shortFolder(cwd, env)}. Type a task, /clear for a new session, or /quit.\n`,
  );
  try {
    await findParked(capstan, place);
    if (place.parked?.hasModel) io.stderr(STEERS);
    for (;;) {
      const line = await readLine(io);
      if (line === undefined || /^\/?(?:quit|exit)$/.test(line)) break;
      await perform(line, { capstan, io, place, settings: opening.settings }).catch((error) =>
        printError(io, error),
      );
    }
    return place.parked?.isOwn ? exitCodes.parked : exitCodes.completed;
  } finally {
    await capstan.close();
  }
}

/** The newest run of a session that is continued, if it is parked. */
async function findParked({ runs, sessions }: Capstan, place: Place): Promise<void> {
  if (place.sessionId === undefined) return;
  const newest = (await sessions.get(place.sessionId)).runs.at(-1);
  if (newest?.status !== 'parked') return;
  const { run } = await runs.get(newest.id);
  place.parked = { id: run.id, hasModel: run.provider !== 'offline', isOwn: false };
}

/** The next line that is not empty; undefined at the end of the input and after Ctrl-C. */
async function readLine({ input = process.stdin }: CommandIo): Promise<string | undefined> {
  const lines = createInterface({ input, output: process.stderr, prompt: '> ' });
  lines.on('SIGINT', () => lines.close());
  try {
    lines.prompt();
    for await (const line of lines) {
      if (line.trim() !== '') return line.trim();
      lines.prompt();
    }
    return undefined;
  } finally {
    lines.close();
  }
}

interface PlainParts {
  readonly capstan: Capstan;
  readonly io: CommandIo;
  readonly place: Place;
  readonly settings: Opening['settings'];
}

async function perform(line: string, parts: PlainParts): Promise<void> {
  const { io, place } = parts;
  const [, command, words = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const start = (task: string) => showRun((listeners) => startTask(task, listeners, parts), parts);
  if (command === undefined)
    await (place.parked?.hasModel ? continueParked(line, parts) : start(line));
  else if (command === 'clear') {
    place.sessionId = undefined;
    place.parked = undefined;
  } else if (command === 'resume') await continueParked(words, parts);
  else if (command === 'new' && words !== '') await start(words);
  else
    io.stderr(
      `There is no /${command} here. Type a task, /new TASK, /resume, /clear or /quit. After /quit, \`capstan --help\` lists the commands.\n`,
    );
}

/** Continues the parked run. Words become a message to it. @throws AppError `USAGE` if no run is parked. */
async function continueParked(words: string, parts: PlainParts): Promise<void> {
  const { parked } = parts.place;
  const { runs } = parts.capstan;
  if (!parked) throw usage('No run is parked here. Type a task.');
  if (words !== '' && !parked.hasModel)
    throw usage(`Run ${shortId(parked.id)} has no model that reads words. Type /resume alone.`);
  try {
    if (words !== '') await runs.message(parked.id, words, { by: 'terminal' });
    await showRun((listeners) => runs.resume(parked.id, listeners), parts);
  } catch (error) {
    // It was cancelled or completed elsewhere: the next line is a task.
    if (failedWith(error, 'RUN_ENDED')) parts.place.parked = undefined;
    throw error;
  }
}

async function showRun(
  begin: (listeners: Listeners) => Promise<StartedRun>,
  { capstan, io, place }: PlainParts,
): Promise<void> {
  const shown = showOptionsOf({ plain: true }, io);
  const terminal = openRunTerminal(capstan, io, shown, presenceOf(io, shown));
  try {
    const run = await begin(terminal.listeners);
    place.sessionId = run.sessionId;
    await terminal.show(run);
    const isParked = (await run.finished).status === 'parked';
    const hasModel = run.provider.name !== 'offline';
    if (isParked) place.parked = { id: run.id, hasModel, isOwn: true };
    else if (place.parked?.id === run.id) place.parked = undefined;
    if (isParked) io.stderr(hasModel ? STEERS : STARTS);
  } finally {
    terminal.close();
  }
}

const STEERS = 'The next line continues it with your words. /new TASK starts a task.\n';
const STARTS = '/resume continues it. The next line is a new task.\n';

/** Starts a task in the session. */
const startTask = (
  task: string,
  listeners: Listeners,
  { capstan: { runs, sessions }, place, settings }: PlainParts,
): Promise<StartedRun> => {
  const options = { task, settings, besideParked: true, ...listeners };
  return place.sessionId === undefined
    ? runs.start(options)
    : sessions.continue(place.sessionId, options);
};
