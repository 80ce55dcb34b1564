import { isatty } from 'node:tty';
import type { Capstan } from '../../app/open-capstan.ts';
import type { CommandIo } from '../command.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { deferred } from '../io/deferred.ts';
import { endOnSignal } from '../io/watch-signals.ts';
import { editOneLine, typed } from '../menu/input/edit.ts';
import { isCtrl, isKey, isPaste, type KeyInput } from '../menu/terminal/key.ts';
import { readKeys } from '../menu/terminal/read-keys.ts';
import { createStyle, type Style } from '../text/style.ts';
import { runSetup } from './run-setup.ts';
import { SetupLeft, type SetupLine, type SetupPrompt, type SetupSurface } from './setup-surface.ts';
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

function lineText({ mark, text }: SetupLine, { green, red, yellow }: Style): string {
  const marks = { done: green('✓'), failed: red('✗'), notice: yellow('!') };
  return mark === 'none' ? `${text}\n` : `${marks[mark]} ${text}\n`;
}

/** A line, of which a part may have been pasted. */
type TypedLine = Awaited<ReturnType<SetupSurface['ask']>>;

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
    if (!isCtrl(input, 'c')) return;
    hasLeft = true;
    left.resolve('leave');
  };
  const onEnd = () => onInput(CTRL_C);
  stdin.setRawMode(true);
  const stopReading = readKeys(stdin, onInput);
  stdin.once('end', onEnd);
  if (takesPastes) stderr(PASTES_ON);

  return {
    /** Resolves when Ctrl-C is typed while no line is read. Never rejects. */
    left: left.promise,
    /** The next line; `leave` for Ctrl-C, Ctrl-D on an empty line, and the end of the input. Input before it is dropped. */
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
        if (!isHidden && line.text !== text) stderr(`${ERASE_LINE}${prompt}${line.text}`);
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

const isLeave = (input: KeyInput, text: string): boolean =>
  isCtrl(input, 'c') || (isCtrl(input, 'd') && text === '');

/** The cursor stays at the end: it is not drawn anywhere else. */
function lineAfter({ text, isPasted }: TypedLine, input: KeyInput): TypedLine {
  const next = editOneLine(typed(text), input).text;
  return { text: next, isPasted: next !== '' && (isPasted || isPaste(input)) };
}

const CTRL_C: KeyInput = { name: 'c', text: '', ctrl: true, alt: false, shift: false };
