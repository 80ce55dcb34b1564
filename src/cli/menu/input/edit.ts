import { isPaste, type Key, type KeyInput } from '../terminal/key.ts';
import {
  lineEnd,
  lineStart,
  nextChar,
  nextWord,
  previousChar,
  previousWord,
} from './text-places.ts';

/** A text that is being typed. */
export interface Edited {
  readonly text: string;
  /** Index of the UTF-16 unit after the cursor; never inside a grapheme. */
  readonly cursor: number;
  /** The last text that Ctrl-W, Ctrl-U, Ctrl-K, Alt-D or Alt-Backspace removed. Ctrl-Y inserts it. */
  readonly killed: string;
}

export const nothingTyped: Edited = { text: '', cursor: 0, killed: '' };

/** The text with the cursor at its end. */
export const typed = (text: string, { killed }: Pick<Edited, 'killed'> = nothingTyped): Edited => ({
  text,
  cursor: text.length,
  killed,
});

/** Applies the input to the text; undefined if it is not an editing key. A paste is inserted as it is. */
export function edit(state: Edited, input: KeyInput): Edited | undefined {
  if (isPaste(input)) return insert(state, input.paste);
  if (isNewLine(input)) return insert(state, '\n');
  if (input.name === 'text') return insert(state, input.text);
  return edits[nameOf(input)]?.(state);
}

/** Like `edit`, for a single line: a paste is joined into one line, and a key that would add a line does nothing. */
export function editOneLine(state: Edited, input: KeyInput): Edited {
  const flat = isPaste(input) ? { paste: input.paste.replace(/\s+/g, ' ').trim() } : input;
  const next = edit(state, flat);
  return next && !next.text.includes('\n') ? next : state;
}

/** Alt-Enter, Ctrl-J and, where the terminal distinguishes it from Enter, Shift-Enter. */
const isNewLine = ({ name, ctrl, alt, shift }: Key): boolean =>
  name === 'enter' ? alt || shift || ctrl : name === 'j' && ctrl;

/** `ctrl-a`, `alt-b`, `left`. */
const nameOf = ({ name, ctrl, alt }: Key): string =>
  `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${name}`;

/** Inserts text at the cursor, without control characters. */
export function insert({ text, cursor, killed }: Edited, more: string): Edited {
  const kept = more.replace(UNWANTED, '');
  return {
    text: `${text.slice(0, cursor)}${kept}${text.slice(cursor)}`,
    cursor: cursor + kept.length,
    killed,
  };
}

/** Control characters other than line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

const move =
  (to: (text: string, cursor: number) => number) =>
  (state: Edited): Edited => ({ ...state, cursor: to(state.text, state.cursor) });

const remove =
  (to: (text: string, cursor: number) => number, isKept = false) =>
  (state: Edited): Edited => {
    const other = to(state.text, state.cursor);
    const [from, end] = other < state.cursor ? [other, state.cursor] : [state.cursor, other];
    const gone = state.text.slice(from, end);
    return {
      text: state.text.slice(0, from) + state.text.slice(end),
      cursor: from,
      killed: isKept && gone !== '' ? gone : state.killed,
    };
  };

const edits: Readonly<Record<string, (state: Edited) => Edited>> = {
  left: move(previousChar),
  'ctrl-b': move(previousChar),
  right: move(nextChar),
  'ctrl-f': move(nextChar),
  'alt-b': move(previousWord),
  'ctrl-left': move(previousWord),
  'alt-left': move(previousWord),
  'alt-f': move(nextWord),
  'ctrl-right': move(nextWord),
  'alt-right': move(nextWord),
  home: move(lineStart),
  'ctrl-a': move(lineStart),
  end: move(lineEnd),
  'ctrl-e': move(lineEnd),
  backspace: remove(previousChar),
  delete: remove(nextChar),
  'ctrl-d': remove(nextChar),
  'ctrl-w': remove(previousWord, true),
  'alt-backspace': remove(previousWord, true),
  'alt-d': remove(nextWord, true),
  'ctrl-u': remove(lineStart, true),
  'ctrl-k': remove((text, cursor) => Math.max(lineEnd(text, cursor), cursor), true),
  'ctrl-y': (state) => insert(state, state.killed),
  up: (state) => moveLine(state, -1),
  down: (state) => moveLine(state, 1),
};

/** One line up or down, in the same column; unchanged on the first and last line. */
function moveLine(state: Edited, by: -1 | 1): Edited {
  const { text, cursor } = state;
  const start = lineStart(text, cursor);
  const column = [...text.slice(start, cursor)].length;
  const target = by < 0 ? start - 1 : lineEnd(text, cursor) + 1;
  if (target < 0 || target > text.length) return state;
  const targetStart = lineStart(text, target);
  const line = [...text.slice(targetStart, lineEnd(text, targetStart))];
  return { ...state, cursor: targetStart + line.slice(0, column).join('').length };
}

/** Whether the cursor is on the first line, where ↑ leaves the text. */
export const isOnFirstLine = ({ text, cursor }: Edited): boolean => lineStart(text, cursor) === 0;

/** Whether the cursor is on the last line, where ↓ leaves the text. */
export const isOnLastLine = ({ text, cursor }: Edited): boolean =>
  lineEnd(text, cursor) === text.length;
