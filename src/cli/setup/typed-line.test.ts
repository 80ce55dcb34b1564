import { describe, expect, it } from 'vitest';
import { emptyLine, typeInto } from './typed-line.ts';

const typed = (...chunks: readonly string[]) => chunks.reduce(typeInto, emptyLine);

describe('a line typed in raw mode', () => {
  it.each([
    ['takes what is typed', ['ab', 'c\r'], { text: 'abc', isPasted: false, end: 'enter' }],
    [
      'erases with Backspace and Ctrl-U',
      ['abc\u007f', '\u0015xy\u007f\r'],
      { text: 'x', end: 'enter' },
    ],
    [
      'takes a paste without its marks and line breaks',
      ['\u001b[200~sk-a\r\nb\u001b[201~\r'],
      { text: 'sk-ab', isPasted: true, end: 'enter' },
    ],
    [
      'takes a paste that comes in parts',
      ['\u001b[20', '0~sk\u001b', '[201~'],
      { text: 'sk', isPasted: true, end: null },
    ],
    [
      'does not end by a key in a paste',
      ['\u001b[200~a\u0003\u0004\u001b[201~'],
      { text: 'a', end: null },
    ],
    ['leaves with Ctrl-C right after Enter', ['1\r\u0003'], { end: 'leave' }],
    ['leaves with Ctrl-C', ['abc\u0003'], { end: 'leave' }],
    ['leaves with Ctrl-D on an empty line only', ['a\u0004\u007f\u0004'], { end: 'leave' }],
    ['drops arrows and other sequences', ['a\u001b[A\u001bOPb\u001b[1;5Cc'], { text: 'abc' }],
    ['drops control and invisible characters', ['a\u0001b\u202ec\u200b'], { text: 'abc' }],
    ['keeps nothing after its end', ['1\ry\r'], { text: '1', end: 'enter' }],
  ])('%s', (_what, chunks, line) => {
    expect(typed(...chunks)).toMatchObject(line);
  });
});
