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
  let stopReading = () => {};
  let isOpen = true;
  /** The number of programs that have the terminal instead, and of shells. */
  let others = 0;

  const give = () => {
    others += 1;
    stopReading();
    loop.hide();
    terminal.restore();
  };
  const take = () => {
    others -= 1;
    if (others > 0 || !isOpen) return;
    terminal.take();
    read();
    loop.show();
  };
  const stop = () => {
    give();
    process.kill(0, 'SIGTSTP');
    // Runs when the process continues, or immediately if it can't be stopped.
    setTimeout(() => {
      onAgain();
      take();
    }, 10);
  };
  const drawAgain = () => {
    loop.hide();
    onAgain();
    loop.show();
  };
  const read = () => {
    stopReading = readKeys(stdin, (input) => {
      // Read together with the key that gave the terminal away.
      if (others > 0) return;
      if (isCtrl(input, 'z')) stop();
      else if (isCtrl(input, 'l')) drawAgain();
      else onInput(input);
    });
  };
  const signals = Object.keys(exitCodeOfSignal) as StopSignal[];
  const listeners = signals.map((name) => ({ name, listener: () => onSignal(name) }));
  for (const { name, listener } of listeners) process.on(name, listener);
  read();

  return {
    loop,
    frame: frameOf(stdout, io),
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

/** Returns the function that reads the size of the terminal for the next frame. */
function frameOf(
  terminal: Pick<NodeJS.WriteStream, 'columns' | 'rows'>,
  { environment }: CommandIo,
): () => Frame {
  const symbols = symbolsFor(environment);
  const style = createStyle(environment, true);
  const isReduced = environment['CAPSTAN_MOTION'] === 'reduced';
  return () => ({
    columns: terminal.columns || 80,
    rows: Math.min((terminal.rows || 24) - 1, MAX_ROWS),
    width: Math.min((terminal.columns || 80) - 1, MAX_WIDTH),
    nowMs: performance.now(),
    ...{ symbols, style, isReduced },
  });
}
