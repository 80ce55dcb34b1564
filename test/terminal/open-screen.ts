import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import type { TerminalPicture } from '../../scripts/pages/terminal-picture.ts';
import { shareCache } from '../runner/share-cache.ts';
import { screenLines } from './screen-lines.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

/** Longest wait for the screen, in milliseconds: CI machines stall. */
const DEADLINE_MS = 30_000;

/** Around each frame of Ink. */
const FRAME_BEGINS = '\u001b[?2026h';
const FRAME_ENDS = '\u001b[?2026l';

export interface ScreenOptions {
  /** Arguments of `capstan`, or with `program` of that program. */
  readonly args?: readonly string[];
  /** Default: the built `capstan`. */
  readonly program?: string;
  readonly cwd: string;
  /** Added to PATH, LANG and TERM; nothing else of this process is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: 80. */
  readonly columns?: number;
  /** Default: 24. */
  readonly rows?: number;
}

/** A program in a pseudo-terminal, with the screen as a person sees it. */
export interface Screen {
  /** The visible lines without trailing spaces, without empty lines at the end. */
  text(): string;
  /** The same with everything that was scrolled out of sight. */
  allText(): string;
  /** The visible lines with their colours, or also those that were scrolled out of sight, for a picture. */
  styled(part?: 'visible' | 'all'): Omit<TerminalPicture, 'title'>;
  /** Everything that was written, escape sequences included. */
  written(): string;
  /** Sends keys or text as a terminal does: `\r` is Enter, `\x1b` is Esc. */
  type(keys: string): void;
  /** Sends text as a bracketed paste. */
  paste(text: string): void;
  /** Waits until a complete frame shows a text. @throws Error with the screen, after half a minute. */
  shows(wanted: string | RegExp): Promise<void>;
  /** Waits until no frame shows a text any more. */
  hides(unwanted: string | RegExp): Promise<void>;
  /** Waits until a text was written after a place in `written()`, also if the screen shows it only for a moment. */
  wrote(wanted: string, from: number): Promise<void>;
  resize(columns: number, rows: number): void;
  readonly pid: number;
  kill(signal?: string): void;
  /** Resolves with the exit code, or the number of the signal + 128. */
  readonly ended: Promise<number>;
}

/** Starts a program in a pseudo-terminal. The caller ends it: `kill('SIGKILL')` at the end of a test. */
export function openScreen(options: ScreenOptions): Screen {
  const { columns = 80, rows = 24, cwd, args = [], env = {} } = options;
  // Another program may be another build of Capstan, whose compiled code the built one would not load.
  if (!options.program && env['CAPSTAN_HOME'] !== undefined) shareCache(env['CAPSTAN_HOME']);
  const file = options.program ?? process.execPath;
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  const pty = spawn(file, [...(options.program ? [] : [launcher]), ...args], {
    cols: columns,
    rows,
    cwd,
    name: 'xterm-256color',
    env: {
      PATH: process.env['PATH'] ?? '',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...env,
    },
  });
  let written = '';
  let drawn = 0;
  pty.onData((data) => {
    written += data;
    terminal.write(data, () => {
      drawn += data.length;
    });
  });
  const isWhole = () =>
    drawn === written.length &&
    written.lastIndexOf(FRAME_ENDS) >= written.lastIndexOf(FRAME_BEGINS);
  // What a terminal answers by itself, such as the place of its cursor.
  terminal.onData((answer) => pty.write(answer));
  const ended = new Promise<number>((resolve) => {
    // What was written before the end is on the screen then.
    pty.onExit(({ exitCode, signal }) =>
      terminal.write('', () => resolve(signal ? signal + 128 : exitCode)),
    );
  });
  const textFrom = (from: number) => {
    const { active } = terminal.buffer;
    const all = Array.from(
      { length: active.length - from },
      (_, index) => active.getLine(from + index)?.translateToString(true) ?? '',
    );
    return all.join('\n').trimEnd();
  };
  const text = () => textFrom(terminal.buffer.active.baseY);
  const until = async (isReached: () => boolean, what: string) => {
    const deadline = Date.now() + DEADLINE_MS;
    while (!isReached()) {
      if (Date.now() > deadline) throw new Error(`${what}. The screen:\n${text()}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const has = (wanted: string | RegExp) =>
    typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text());
  return {
    text,
    allText: () => textFrom(0),
    styled: (part = 'visible') => {
      const { active } = terminal.buffer;
      const from = part === 'all' ? 0 : active.baseY;
      const isHidden = written.lastIndexOf('\u001b[?25l') > written.lastIndexOf('\u001b[?25h');
      const cursor = { column: active.cursorX, line: active.baseY + active.cursorY - from };
      const lines = screenLines(active, from);
      return {
        lines,
        columns: terminal.cols,
        cursor: isHidden || cursor.line >= lines.length ? undefined : cursor,
      };
    },
    written: () => written,
    type: (keys) => pty.write(keys),
    paste: (pasted) => pty.write(`\x1b[200~${pasted}\x1b[201~`),
    shows: (wanted) => until(() => isWhole() && has(wanted), `Does not show ${wanted}`),
    hides: (unwanted) => until(() => isWhole() && !has(unwanted), `Still shows ${unwanted}`),
    wrote: (wanted, from) => until(() => written.includes(wanted, from), `Did not show ${wanted}`),
    resize(newColumns, newRows) {
      terminal.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    pid: pty.pid,
    kill: (signal = 'SIGKILL') => pty.kill(signal),
    ended,
  };
}
