import type { CommandIo } from '../../../command.ts';
import { writeOut } from '../../../io/process-output.ts';
import { exitCodeOfSignal, type StopSignal } from '../../../io/watch-signals.ts';
import { createStyle } from '../../../text/style.ts';
import type { Drawn, Frame } from '../../frame.ts';
import { isCtrl, type KeyInput } from '../../terminal/key.ts';
import { readKeys } from '../../terminal/read-keys.ts';
import { holdTerminal } from '../../terminal/restore-terminal.ts';
import { symbolsFor } from '../../terminal/symbols.ts';
import { openDrawLoop } from './draw-loop.tsx';

interface ScreenParts {
  readonly draw: () => Drawn;
  readonly onInput: (input: KeyInput) => void;
  readonly onSignal: (signal: StopSignal) => void;
  /** Called before the screen is drawn again for a person who can't see what was printed: after `fg`, and on Ctrl-L. */
  readonly onAgain: () => void;
  /** The descriptor to draw on: stderr (2) if stdout is not a terminal. Default: stdout (1). */
  readonly output?: 1 | 2;
}

/** Maximum width of prose and live lines, in columns. */
const MAX_WIDTH = 100;
/** Maximum height of the live area, in lines. */
const MAX_ROWS = 30;

/** The terminal while the program draws on it and reads its keys. */
export type HeldScreen = ReturnType<typeof holdScreen>;

/** Takes the terminal: draws on it, reads keys from stdin, stops on Ctrl-Z and continues with `fg`. Ctrl-L draws again. */
export function holdScreen(
  io: CommandIo,
  { draw, onInput, onSignal, onAgain, output = 1 }: ScreenParts,
) {
  const write = (text: string) => writeOut(output, text);
  const { stdin } = process;
  const stdout = output === 1 ? process.stdout : process.stderr;
  const terminal = holdTerminal(stdin, write);
  const isXtermJs = io.environment['TERM_PROGRAM'] === 'vscode';
  const loop = openDrawLoop({ terminal: stdout, stdin, write, draw, isXtermJs });
  const symbols = symbolsFor(io.environment);
  const style = createStyle(io.environment, true);
  const isReduced = io.environment['CAPSTAN_MOTION'] === 'reduced';
  let stopReading = () => {};
  let isOpen = true;

  const give = () => {
    stopReading();
    loop.hide();
    terminal.restore();
  };
  const take = () => {
    if (!isOpen) return;
    terminal.take();
    read();
    loop.show();
  };
  const again = (stop = () => {}) => {
    give();
    stop();
    // Runs when the process continues, or immediately if it can't be stopped.
    setTimeout(() => {
      onAgain();
      take();
    }, 10);
  };
  const read = () => {
    stopReading = readKeys(stdin, (input) => {
      if (isCtrl(input, 'z')) again(() => process.kill(0, 'SIGTSTP'));
      else if (isCtrl(input, 'l')) again();
      else onInput(input);
    });
  };
  const signals = Object.keys(exitCodeOfSignal) as StopSignal[];
  const listeners = signals.map((name) => ({ name, listener: () => onSignal(name) }));
  for (const { name, listener } of listeners) process.on(name, listener);
  read();

  return {
    loop,
    frame: (): Frame => ({
      columns: stdout.columns || 80,
      rows: Math.min((stdout.rows || 24) - 1, MAX_ROWS),
      width: Math.min((stdout.columns || 80) - 1, MAX_WIDTH),
      nowMs: performance.now(),
      symbols,
      style,
      isReduced,
    }),
    /** Gives the terminal to another program until the work is over. */
    async lend<T>(work: () => Promise<T>): Promise<T> {
      give();
      try {
        return await work();
      } finally {
        take();
      }
    },
    /** Writes a sequence that moves nothing: the bell. */
    signal: write,
    /** Restores the terminal. A second call does nothing. */
    close() {
      if (!isOpen) return;
      isOpen = false;
      stopReading();
      for (const { name, listener } of listeners) process.off(name, listener);
      loop.close();
      terminal.restore();
    },
  };
}
