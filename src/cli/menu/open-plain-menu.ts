import { createInterface } from 'node:readline';
import type { Capstan } from '../../app/open-capstan.ts';
import type { StartedRun } from '../../app/runs/start/started-run.ts';
import type { CommandIo } from '../command.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { printError } from '../errors/print-error.ts';
import { showOptionsOf } from '../run/show-options.ts';
import { openRunTerminal, presenceOf, type RunTerminal } from '../run/show-run.ts';
import { shortFolder } from '../text/short-folder.ts';
import type { Opening } from './opening.ts';

/** The state of the conversation. */
interface Place {
  sessionId: string | undefined;
  /** The newest run that is parked: `/resume` continues it. */
  parkedId: string | undefined;
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
  const place: Place = { sessionId: opening.sessionId, parkedId: undefined };
  io.stderr(
    `Capstan in ${shortFolder(cwd, env)}. Type a task, /clear for a new session, or /quit.\n`,
  );
  try {
    for (;;) {
      const line = await readLine(io);
      if (line === undefined || line === '/quit') break;
      await perform(line, { capstan, io, place, settings: opening.settings }).catch((error) =>
        printError(io, error),
      );
    }
    return place.parkedId === undefined ? exitCodes.completed : exitCodes.parked;
  } finally {
    await capstan.close();
  }
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
  if (line === '/clear') {
    place.sessionId = undefined;
    place.parkedId = undefined;
  } else if (line === '/resume' && place.parkedId !== undefined) {
    const { parkedId } = place;
    await showRun((listeners) => parts.capstan.runs.resume(parkedId, listeners), parts);
  } else if (line.startsWith('/')) {
    io.stderr(
      `There is no ${line.split(' ')[0]} here. Type a task, /clear or /quit. After /quit, \`capstan --help\` lists the commands.\n`,
    );
  } else await showRun((listeners) => startTask(line, listeners, parts), parts);
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
    if (isParked) place.parkedId = run.id;
    else if (place.parkedId === run.id) place.parkedId = undefined;
    if (isParked) io.stderr('/resume continues it. The next line is a new task.\n');
  } finally {
    terminal.close();
  }
}

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
