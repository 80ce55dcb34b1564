import type { CommandIo } from '../command.ts';
import type { SetupPrompt } from './setup-surface.ts';
import { emptyLine, type TypedLine, typeInto } from './typed-line.ts';

/** Reads lines of a terminal in raw mode: hidden if asked for, pastes as pastes. */
export interface RawTerminal {
  /** The next line; `leave` for Ctrl-C, Ctrl-D on an empty line, and the end of the input. Input before it is dropped. */
  read(prompt: SetupPrompt): Promise<Pick<TypedLine, 'text' | 'isPasted'> | 'leave'>;
  /** Resolves when Ctrl-C is typed while no line is read. Never rejects. */
  readonly left: Promise<'leave'>;
  /** Restores the terminal. */
  close(): void;
}

const PASTES_ON = '\u001b[?2004h';
const PASTES_OFF = '\u001b[?2004l';
const ERASE_LINE = '\r\u001b[K';

export function openRawTerminal({ stderr, environment }: CommandIo): RawTerminal {
  const { stdin } = process;
  const takesPastes = environment['TERM'] !== 'dumb';
  let onInput: ((input: string) => void) | undefined;
  let hasLeft = false;
  let leave = () => {};
  const left = new Promise<'leave'>((resolve) => {
    leave = () => {
      hasLeft = true;
      resolve('leave');
    };
  });
  const listener = (chunk: string) => {
    if (onInput) onInput(chunk);
    else if (chunk.includes('\u0003')) leave();
  };
  const onEnd = () => listener('\u0003');
  stdin.setEncoding('utf8');
  stdin.setRawMode(true);
  stdin.on('data', listener);
  stdin.once('end', onEnd);
  stdin.resume();
  if (takesPastes) stderr(PASTES_ON);

  return {
    left,
    async read({ text: prompt, isHidden }) {
      if (hasLeft) return 'leave';
      stderr(prompt);
      const line = await new Promise<TypedLine>((resolve) => {
        let typed = emptyLine;
        onInput = (input) => {
          const before = typed.text;
          typed = typeInto(typed, input);
          if (!isHidden && typed.text !== before) stderr(`${ERASE_LINE}${prompt}${typed.text}`);
          if (typed.end !== null) resolve(typed);
        };
      });
      onInput = undefined;
      stderr(isHidden && line.end === 'enter' ? ERASE_LINE : '\r\n');
      return line.end === 'leave' ? 'leave' : line;
    },
    close() {
      stdin.off('data', listener);
      stdin.off('end', onEnd);
      if (takesPastes) stderr(PASTES_OFF);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
