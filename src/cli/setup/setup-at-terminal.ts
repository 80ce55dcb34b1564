import { isatty } from 'node:tty';
import type { Capstan } from '../../app/open-capstan.ts';
import type { CommandIo } from '../command.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { endOnSignal } from '../io/watch-signals.ts';
import { createStyle, type Style } from '../style.ts';
import { openRawTerminal } from './raw-terminal.ts';
import { runSetup } from './run-setup.ts';
import { SetupLeft, type SetupLine, type SetupSurface } from './setup-surface.ts';
import { done } from './setup-words.ts';

/** Asks for everything line by line. @returns The exit code. @throws SignalReceived */
export async function setupAtTerminal(capstan: Capstan, io: CommandIo): Promise<number> {
  const style = createStyle(io.environment, isatty(2));
  const signals = endOnSignal();
  const terminal = openRawTerminal(io);
  const orLeft = async <T>(work: Promise<T | 'leave'>): Promise<T> => {
    const result = await work;
    if (result === 'leave') throw new SetupLeft();
    return result;
  };
  const surface: SetupSurface = {
    print(lines) {
      for (const line of lines) io.stderr(lineText(line, style));
    },
    ask: (prompt) => orLeft(terminal.read(prompt)),
    // What is being written is not left halfway.
    during: (what, work) => (what === 'write' ? work : orLeft(Promise.race([work, terminal.left]))),
  };
  try {
    const outcome = await signals.orSignal(runSetup(capstan, surface, io));
    if (outcome === 'written')
      surface.print([done('Written. Try: capstan "What is in this folder?"')]);
    return outcome === 'left' ? exitCodes.interrupted : exitCodes.completed;
  } finally {
    terminal.close();
    signals.stop();
  }
}

const marks = { done: '✓', failed: '✗', notice: '!' } as const;

/** A line with its mark in colour, as it is printed. */
function lineText({ mark, text }: SetupLine, { green, red, yellow }: Style): string {
  if (mark === 'none') return `${text}\n`;
  const paint = { done: green, failed: red, notice: yellow }[mark];
  return `${paint(marks[mark])} ${text}\n`;
}
