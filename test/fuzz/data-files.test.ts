import { closeSync, openSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoadedTable, loadFiles } from '../../src/tools/sql/files/load-files.ts';
import type { FileOptions } from '../../src/tools/sql/formats/reader.ts';
import { FileProblem } from '../../src/tools/sql/formats/text-chunks.ts';
import { Spelled } from '../../src/tools/sql/query/collect-rows.ts';
import { planOutput } from '../../src/tools/sql/query/original-text.ts';
import { openQueryDatabase } from '../../src/tools/sql/query/query-database.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

interface Read {
  readonly table: LoadedTable;
  readonly rows: unknown[][];
}

/** All cells of a file, as returned by a query; undefined if it can't be read. */
function readAll(name: string, content: string | Buffer, options: FileOptions): Read | undefined {
  const path = scratch.put(name, '');
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  const db = openQueryDatabase(undefined);
  try {
    const [table] = loadFiles(
      db,
      [{ name: 't', files: [{ fd, shown: name }], ...options }],
      'main',
    );
    if (table === undefined) throw new Error('no table');
    const sql = 'SELECT * FROM t';
    const output = planOutput(db, sql, db.prepare<unknown[], unknown[]>(sql), [table]);
    return { table, rows: [...output.rows([])] };
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  } finally {
    db.close();
    closeSync(fd);
  }
}

const textOf = (value: unknown): string | null =>
  value instanceof Spelled ? value.text : value === null ? null : String(value);

const digits = fc.stringMatching(/^[0-9]{1,21}$/);
const cell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'NA',
    '-',
    'true',
    'False',
    '007',
    '1e5',
    '-0',
    '-0.00',
    '+5',
    '.5',
    '5.',
    ' 12 ',
    '1_000',
    '2024-01-31',
    '10:30',
    'Infinity',
    'NaN',
    '0x10',
  ),
  digits,
  fc.tuple(digits, digits).map(([a, b]) => `${a}.${b}`),
  fc.integer().map(String),
  fc.double().map(String),
  fc
    .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom(1, 2, 3))
    .map(([n, d]) => (n / 100).toFixed(d)),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\0\r]/g, '')),
  fc.constantFrom('a,b', 'say "hi"', 'two\nlines', 'ö€', '"', ','),
);

const column = fc.oneof(
  fc.array(cell, { minLength: 6, maxLength: 6 }),
  fc.array(
    fc.integer({ min: -50, max: 5_000 }).map((n) => (n / 100).toFixed(2)),
    { minLength: 6, maxLength: 6 },
  ),
  fc
    .tuple(fc.array(fc.integer().map(String), { minLength: 5, maxLength: 5 }), cell)
    .map(([five, one]) => [...five, one]),
);
const table = fc
  .array(column, { minLength: 2, maxLength: 4 })
  .map((columns) => Array.from({ length: 6 }, (_, at) => columns.map((one) => one[at] ?? '')));

const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (row) =>
        `${row.map((one) => (/[",\n]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(',')}\n`,
    )
    .join('');

const damages = fc.array(
  fc.tuple(
    fc.constantFrom('insert', 'delete', 'cut'),
    fc.nat({ max: 400 }),
    fc.constantFrom('"', ',', '\n', '\r\n', 'x', '""', ' '),
  ),
  { minLength: 1, maxLength: 3 },
);
const damaged = (text: string, changes: readonly (readonly [string, number, string])[]): string =>
  changes.reduce((all, [how, place, what]) => {
    const at = all.length === 0 ? 0 : place % all.length;
    if (how === 'cut') return all.slice(0, at + 1);
    return (
      all.slice(0, at) + (how === 'insert' ? what : '') + all.slice(how === 'insert' ? at : at + 1)
    );
  }, text);

/** One cell of RFC 4180 and its end; blanks may follow a closing quote. */
const CELL = /(?:"((?:[^"]|"")*)"[^\S\n]*|((?!")[^,\n]*))(,|\n|$)/y;

/** Rows of RFC 4180 cell by cell; undefined if a quote does not end, or something follows it. */
function referenceRows(text: string): string[][] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length || row.length > 0) {
    const found = CELL.exec(text);
    if (found === null) return undefined;
    const [, quoted, plain = '', end] = found;
    row.push(quoted?.replaceAll('""', '"') ?? (end === ',' ? plain : plain.replace(/\r$/, '')));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows.filter((one) => one.length > 1 || !/^\r?$/.test(one[0] ?? ''));
}

describe('a CSV file', () => {
  const csv = { format: 'csv', delimiter: ',', header: false } as const;

  it('returns every cell as it is spelled', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(table, (cells) => {
        const found = readAll('t.csv', csvOf(cells), csv);
        expect(found?.rows.map((row) => row.map(textOf))).toEqual(cells);
      }),
      fuzz(400),
    );
  });

  it('that is damaged is an error, or its wrong rows are counted and the others are right', {
    timeout: FUZZ_TIMEOUT_MS,
  }, () => {
    fc.assert(
      fc.property(table, damages, (cells, changes) => {
        const text = damaged(csvOf(cells), changes);
        const rows = referenceRows(text);
        const found = readAll('t.csv', text, csv);
        if (rows === undefined || rows.length === 0) {
          expect(found).toBeUndefined();
          return;
        }
        const width = rows[0]?.length ?? 0;
        const kept = rows.filter((row) => row.length <= width);
        const expected = kept.map((row) =>
          Array.from({ length: width }, (_, at) => row[at] ?? null),
        );
        expect(found?.rows.map((row) => row.map(textOf))).toEqual(expected);
        expect(found?.table.malformed.count).toBe(
          rows.filter((row) => row.length !== width).length,
        );
      }),
      fuzz(600),
    );
  });

  it('of any bytes is a table or an error', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('t.csv', 't.json', 't.jsonl', 't.log', 't.txt'),
        (bytes, name) => {
          readAll(name, Buffer.from(bytes), {});
        },
      ),
      fuzz(400),
    );
  });
});

describe('a JSON Lines file', () => {
  const NAME = /^[a-c]{1,2}$/;
  const value = fc.jsonValue({ maxDepth: 2 });
  const line = fc.oneof(
    fc.dictionary(fc.stringMatching(NAME), value, { maxKeys: 3 }).map((row) => JSON.stringify(row)),
    fc.json({ maxDepth: 1 }).filter((text) => !text.startsWith('{')),
    fc.constantFrom('{', '{"a":1.50}', '{"a":1e400}', '{"a":12345678901234567890}', 'x'),
  );

  it('has a row or a counted line for each line, and each value as it is', {
    timeout: FUZZ_TIMEOUT_MS,
  }, () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const found = readAll('t.jsonl', lines.join('\n'), { format: 'jsonl' });
        const objects = lines.flatMap((one) => {
          try {
            const parsed: unknown = JSON.parse(one);
            return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
              ? [parsed]
              : [];
          } catch {
            return [];
          }
        });
        expect(found?.rows.length).toBe(objects.length);
        expect(found?.table.malformed.count).toBe(lines.length - objects.length);
        for (const [at, one] of objects.entries())
          for (const [key, expected] of Object.entries(one).filter(([name]) => NAME.test(name)))
            expectSame(
              found?.rows[at]?.[found.table.columns.findIndex(({ name }) => name === key)],
              expected,
            );
      }),
      fuzz(300),
    );
  });

  function expectSame(cell: unknown, expected: unknown): void {
    if (typeof expected === 'number') expect(Number(textOf(cell))).toBe(expected + 0);
    else if (typeof expected === 'object' && expected !== null)
      expect(JSON.parse(String(cell))).toEqual(expected);
    else if (typeof expected === 'boolean')
      expect([expected, String(expected)]).toContainEqual(cell);
    else expect(textOf(cell)).toBe(expected);
  }
});
