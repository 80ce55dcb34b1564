import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../../test/setup/tool-scratch.ts';
import { failedWith } from '../../contract/errors.ts';
import { bare } from '../../runtime/sandbox/levels/bare.ts';
import type { Sandbox } from '../../runtime/sandbox/sandbox.ts';
import type { ToolContext } from '../define/tool.ts';
import { sqlQuery } from '../sql-query.ts';
import type { SqlResult } from './process/sql-protocol.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

type Changes = Partial<ToolContext>;

/** Asks one file, which is the table `t`. */
async function ask(content: string | Buffer, sql: string, options: object = {}, name = 't.csv') {
  scratch.put(name, content);
  const args = { files: { t: { path: name, ...options } }, sql };
  return scratch.ask<SqlResult>(sqlQuery, args);
}

const rowsOf = async (...given: Parameters<typeof ask>) => (await ask(...given)).rows;

const odd = `id,code,amount,n,ok,exp
1,007,10.50,1234567890123456789,true,1e5
2,010,3.25,,FALSE,100000
3,100,n/a,5,true,2.50
4,200,10.5,7
`;

describe('a cell of a file', () => {
  it('is given as the file spells it', async () => {
    expect(await rowsOf(odd, 'SELECT * FROM t')).toEqual([
      [1, '007', '10.50', '1234567890123456789', 'true', '1e5'],
      [2, '010', '3.25', '', 'FALSE', '100000'],
      [3, '100', 'n/a', 5, 'true', '2.50'],
      [4, '200', '10.5', 7, null, null],
    ]);
  });

  it.each([
    ['an alias', 'SELECT x.amount FROM t AS x WHERE x.id IN (1, 4)'],
    ['a join', 'SELECT x.amount FROM t x JOIN (SELECT 1 AS id UNION SELECT 4) y ON y.id = x.id'],
    ['an order', 'SELECT amount FROM t WHERE amount > 10 ORDER BY id -- from here'],
    ['a comment before FROM', 'SELECT amount /* FROM x */ FROM t WHERE id IN (1, 4)'],
    ['IS DISTINCT FROM', 'SELECT amount FROM t WHERE amount IS NOT DISTINCT FROM 10.5 LIMIT 9'],
  ])('has its own spelling with %s', async (what, sql) => {
    const expected = what === 'a join' ? [[10.5], [10.5]] : [['10.50'], ['10.5']];
    expect(
      (await rowsOf(odd, sql)).map((row) =>
        row.map((cell) => (what === 'a join' ? Number(cell) : cell)),
      ),
    ).toEqual(expected);
  });

  it.each([
    ['GROUP BY', 'SELECT a FROM t GROUP BY a'],
    ['DISTINCT', 'SELECT DISTINCT a FROM t'],
    ['a subquery', 'SELECT a FROM (SELECT * FROM t)'],
    ['a common table expression', 'WITH x AS (SELECT a FROM t) SELECT a FROM x'],
  ])('has the decimals of its column with %s', async (_what, sql) => {
    expect(await rowsOf('a\n1.50\n22.00\n', sql)).toEqual([['1.50'], ['22.00']]);
  });

  it('is a number in computations', async () => {
    const sql = 'SELECT sum(amount), avg(amount), max(n), 1 + amount, count(n) FROM t WHERE id < 4';
    expect(await rowsOf(odd, sql)).toEqual([[13.75, 6.875, '1234567890123456789', 11.5, 2]]);
  });

  it('keeps all digits of a whole number among decimals', async () => {
    const content = 'a\n1.5\n10000000000000003\n';
    expect(await rowsOf(content, 'SELECT a FROM t')).toEqual([['1.5'], ['10000000000000003']]);
  });

  it('never uses the spelling of another value in a UNION', async () => {
    const sql = 'SELECT a FROM t UNION ALL SELECT count(*) FROM t UNION ALL SELECT 0.125';
    expect(await rowsOf('a\n1.50\n2.25\n', sql)).toEqual([[1.5], [2.25], [2], [0.125]]);
  });

  it.each([
    ['under UNION', 'a\n1.50\n2.25\n', 'SELECT a FROM t UNION ALL SELECT a FROM t', ['a']],
    ['under UNION with *', 'a,b\n1.50,x\n', 'SELECT * FROM t UNION SELECT * FROM t', ['a']],
    ['in the second part only', 'a\n1e5\n', 'SELECT 1 AS n UNION SELECT a FROM t', ['a']],
    ['under GROUP BY', 'a\n1.50\n1.5\n', 'SELECT a, count(*) FROM t GROUP BY a', ['a']],
    ['under DISTINCT', 'a\n+1\n2\n', 'SELECT DISTINCT a AS x FROM t', ['a']],
    ['of plain numbers', 'a\n1\n2\n', 'SELECT a FROM t UNION SELECT a FROM t', undefined],
    ['where it is not used', 'a,b\n1.50,1\n', 'SELECT b FROM t UNION SELECT b FROM t', undefined],
    ['where it is only counted', 'a\n1.50\n', 'SELECT count(*) FROM t UNION SELECT 0', undefined],
    ['of one spelling', 'a\n1.50\n2.25\n', 'SELECT a FROM t GROUP BY a', undefined],
    ['given row by row', 'a\n1.50\n1.5\n', 'SELECT a FROM t', undefined],
  ])(
    'is named if it may be printed in another spelling: %s',
    async (_what, content, sql, names) => {
      expect((await ask(content, sql)).respelled).toEqual(names);
    },
  );

  it('compares as a number, also next to empty cells', async () => {
    expect(
      await rowsOf('a,b\n9,x\n10,y\n,z\n', 'SELECT b FROM t WHERE a > 8 ORDER BY a DESC'),
    ).toEqual([['y'], ['x']]);
    expect(await rowsOf('a,b\n9,x\n10,y\n,z\n', 'SELECT b FROM t WHERE a IS NULL')).toEqual([
      ['z'],
    ]);
  });

  it('distinguishes empty from missing', async () => {
    const { rows, tables } = await ask('a,b,c\n1,,\n2\n', 'SELECT * FROM t');
    expect(rows).toEqual([
      [1, '', ''],
      [2, null, null],
    ]);
    expect(tables?.['t']?.['malformed']).toMatchObject({ count: 1, rows: [{ line: 3 }] });
  });
});

describe('the types of columns', () => {
  it.each([
    ['integer', '1\n-20\n0\n'],
    ['real', '1\n2.5\n'],
    ['real', '1e3\n.5\n'],
    ['boolean', 'true\nFalse\n'],
    ['date', '2024-01-31\n2024-02-01\n'],
    ['datetime', '2024-01-31T10:00:00Z\n2024-02-01 11:30\n'],
    ['time', '10:30\n23:59:59\n'],
    ['text', 'a\n2\nb\n'],
    ['text', '01\n12\n'],
    ['text', '+491512345678\n+491512345679\n'],
    ['text', '99999999999999999999\n1\n'],
    ['text', '2024-13-01\n2024-01-99\n'],
    ['text', '0x1F\n0x20\n'],
    ['text', '1,5\n2,5\n'.replaceAll(',', '·')],
  ])('%s: %j', async (type, cells) => {
    const { tables } = await ask(`x\n${cells}`, 'SELECT 1', { header: true });
    expect(tables?.['t']?.columns).toEqual({ x: type });
  });

  it('are determined from all rows, not only from the first ones', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => at).join('\n');
    expect((await ask(`x\n${many}\n0.5\n`, 'SELECT max(x), min(x / 2) FROM t')).rows).toEqual([
      [2_999, 0],
    ]);
    const { tables, rows } = await ask(
      `x\n${many}\n007\n`,
      "SELECT x FROM t WHERE x = '007' OR x = '12'",
    );
    expect(tables?.['t']?.columns).toEqual({ x: 'text' });
    expect(rows).toEqual([['12'], ['007']]);
  });

  it('come with the cells that do not fit, and their lines', async () => {
    const { tables } = await ask(
      'x,y\n1,a\n2,b\n"two\nlines",c\nNA,d\n5,e\n6,f\n7,g\n8,h\n',
      'SELECT 1',
    );
    expect(tables?.['t']?.['exceptions']).toEqual({
      x: {
        count: 2,
        cells: [
          { line: 4, text: 'two\nlines' },
          { line: 6, text: 'NA' },
        ],
      },
    });
  });
});

describe('a file', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffä,b\nö,1\n'), 'utf-8 with BOM'],
    ['UTF-16', Buffer.from('\ufeffä,b\nö,1\n', 'utf16le'), 'utf-16le'],
    ['UTF-16 without a mark', Buffer.from('ä,b\nö,1\n', 'utf16le'), 'utf-16le'],
    ['UTF-16 from its other end', Buffer.from('\ufeffä,b\nö,1\n', 'utf16le').swap16(), 'utf-16be'],
    ['Latin-1', Buffer.from('ä,b\nö,1\n', 'latin1'), 'latin-1'],
    ['UTF-8', Buffer.from('ä,b\nö,1\n'), 'utf-8'],
  ])('is read as %s', async (_what, content, encoding) => {
    const { rows, tables } = await ask(content, 'SELECT "ä", b FROM t');
    expect(rows).toEqual([['ö', 1]]);
    expect(tables?.['t']).toMatchObject({ encoding });
  });

  it.each([
    [',', 'a,b\n1,2\n'],
    [';', 'a;b\n1;2,5\n'],
    ['\t', 'a\tb\n1\t2\n'],
    ['|', 'a|b\n1|2\n'],
    [';', '"a;x";b;c\n"1;1";2;3\n'],
  ])('has the delimiter %j', async (delimiter, content) => {
    expect((await ask(content, 'SELECT 1')).tables?.['t']).toMatchObject({ delimiter, rows: 1 });
  });

  it.each([
    ['names', true, 'name,age\nAda,36\n'],
    ['years among names', true, 'country,2019,2020\nDE,1.5,2.5\n'],
    ['values', false, 'Ada,36\nBo,40\n'],
    ['years in every row', false, 'Ada,1999\nBo,2001\n'],
  ])('begins with %s', async (_what, header, content) => {
    expect((await ask(content, 'SELECT 1')).tables?.['t']).toMatchObject({ header });
  });

  it('may have a name twice', async () => {
    const { columns } = await ask('a,A,,b\n1,2,3,4\n', 'SELECT * FROM t');
    expect(columns).toEqual(['a', 'A_2', 'column_3', 'b']);
  });

  it('loses no row silently: a long one is left out, counted and listed', async () => {
    const { rows, tables } = await ask('a,b\n1,2\n3,4,5\n\n6,7\n', 'SELECT a FROM t');
    expect(rows).toEqual([[1], [6]]);
    expect(tables?.['t']?.['malformed']).toEqual({
      count: 1,
      rows: [{ line: 3, problem: '3 cells, not 2: the row is left out' }],
    });
  });

  it.each([
    [
      'a quote that never ends',
      'a,b\n1,2\n"3,4\n5,6\n',
      /"t.csv", line 3: a quoted cell .* never ends/,
    ],
    ['text behind a quote', 'a,b\n"1"x,2\n', /"t.csv", line 2: text follows the closing quote/],
    ['NUL bytes', 'a,b\n1,\0\n', /"t.csv": it has NUL bytes/],
    ['nothing', '', /"t.csv": it is empty/],
  ])('with %s is an error with its line', async (_what, content, message) => {
    await expect(ask(content, 'SELECT 1')).rejects.toThrow(message);
  });

  it('of JSON that is damaged is an error with its line', async () => {
    await expect(ask('[\n{"a": 1},\n{"a": }\n]', 'SELECT 1', {}, 't.json')).rejects.toThrow(
      /"t.json", line 3: it is not valid JSON/,
    );
    const lists = '{"x": [{"a": 1}], "y": [{"a": 2}]}';
    await expect(ask(lists, 'SELECT 1', {}, 't.json')).rejects.toThrow(/several lists.*"x", "y"/);
    expect(await rowsOf(lists, 'SELECT a FROM t', { at: 'y' }, 't.json')).toEqual([[2]]);
    await expect(ask(lists, 'SELECT 1', { at: 'z' }, 't.json')).rejects.toThrow(/no "z".*x, y/);
  });

  it('of JSON keeps the spelling of its numbers and its types', async () => {
    const content =
      '[{"a":1.50,"b":12345678901234567890,"c":true,"d":"007","e":{"x":1.0,"y":[1]},"f":null},{"a":2,"d":"1"}]';
    expect(await rowsOf(content, "SELECT *, e ->> '$.y[0]' FROM t", {}, 't.json')).toEqual([
      ['1.50', '12345678901234567890', true, '007', '{"x":1.0,"y":[1]}', null, 1],
      ['2', null, null, '1', null, null, null],
    ]);
  });

  it('of JSON with numbers, texts and booleans in one column returns each unchanged', async () => {
    const content = '[{"a":1.50},{"a":false},{"a":"x"},{"a":3},{"a":"007"}]';
    const { rows, tables } = await ask(content, 'SELECT a FROM t', {}, 't.json');
    expect(rows).toEqual([['1.50'], [false], ['x'], [3], ['007']]);
    expect(tables?.['t']?.columns).toEqual({ a: 'mixed' });
  });

  it('of JSON Lines counts invalid lines', async () => {
    const { rows, tables } = await ask(
      '{"a":1}\nnope\n[1]\n{"a":2,"b":"x"}\n',
      'SELECT a, b FROM t',
      {},
      't.jsonl',
    );
    expect(rows).toEqual([
      [1, null],
      [2, 'x'],
    ]);
    expect(tables?.['t']?.['malformed']).toMatchObject({
      count: 2,
      rows: [{ line: 2 }, { line: 3 }],
    });
  });

  it('of an access log has its fields, and durations in milliseconds if the format states the unit', async () => {
    const line = (rest: string) =>
      `1.2.3.4 - - [02/Mar/2026:06:00:06 +0100] "GET /a/7?q=1 HTTP/1.1" 200 - "-" "x" ${rest}\n`;
    const sql =
      'SELECT time, utc_offset, path, endpoint, query, status, bytes, rt, rt_ms, request_time_ms, took_ms FROM t';
    const content = `${line('rt=0.132')}${line('0.250')}${line('took=3us')}nope\n`;
    const { rows, tables } = await ask(content, sql, {}, 'a.log');
    const head = ['2026-03-02 06:00:06', '+0100', '/a/7', '/a/:id', 'q=1', 200, '-'];
    expect(rows).toEqual([
      [...head, 0.132, 132, null, null],
      [...head, null, null, 250, null],
      [...head, null, null, null, 0.003],
    ]);
    expect(tables?.['t']).toMatchObject({
      format: 'access_log',
      malformed: { count: 1, rows: [{ line: 4 }] },
    });
  });
});

describe('files of a query', () => {
  const shop = () => {
    scratch.put('d/jan.csv', 'sku,price\nA,1.10\n');
    scratch.put('d/feb.csv', 'price,sku\n2.00,B\n');
    scratch.put('d/secret.csv', 'sku,price\nX,9.00\n');
    scratch.put('d/sub/deep.csv', 'sku,price\nD,4.00\n');
    const db = new Database(join(scratch.workspace, 'shop.db'));
    db.exec(
      "CREATE TABLE names (sku TEXT, name TEXT); INSERT INTO names VALUES ('A', 'Apple'), ('B', 'Pear')",
    );
    db.close();
  };
  const query = (files: object, sql: string, args: object = {}, changes: Changes = {}) =>
    scratch.ask<SqlResult & { skipped?: string[] }>(sqlQuery, { files, sql, ...args }, changes);
  const isProtected = (path: string) => path.endsWith('secret.csv');

  it('of a glob are one table, and a protected one is left out and named', async () => {
    shop();
    const { rows, skipped } = await query(
      { p: 'd/*.csv' },
      'SELECT file, sku, price FROM p ORDER BY file',
      {},
      { isProtected },
    );
    expect(rows).toEqual([
      ['d/feb.csv', 'B', '2.00'],
      ['d/jan.csv', 'A', '1.10'],
    ]);
    expect(skipped).toEqual(['d/secret.csv: protected']);
  });

  it('of a deep glob are found below', async () => {
    shop();
    const { rows } = await query({ p: 'd/**/*.csv' }, 'SELECT count(*) FROM p');
    expect(rows).toEqual([[4]]);
  });

  it('join a database', async () => {
    shop();
    const sql = 'SELECT n.name, j.price FROM jan j JOIN names n USING (sku)';
    expect((await query({ jan: 'd/jan.csv' }, sql, { database: 'shop.db' })).rows).toEqual([
      ['Apple', '1.10'],
    ]);
    await expect(query({ names: 'd/jan.csv' }, sql, { database: 'shop.db' })).rejects.toThrow(
      /has a table "names" already/,
    );
  });

  it('of two shapes are an error that names the file', async () => {
    scratch.put('a1.csv', 'x,y\n1,2\n');
    scratch.put('a2.csv', 'x,z\n1,2\n');
    await expect(query({ a: 'a*.csv' }, 'SELECT 1')).rejects.toThrow(/"a2.csv".*columns \(x, z\)/);
  });

  it.each([
    ['a protected path', 'd/secret.csv', 'PATH_PROTECTED'],
    ['a path outside', '../outside/o.csv', 'PATH_OUTSIDE_ROOTS'],
    ['a link that leads outside', 'door.csv', 'PATH_OUTSIDE_ROOTS'],
    ['a path that is not granted', 'd/jan.csv', 'PATH_NOT_GRANTED'],
  ])('refuse %s', async (what, path, code) => {
    shop();
    writeFileSync(join(scratch.outside, 'o.csv'), 'a\n1\n');
    symlinkSync(join(scratch.outside, 'o.csv'), join(scratch.workspace, 'door.csv'));
    const isGranted = () => !what.includes('not granted');
    await expect(query({ t: path }, 'SELECT 1', {}, { isProtected, isGranted })).rejects.toSatisfy(
      (error) => failedWith(error, code as 'PATH_PROTECTED'),
    );
  });

  it('suggest the existing names', async () => {
    shop();
    const files = { sales: 'd/jan.csv' };
    await expect(query(files, 'SELECT Prise FROM sales')).rejects.toThrow(
      /Did you mean "price"\?.*sales\(sku, price\)/,
    );
    await expect(query(files, 'SELECT 1 FROM sale')).rejects.toThrow(
      /no such table: sale\. Did you mean "sales"\?/,
    );
    await expect(query({ t: 'none.csv' }, 'SELECT 1')).rejects.toThrow(/[Nn]o file `none.csv`/);
    await expect(query({ t: 'no*.csv' }, 'SELECT 1')).rejects.toThrow(/no file matches "no\*.csv"/);
  });

  it('can be described, and not changed', async () => {
    shop();
    const files = { sales: 'd/jan.csv' };
    const names = (await query(files, 'PRAGMA table_info(sales)')).rows.map((row) => row[1]);
    expect(names).toEqual(['sku', 'price']);
    const sql =
      "SELECT name FROM pragma_table_list('sales') UNION SELECT name FROM pragma_index_list('sales')";
    expect((await query(files, sql)).rows).toEqual([['sales']]);
    for (const bad of [
      'PRAGMA query_only = 0',
      'PRAGMA table_info = 1',
      'PRAGMA journal_mode',
      "SELECT * FROM pragma_database_list('x')",
    ])
      await expect(query(files, bad)).rejects.toThrow(/PRAGMA|pragma/);
    await expect(
      query(files, "WITH x AS (SELECT 1) INSERT INTO sales VALUES ('a', 1) RETURNING sku"),
    ).rejects.toThrow(/read and change nothing/);
  });
});

describe('save_as', () => {
  const save = (path: string, sql = 'SELECT * FROM t') => {
    scratch.put('t.csv', 'id,amount,note\n1,10.50,"a|b"\n2,,"x ""y"", z"\n3,7.00,\n');
    return scratch.call(sqlQuery, { files: { t: 't.csv' }, sql, save_as: path });
  };
  const content = (path: string) => readFileSync(join(scratch.workspace, path), 'utf8');

  it.each([
    ['out/r.csv', 'id,amount,note\n1,10.50,a|b\n2,,"x ""y"", z"\n3,7.00,\n'],
    [
      'r.json',
      '[\n  {"id": 1, "amount": 10.50, "note": "a|b"},\n  {"id": 2, "amount": "", "note": "x \\"y\\", z"},\n  {"id": 3, "amount": 7.00, "note": ""}\n]\n',
    ],
    [
      'r.jsonl',
      '{"id": 1, "amount": 10.50, "note": "a|b"}\n{"id": 2, "amount": "", "note": "x \\"y\\", z"}\n{"id": 3, "amount": 7.00, "note": ""}\n',
    ],
    [
      'r.md',
      '| id | amount | note |\n| --- | --- | --- |\n| 1 | 10.50 | a\\|b |\n| 2 |  | x "y", z |\n| 3 | 7.00 |  |\n',
    ],
  ])('writes %s', async (path, expected) => {
    const { result, wrote } = await save(path);
    expect(content(path)).toBe(expected);
    expect(result).toMatchObject({ path, total_rows: 3, created: true });
    expect(wrote).toMatchObject([{ path: join(scratch.workspace, path), bytes: expected.length }]);
  });

  it('writes all rows and returns the first five', async () => {
    const sql =
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 30000) SELECT x FROM c';
    const { result } = await save('all.csv', sql);
    expect(result).toMatchObject({
      rows: [[1], [2], [3], [4], [5]],
      total_rows: 30_000,
      truncated: true,
    });
    expect(content('all.csv').split('\n').length).toBe(30_002);
  });

  it('writes nothing if the query fails', async () => {
    await expect(save('bad.csv', 'SELECT nope FROM t')).rejects.toThrow(/no such column/);
    await expect(save('bad.json', 'SELECT id, amount AS id FROM t')).rejects.toThrow(
      /two columns are called "id"/,
    );
    expect([
      existsSync(join(scratch.workspace, 'bad.csv')),
      existsSync(join(scratch.workspace, 'bad.json')),
    ]).toEqual([false, false]);
  });

  it('is a write of that path in the same call', () => {
    const args = { files: { t: 'd/*.csv' }, sql: 'SELECT 1', save_as: 'out.csv' };
    expect(sqlQuery.prepare(args).operation).toMatchObject({
      name: 'sql_query.save',
      tier: 1,
      repeatability: 'idempotent',
      paths: [
        { path: 'd', access: 'read', subtree: true },
        { path: 'out.csv', access: 'write' },
      ],
    });
    expect(() => sqlQuery.prepare({ ...args, save_as: 'out.xlsx' })).toThrow(
      /\.csv, \.json, \.jsonl or \.md/,
    );
    expect(() => sqlQuery.prepare({ sql: 'SELECT 1' })).toThrow(/name a database, files, or both/);
  });
});

describe('several queries of one attempt', () => {
  it('share the process that has loaded their files, until a file changes', async () => {
    let starts = 0;
    const forQuery: Sandbox['forQuery'] = (request) => {
      starts += 1;
      return bare.forQuery(request);
    };
    const context = { attempt: {}, sandbox: { ...bare, forQuery } };
    const ask = (sql: string) =>
      scratch.ask<SqlResult>(sqlQuery, { files: { t: 'shared.csv' }, sql }, context);
    scratch.put('shared.csv', 'id,amount\n1,2.50\n2,3.50\n');
    expect((await ask('SELECT * FROM t')).rows).toHaveLength(2);
    await expect(ask('SELECT nope FROM t')).rejects.toThrow(/no such column/);
    expect((await ask('SELECT sum(amount) FROM t')).rows).toEqual([[6]]);
    expect(starts).toBe(1);
    scratch.put('shared.csv', 'id,amount\n1,2.50\n2,4.50\n');
    expect((await ask('SELECT sum(amount) FROM t')).rows).toEqual([[7]]);
    expect(starts).toBe(2);
  });
});

describe('a large file', () => {
  /** A sandbox that ends a query after so many seconds of CPU time: a busy machine changes nothing. */
  const within = (cpuSec: number, memory: { memoryBytes?: number } = {}): Sandbox => ({
    ...bare,
    forQuery: (request) => bare.forQuery({ ...request, cpuSec, ...memory }),
  });

  it('of 200,000 rows is loaded and summed within 6 s and 400 MiB', async () => {
    const row = (n: number) =>
      `${n},customer ${n % 1_000},2024-01-${10 + (n % 20)},${n % 97}.50,${'x'.repeat(60)}\n`;
    const rows = Array.from({ length: 200_000 }, (_, n) => row(n));
    scratch.put('big.csv', `id,customer,day,amount,note\n${rows.join('')}`);
    const args = { files: { big: 'big.csv' }, sql: 'SELECT count(*), sum(amount) FROM big' };
    const { rows: found } = await scratch.ask<SqlResult>(sqlQuery, args, {
      sandbox: within(6, { memoryBytes: 400 * 1024 * 1024 }),
    });
    const sum = Array.from({ length: 200_000 }, (_, n) => (n % 97) + 0.5).reduce((a, b) => a + b);
    expect(found).toEqual([[200_000, sum]]);
  });

  it('of 6,000 log lines is counted within 2 s', async () => {
    const line = (n: number) =>
      `10.0.0.${n % 250} - - [10/Oct/2024:13:55:36 +0000] "GET /p/${n} HTTP/1.1" ${n % 10 ? 200 : 404} 5\n`;
    scratch.put('access.log', Array.from({ length: 6_000 }, (_, n) => line(n)).join(''));
    const args = {
      files: { log: 'access.log' },
      sql: 'SELECT status, count(*) FROM log GROUP BY 1',
    };
    const { rows } = await scratch.ask<SqlResult>(sqlQuery, args, { sandbox: within(2) });
    expect(rows).toEqual([
      [200, 5_400],
      [404, 600],
    ]);
  });
});
