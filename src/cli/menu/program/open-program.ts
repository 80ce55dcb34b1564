import { setTimeout as sleep } from 'node:timers/promises';
import { type Capstan, openCapstan } from '../../../app/open-capstan.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { exitCodeOfSignal, type StopSignal } from '../../io/watch-signals.ts';
import { shortFolder } from '../../text/short-folder.ts';
import { shortId } from '../../text/short-id.ts';
import type { Drawn, Frame } from '../frame.ts';
import { drawInput } from '../input/draw-input.ts';
import { nothingTyped } from '../input/edit.ts';
import type { Opening } from '../opening.ts';
import type { KeyInput } from '../terminal/key.ts';
import { readTypedLines } from '../terminal/read-keys.ts';
import { cutEnd, textWidth } from '../terminal/text-width.ts';
import { createMenu } from './create-menu.ts';
import type { LiveRun } from './runs/live-run.ts';
import { composeScreen } from './screen/compose-screen.ts';
import { type HeldScreen, holdScreen } from './screen/hold-screen.ts';
import { idleHint } from './screen/idle-hint.ts';

type OpenedMenu = ReturnType<typeof createMenu>;

/**
 * Runs the interactive program, a conversation in the current folder, until the person quits. Only for a terminal.
 *
 * @returns The exit code: 0, or 3 if it parked a run; 129, 130 or 143 after a signal.
 */
export async function openProgram(io: CommandIo, opening: Opening): Promise<number> {
  let menu: OpenedMenu | undefined;
  const early: KeyInput[] = [...readTypedLines()];
  const signals: StopSignal[] = [];
  const screen = holdScreen(io, {
    draw: () => menu?.draw() ?? firstFrame(screen.frame(), io),
    onInput: (input) => (menu ? menu.onInput(input) : void early.push(input)),
    onAgain: () => menu?.printAgain(),
    onSignal: (signal) => (menu ? menu.quit(signal) : void signals.push(signal)),
  });
  screen.loop.redrawNow();
  // Draws the first frame before the database is opened.
  await new Promise(setImmediate);
  const capstan = await openCapstan({
    env: io.environment,
    cwd: opening.calledIn ?? io.cwd,
    presence: () => true,
  });
  try {
    menu = createMenu({ io, screen, capstan }, opening);
    for (const input of early) menu.onInput(input);
    for (const signal of signals) menu.quit(signal);
    return await untilQuit(menu, { screen, io, capstan });
  } finally {
    menu?.close();
    screen.close();
    await capstan.close();
  }
}

/** The empty input line, drawn before anything is loaded. */
function firstFrame(frame: Frame, { cwd, environment }: CommandIo): Drawn {
  const hint = idleHint({ folder: shortFolder(cwd, environment) }, frame.symbols, frame.width - 2);
  const line = (room: Frame) => drawInput(nothingTyped, room);
  return composeScreen({ others: [], line, hint }, frame);
}

interface QuitParts {
  readonly screen: HeldScreen;
  readonly io: CommandIo;
  readonly capstan: Capstan;
}

async function untilQuit(menu: OpenedMenu, { screen, io, capstan }: QuitParts): Promise<number> {
  const signal = await menu.quitRequested;
  const left = await leaveRuns(menu.live(), {
    handOver: capstan.serving.handOver,
    whenForced: menu.forced,
    frame: screen.frame(),
  });
  screen.close();
  for (const line of left.lines) io.stdout(`${line}\n`);
  for (const { text } of menu.queued()) io.stdout(`${unstartedLine(text, screen.frame())}\n`);
  if (signal) return exitCodeOfSignal[signal];
  return left.isAnyParked ? exitCodes.parked : exitCodes.completed;
}

/** Time limit for parking, in milliseconds. Later, the next process that opens the database parks the runs. */
const PARK_MS = 8_000;

interface LeaveOptions {
  /** Marks a run, so that a running server continues it once it is parked. Resolves false if none will. */
  readonly handOver: (runId: string) => Promise<boolean>;
  /** Resolves when the person does not want to wait: capsules are then stopped immediately. */
  readonly whenForced: Promise<void>;
  readonly frame: Frame;
}

/**
 * Parks the runs of this process. A running server continues them. Followed runs of another process are not affected.
 *
 * @returns One line for each unfinished run: what to type next.
 */
async function leaveRuns(runs: readonly LiveRun[], { handOver, whenForced, frame }: LeaveOptions) {
  const handedOver = await handOverAll(runs, handOver);
  const over = new AbortController();
  for (const run of runs) run.interrupt();
  void whenForced.then(() => {
    for (const run of runs) run.interrupt({ now: true });
  });
  const waited = sleep(PARK_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([Promise.all(runs.map((run) => run.over)), waited]);
  over.abort();
  const left = runs.filter(isRunningOrParked);
  const placeOf = ({ id, isOwn }: LiveRun): Place =>
    handedOver.has(id) ? 'server' : isOwn ? 'parked' : 'elsewhere';
  return {
    lines: left.map((run) => leftLine(run, placeOf(run), frame)),
    isAnyParked: left.some((run) => placeOf(run) === 'parked'),
  };
}

async function handOverAll(
  runs: readonly LiveRun[],
  handOver: LeaveOptions['handOver'],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const { id, isOwn } of runs) {
    if (isOwn && (await handOver(id).catch(() => false))) taken.add(id);
  }
  return taken;
}

/** `– Not started: Fix the tests` */
const unstartedLine = (text: string, { symbols, width }: Frame): string =>
  cutEnd(
    `${symbols.skipped} Not started: ${escapeText(text.split('\n')[0] ?? '')}`,
    width,
    symbols,
  );

/** The state of a run after the program ends. */
type Place = 'parked' | 'server' | 'elsewhere';

const isRunningOrParked = ({ status }: LiveRun): boolean =>
  status === 'parked' || status === 'running';

/**
 * `‖ 3f9c0a12 is parked: Find out why the cart te…   capstan resume 3f9c0a12`, or
 * `✓ 51d0e3aa continues in serve: Summarise docs/   capstan runs follow 51d0e3aa`
 */
function leftLine({ id, task }: LiveRun, place: Place, { style, symbols, width }: Frame): string {
  const short = shortId(id);
  const isParked = place === 'parked';
  const where = place === 'server' ? 'continues in serve' : 'continues elsewhere';
  const head = isParked
    ? `${style.yellow(symbols.parked)} ${short} is parked: `
    : `${style.green(symbols.done)} ${short} ${where}: `;
  const tail = `   capstan ${isParked ? 'resume' : 'runs follow'} ${short}`;
  const room = Math.max(10, width - textWidth(head) - tail.length);
  return `${head}${cutEnd(escapeText(task.split('\n')[0] ?? ''), room, symbols)}${tail}`;
}
