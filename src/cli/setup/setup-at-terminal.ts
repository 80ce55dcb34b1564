import { isatty } from 'node:tty';
import type { Capstan } from '../../app/open-capstan.ts';
import type { CommandIo } from '../command.ts';
import { deferred } from '../io/deferred.ts';
import { stdoutColumns } from '../io/process-output.ts';
import { endOnSignal } from '../io/watch-signals.ts';
import { wrapProse } from '../menu/draw/wrap-prose.ts';
import { editOneLine, typed } from '../menu/input/edit.ts';
import { isCtrl, isKey, isPaste, type KeyInput } from '../menu/terminal/key.ts';
import { readKeys } from '../menu/terminal/read-keys.ts';
import { type Symbols, symbolsFor } from '../menu/terminal/symbols.ts';
import { counted } from '../text/format.ts';
import { createStyle, type Style } from '../text/style.ts';
import { runSetup } from './run-setup.ts';
import type { Outcome } from './setup-steps.ts';
import {
  SetupLeft,
  type SetupLine,
  type SetupPrompt,
  type SetupSurface,
  type SetupWork,
} from './setup-surface.ts';
import { done } from './setup-words.ts';

/**
 * Asks for everything line by line. Esc and Ctrl-C leave it. The terminal is in cooked mode before and after it.
 *
 * @param written Printed at the end if the settings were written.
 * @throws SignalReceived
 */
export async function setupAtTerminal(
  capstan: Pick<Capstan, 'setup'>,
  io: CommandIo,
  written: string,
): Promise<Outcome | 'left'> {
  const style = createStyle(io.environment, isatty(2));
  const symbols = symbolsFor(io.environment);
  const signals = endOnSignal();
  const terminal = openRawTerminal(io);
  const orLeft = async <T>(work: Promise<T | 'leave'>): Promise<T> => {
    const result = await work;
    if (result === 'leave') throw new SetupLeft();
    return result;
  };
  const surface: SetupSurface = {
    print(lines) {
      for (const line of lines) io.stderr(lineText(line, style, symbols));
    },
    ask: (prompt) => orLeft(terminal.read(prompt)),
    async during(what, work) {
      io.stderr(style.dim(`  ${working[what]}`));
      // What is being written is not left halfway.
      const ended = what === 'write' ? work : orLeft(Promise.race([work, terminal.left]));
      return ended.finally(() => io.stderr(ERASE_LINE));
    },
  };
  try {
    const outcome = await signals.orSignal(runSetup(capstan, surface, io));
    if (outcome === 'written') surface.print([done(written)]);
    return outcome;
  } finally {
    terminal.close();
    signals.stop();
  }
}

const working: Readonly<Record<SetupWork, string>> = {
  cost: 'looking up the price of a check',
  models: 'loading the list of models',
  check: 'testing the model with one word',
  propose: 'reading your settings',
  write: 'writing your settings',
};

/** A line with its mark in colour, wrapped at words. */
function lineText({ mark, text }: SetupLine, style: Style, symbols: Symbols): string {
  const indent = mark === 'none' ? (/^ */.exec(text)?.[0] ?? '') : '  ';
  const [first = '', ...rest] = wrapProse(
    text.trimStart(),
    Math.min(stdoutColumns() - 1, 100),
    indent,
  );
  const paint = { done: style.green, failed: style.red, notice: style.yellow };
  const head = mark === 'none' ? first : `${paint[mark](symbols[mark])} ${first.slice(2)}`;
  return [head, ...rest].map((line) => `${line}\n`).join('');
}

interface TypedLine {
  readonly text: string;
  /** Whether a part of it was pasted. */
  readonly isPasted: boolean;
}

const PASTES_ON = '\u001b[?2004h';
const PASTES_OFF = '\u001b[?2004l';
const ERASE_LINE = '\r\u001b[K';

/** Reads lines of a terminal in raw mode: hidden if asked for, pastes as pastes. */
function openRawTerminal({ stderr, environment }: CommandIo) {
  const { stdin } = process;
  const takesPastes = environment['TERM'] !== 'dumb';
  let onLineKey: ((input: KeyInput) => void) | undefined;
  let hasLeft = false;
  const left = deferred<'leave'>();
  const onInput = (input: KeyInput) => {
    if (onLineKey) return onLineKey(input);
    if (!isLeave(input, '')) return;
    hasLeft = true;
    left.resolve('leave');
  };
  const onEnd = () => onInput(CTRL_C);
  stdin.setRawMode(true);
  const stopReading = readKeys(stdin, onInput);
  stdin.once('end', onEnd);
  if (takesPastes) stderr(PASTES_ON);

  return {
    /** Resolves when the person leaves while no line is read. Never rejects. */
    left: left.promise,
    /** The next line; `leave` for Esc, Ctrl-C, Ctrl-D on an empty line, and the end of the input. Input before it is dropped. */
    async read({ text: prompt, isHidden }: SetupPrompt): Promise<TypedLine | 'leave'> {
      if (hasLeft) return 'leave';
      stderr(prompt);
      const { promise, resolve } = deferred<TypedLine | 'leave'>();
      const end = (read: TypedLine | 'leave') => {
        onLineKey = undefined;
        resolve(read);
      };
      let line: TypedLine = { text: '', isPasted: false };
      onLineKey = (input) => {
        const { text } = line;
        if (isLeave(input, text)) return end('leave');
        if (isKey(input, 'enter') || isCtrl(input, 'j')) return end(line);
        line = lineAfter(line, input);
        stderr(`${ERASE_LINE}${prompt}${shownText(line, isHidden)}`);
      };
      const read = await promise;
      stderr(isHidden && read !== 'leave' ? ERASE_LINE : '\r\n');
      return read;
    },
    /** Restores the terminal. */
    close(): void {
      stopReading();
      stdin.off('end', onEnd);
      if (takesPastes) stderr(PASTES_OFF);
      stdin.setRawMode(false);
    },
  };
}

/** Of a hidden text, only its length is shown. */
const shownText = ({ text }: TypedLine, isHidden: boolean): string =>
  isHidden && text !== '' ? counted(text.length, 'character') : text;

const isLeave = (input: KeyInput, text: string): boolean =>
  isCtrl(input, 'c') || isKey(input, 'esc') || (isCtrl(input, 'd') && text === '');

/** The cursor stays at the end: it is not drawn anywhere else. */
function lineAfter({ text, isPasted }: TypedLine, input: KeyInput): TypedLine {
  const next = editOneLine(typed(text), input).text;
  return { text: next, isPasted: next !== '' && (isPasted || isPaste(input)) };
}

const CTRL_C: KeyInput = { name: 'c', text: '', ctrl: true, alt: false, shift: false };
