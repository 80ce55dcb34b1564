import { type Capstan, openCapstan } from '../../../app/open-capstan.ts';
import type { CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { exitCodeOfSignal, type StopSignal } from '../../io/watch-signals.ts';
import { shortFolder } from '../../text/short-folder.ts';
import type { Drawn, Frame } from '../frame.ts';
import { drawInput } from '../input/draw-input.ts';
import { nothingTyped } from '../input/edit.ts';
import type { KeyInput } from '../terminal/key.ts';
import { createMenu } from './create-menu.ts';
import { leaveRuns } from './runs/leave-runs.ts';
import { composeScreen } from './screen/compose-screen.ts';
import { type HeldScreen, holdScreen } from './screen/hold-screen.ts';
import { idleHint } from './screen/idle-hint.ts';

type OpenedMenu = ReturnType<typeof createMenu>;

/**
 * Runs the interactive program, a conversation in the current folder, until the person quits. Only for a terminal.
 *
 * @returns The exit code: 0, or 3 if it parked a run; 129, 130 or 143 after a signal.
 */
export async function openProgram(io: CommandIo): Promise<number> {
  let menu: OpenedMenu | undefined;
  const early: KeyInput[] = [];
  const signals: StopSignal[] = [];
  const screen = holdScreen(io, {
    draw: () => menu?.draw() ?? firstFrame(screen.frame(), io),
    onInput: (input) => (menu ? menu.onInput(input) : void early.push(input)),
    onSignal: (signal) => (menu ? menu.quit(signal) : void signals.push(signal)),
  });
  screen.loop.redrawNow();
  // Draws the first frame before the database is opened.
  await new Promise(setImmediate);
  const capstan = await openCapstan({
    env: io.environment,
    cwd: io.cwd,
    presence: () => true,
  });
  try {
    menu = createMenu({ io, screen, capstan });
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
  const hint = idleHint({ folder: shortFolder(cwd, environment) }, frame.symbols);
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
  if (signal) return exitCodeOfSignal[signal];
  return left.isAnyParked ? exitCodes.parked : exitCodes.completed;
}
