import { describe, expect, it } from 'vitest';
import { countsOf, linesOf, unifiedLines, withDiffsApart } from './diff-lines.ts';

const unified = [
  'Index: a.csv',
  '===',
  '--- a.csv',
  '+++ a.csv',
  '@@ -1,3 +1,3 @@',
  ' id',
  '-2,FR',
  '+2,IT',
  ' 3,DE',
  '@@ -9,1 +9,2 @@',
  ' 9',
  '+10',
  '',
].join('\n');

describe('a unified difference', () => {
  it('has numbered lines, and a gap between its parts', () => {
    expect(unifiedLines(unified)).toEqual([
      { sign: ' ', before: 1, after: 1, text: 'id' },
      { sign: '-', before: 2, text: '2,FR' },
      { sign: '+', after: 2, text: '2,IT' },
      { sign: ' ', before: 3, after: 3, text: '3,DE' },
      undefined,
      { sign: ' ', before: 9, after: 9, text: '9' },
      { sign: '+', after: 10, text: '10' },
    ]);
    expect(countsOf(unified)).toEqual({ added: 2, removed: 1 });
  });

  it('of nothing has no lines', () => {
    expect(unifiedLines('')).toEqual([]);
  });
});

it('compares two texts, and knows the line that another one replaces', () => {
  expect(linesOf('a\nb\n', 'a\nc\n')).toEqual([
    { sign: ' ', before: 1, after: 1, text: 'a' },
    { sign: '-', before: 2, text: 'b', counterpart: 'c' },
    { sign: '+', after: 2, text: 'c', counterpart: 'b' },
  ]);
});

it('finds the differences in a longer text', () => {
  const one = '@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file';
  const two = '@@ -1 +1 @@\n-d\n+e';
  const text = `changed: /x\n\nchanged a.md\n${one}\n\nchanged b.md\n${two}\n… and 9 more lines\n\ngranted:\n{}`;
  expect(withDiffsApart(text)).toEqual([
    ...['changed: /x\n\nchanged a.md', one, 'changed b.md', two],
    '… and 9 more lines\n\ngranted:\n{}',
  ]);
  expect(withDiffsApart('no difference')).toEqual(['no difference']);
});
