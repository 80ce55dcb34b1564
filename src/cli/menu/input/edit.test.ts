import { expect, it } from 'vitest';
import { createKeyParser } from '../terminal/parse-keys.ts';
import { type Edited, edit, nothingTyped, typed } from './edit.ts';

/** The text after the keys, with `|` where the cursor is. */
const after = (bytes: string, from: Edited = nothingTyped): string => {
  const end = createKeyParser()
    .feed(bytes)
    .reduce((state, input) => edit(state, input) ?? state, from);
  return `${end.text.slice(0, end.cursor)}|${end.text.slice(end.cursor)}`;
};

const LEFT = '\u001b[D';
const UP = '\u001b[A';
const DOWN = '\u001b[B';

it.each([
  ['types', 'abc', 'abc|'],
  ['moves and inserts', `abc${LEFT}${LEFT}x`, 'ax|bc'],
  ['goes to the ends of the line', 'abc\u0001x\u0005y', 'xabcy|'],
  ['goes by words', 'one two three\u001bb\u001bb', 'one |two three'],
  ['goes forward by words', 'one two\u0001\u001bf', 'one| two'],
  ['removes a word before the cursor', 'one two\u0017', 'one |'],
  ['removes a word after the cursor', 'one two\u0001\u001bd', '| two'],
  ['removes the line before the cursor', 'one two\u0015', '|'],
  ['removes the line after the cursor', `one${LEFT}${LEFT}\u000b`, 'o|'],
  ['brings back what was removed', 'one two\u0015\u0019!', 'one two!|'],
  ['begins a new line with Ctrl-J', 'a\nb', 'a\nb|'],
  ['begins a new line with Alt-Enter', 'a\u001b\rb', 'a\nb|'],
  ['goes up in the same column', `abc\ndef${LEFT}${UP}`, 'ab|c\ndef'],
  ['goes down to the end of a shorter line', `abcdef\nx${UP}\u0005${DOWN}`, 'abcdef\nx|'],
  ['stays on the first line', `abc${UP}`, 'abc|'],
  ['keeps no control character of a paste', '\u001b[200~a\u0007\u001b[31mb\u001b[201~', 'a[31mb|'],
])('%s', (_what, bytes, expected) => {
  expect(after(bytes)).toBe(expected);
});

it.each(['é', '漢', '👨‍👩‍👧', '🇩🇪'])('removes %s as one character', (character) => {
  expect(after('\u007f', typed(`a${character}`))).toBe('a|');
  expect(after(`${LEFT}x`, typed(`a${character}`))).toBe(`ax|${character}`);
});

it('leaves other keys to the program', () => {
  for (const bytes of ['\t', '\u0003', '\u0007', '\u000f', '\r', '\u001b[5~']) {
    const [input] = createKeyParser().feed(bytes);
    expect(input && edit(typed('abc'), input)).toBeUndefined();
  }
});
