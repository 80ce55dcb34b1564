import { expect, it } from 'vitest';
import { kindOfFile, tableOf } from './file-kind.ts';

it.each([
  ['report.md', 'markdown'],
  ['a/b.CSV', 'table'],
  ['b.tsv', 'table'],
  ['x.json', 'json'],
  ['chart.PNG', 'image'],
  ['drawing.svg', 'text'],
  ['Makefile', 'text'],
])('%s is shown as %s', (path, kind) => {
  expect(kindOfFile(path, new TextEncoder().encode('a'))).toBe(kind);
});

it('shows nothing of a file with NUL bytes', () => {
  expect(kindOfFile('a.md', new Uint8Array([65, 0, 66]))).toBe('binary');
});

it.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,"b, ""c"""\r\n1,\r\n',
    [
      ['a', 'b, "c"'],
      ['1', ''],
    ],
  ],
  ['a,"never ends\n1', [['a', 'never ends\n1']]],
  ['', [[]]],
  ['a', [['a']]],
])('splits %j', (text, rows) => {
  expect(tableOf(text, ',')).toEqual(rows);
});
