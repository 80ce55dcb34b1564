import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCsvReader, findDelimiter } from './csv.ts';
import { renderDelimited } from './render.ts';

/** All cells of a text that arrives in pieces. */
function readAll(pieces: readonly string[], delimiter = ','): string[][] {
  const reader = createCsvReader(delimiter);
  const records = pieces.flatMap((piece) => reader.push(piece));
  return [...records, ...reader.end()].map(({ cells }) => cells);
}

describe('the CSV reader', () => {
  it.each<[string, string, string[][]]>([
    [
      'plain cells',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line break at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a delimiter in quotes', '"a,b",c\n', [['a,b', 'c']]],
    ['doubled quotes', '"say ""hi""",c\n', [['say "hi"', 'c']]],
    ['a line break in quotes', '"a\nb",c\n', [['a\nb', 'c']]],
    ['CRLF in quotes', '"a\r\nb",c\r\n', [['a\r\nb', 'c']]],
    ['a quote inside a plain cell', '5" pipe,c\n', [['5" pipe', 'c']]],
    ['empty cells', ',,\n', [['', '', '']]],
    ['an empty quoted cell', '"",x\n', [['', 'x']]],
    ['blank lines', 'a\n\n\nb\n', [['a'], ['b']]],
    ['spaces, kept', ' a , b \n', [[' a ', ' b ']]],
    ['other scripts', 'ä,日本,🙂\n', [['ä', '日本', '🙂']]],
    [
      'only carriage returns',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
  ])('reads %s', (_what, text, cells) => {
    expect(readAll([text])).toEqual(cells);
    expect(readAll([...text])).toEqual(cells);
  });

  it('numbers records by the line that they start on', () => {
    const reader = createCsvReader(',');
    const records = reader.push('h\n"a\nb"\nc\n');
    expect(records.map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  it('says where a quote is not closed, before it has swallowed the file', () => {
    expect(() => readAll([`a,b\n"${'x'.repeat(2_000_000)}`])).toThrow('line 2');
    expect(() => readAll(['a\n"b\n'])).toThrow('not closed');
  });

  it('refuses text behind a closing quote', () => {
    expect(() => readAll(['"a"b,c\n'])).toThrow('after its closing quote');
  });

  it('reads back whatever was rendered, in pieces of any size', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '\t', ';'),
    });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        table,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(',', '\t', ';'),
        (rows, size, delimiter) => {
          const columns = [{ name: 'x' }, { name: 'y' }];
          const text = renderDelimited({ columns, rows }, delimiter, true);
          const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          expect(readAll(pieces, delimiter)).toEqual([['x', 'y'], ...rows]);
        },
      ),
    );
  });

  it.each([
    ['a,b,c\n1,2,3\n', ','],
    ['a;b;c\n1,5;2;3\n', ';'],
    ['a\tb\n1\t2\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['"x;y;z",b\n"1;2;3",2\n', ','],
  ])('finds the delimiter of %j', (text, delimiter) => {
    expect(findDelimiter(text)).toBe(delimiter);
  });
});
