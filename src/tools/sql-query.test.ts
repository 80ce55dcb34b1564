import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../test/setup/tool-scratch.ts';
import { failedWith } from '../contract/errors.ts';
import type { SqlResult } from './sql/process/sql-protocol.ts';
import { sqlQuery } from './sql-query.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
  make('shop.db');
});
afterEach(() => scratch[Symbol.dispose]());

function make(name: string, folder = scratch.workspace, pragma = 'journal_mode = DELETE'): void {
  const db = new Database(join(folder, name));
  db.pragma(pragma);
  db.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, total REAL, raw BLOB);
    INSERT INTO orders VALUES (1, 'Ada', 12.5, x'0102'), (2, 'Bo; -- x', 7, NULL), (3, NULL, 9007199254740993, NULL);
    CREATE VIEW big AS SELECT id FROM orders WHERE total > 10;
    CREATE TABLE wide (n INTEGER); INSERT INTO wide VALUES (9007199254740993);`);
  db.close();
}

const ask = (sql: string, args: object = {}, changes = {}) =>
  scratch.ask<SqlResult>(sqlQuery, { database: 'shop.db', sql, ...args }, changes);

describe('sql_query', () => {
  it('returns columns and rows', async () => {
    expect(await ask('SELECT id, customer FROM orders ORDER BY id')).toEqual({
      columns: ['id', 'customer'],
      rows: [
        [1, 'Ada'],
        [2, 'Bo; -- x'],
        [3, null],
      ],
      total_rows: 3,
      truncated: false,
    });
  });

  it('keeps the names of columns within the limit of a result, too', async () => {
    const db = new Database(join(scratch.workspace, 'named.db'));
    const names = Array.from({ length: 40 }, (_, i) => `"${i}${'x'.repeat(20_000)}"`);
    db.exec(`CREATE TABLE t (${names.join(',')}); INSERT INTO t DEFAULT VALUES`);
    db.close();
    const sql = `SELECT ${Array(49).fill('t.*').join(', ')} FROM t`;
    const result = await ask(sql, { database: 'named.db' }, { maxOutputBytes: 100_000 });
    expect(result).toMatchObject({ rows: [], total_rows: 1, truncated: true });
    expect(result.columns[0]).toMatch(/^0x+… \(20001 characters\)$/);
    expect(JSON.stringify(result).length).toBeLessThan(1024 * 1024);
  });

  it.each([
    ['WITH', 'WITH t AS (SELECT 1 AS a) SELECT a FROM t', [[1]]],
    ['VALUES', 'VALUES (1), (2)', [[1], [2]]],
    ['a semicolon at the end', 'SELECT 1; ', [[1]]],
    ['a comment at the end', 'SELECT 1; -- done', [[1]]],
    ['a comment at the beginning', '/* why */ SELECT 1', [[1]]],
    ['a quoted semicolon', "SELECT ';'", [[';']]],
    ['a word that is only text', "SELECT 'attach pragma vacuum'", [['attach pragma vacuum']]],
    ['a view', 'SELECT id FROM big', [[1], [3]]],
    ['lower case and line breaks', 'select\n1', [[1]]],
    ['an integer beyond 2^53', 'SELECT n FROM wide', [['9007199254740993']]],
    ['a BLOB', 'SELECT raw FROM orders WHERE id = 1', [[{ $blob_bytes: 2 }]]],
    ['infinity', 'SELECT 9e999', [['Infinity']]],
    ['the same name twice', 'SELECT 1 AS a, 2 AS a', [[1, 2]]],
  ])('understands %s', async (_what, sql, rows) => {
    expect((await ask(sql)).rows).toEqual(rows);
  });

  it.each([
    ['in order', 'SELECT ?, ?, ?', [1, 'a', true], [[1, 'a', 1]]],
    ['by name', 'SELECT :a, @b', { a: 1, ':b': null }, [[1, null]]],
  ])('binds values %s', async (_how, sql, params, rows) => {
    expect((await ask(sql, { params })).rows).toEqual(rows);
  });

  it('returns as many rows as requested, and counts the rest', async () => {
    const sql =
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) SELECT x FROM c';
    expect(await ask(sql, { max_rows: 2 })).toEqual({
      columns: ['x'],
      rows: [[1], [2]],
      total_rows: 5_000,
      truncated: true,
    });
    const bytes = await ask(sql, {}, { maxOutputBytes: 100 });
    expect(bytes).toMatchObject({ total_rows: 5_000, truncated: true });
    expect(bytes.rows.length).toBeLessThan(30);
  });

  it.each([
    ['ATTACH', "ATTACH '../outside/other.db' AS o", /ATTACH/],
    ['ATTACH behind a comment', "/* x */ -- y\n ATTACH 'x' AS o", /ATTACH/],
    ['a second statement', "SELECT 1; ATTACH 'x' AS o", /attach/],
    ['two queries', 'SELECT 1; SELECT 2', /more than one statement/],
    ['VACUUM INTO', "VACUUM INTO 'copy.db'", /VACUUM/],
    ['PRAGMA', 'PRAGMA database_list', /PRAGMA/],
    ['a PRAGMA function', 'SELECT * FROM pragma_database_list', /pragma_database_list/],
    ['a quoted PRAGMA function', 'SELECT * FROM "pragma_database_list"', /pragma_database_list/],
    [
      'a PRAGMA function in brackets',
      'SELECT * FROM [PRAGMA_database_list]',
      /pragma_database_list/,
    ],
    ['an extension', "SELECT load_extension('x')", /load_extension/],
    ['DELETE', 'DELETE FROM orders', /DELETE/],
    [
      'a DELETE that gives rows',
      'WITH t AS (SELECT 1) DELETE FROM orders RETURNING id',
      /read and change nothing/,
    ],
    ['INSERT … RETURNING', 'INSERT INTO orders(id) VALUES (9) RETURNING id', /INSERT/],
    ['CREATE', 'CREATE TEMP TABLE t(a)', /CREATE/],
    ['nothing', ' -- nothing', /no statement/],
  ])('refuses %s', async (_what, sql, message) => {
    make('other.db', scratch.outside);
    await expect(ask(sql)).rejects.toThrow(message);
    expect(readdirSync(scratch.workspace)).toEqual(['shop.db']);
  });

  it.each([
    [
      'column',
      'SELECT price FROM orders',
      /no such column: price.*orders\(id, customer, total, raw\)/,
    ],
    ['table', 'SELECT * FROM order', /syntax error/],
    ['table name', 'SELECT * FROM sales', /no such table: sales.*big\(id\); orders\(/],
  ])('lists the tables and columns if a %s is wrong', async (_what, sql, message) => {
    await expect(ask(sql)).rejects.toThrow(message);
  });

  it('ends a query that takes too long, and one that is aborted', async () => {
    const sql =
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
    await expect(ask(sql, {}, { timeoutMs: 500 })).rejects.toSatisfy((error) =>
      failedWith(error, 'TOOL_TIMED_OUT'),
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await expect(ask(sql, {}, { signal: controller.signal })).rejects.toSatisfy((error) =>
      failedWith(error, 'CANCELLED'),
    );
  });

  it('outlives a query that wants all the memory', async () => {
    const sql = 'SELECT hex(randomblob(400000000)) || hex(randomblob(400000000))';
    await expect(ask(sql)).rejects.toThrow(/sql_query failed/);
  });

  it('cuts a text that is too long for an answer', async () => {
    const { rows } = await ask("SELECT replace(hex(zeroblob(500000)), '0', 'x')");
    expect(String(rows[0]?.[0])).toMatch(/x… \(1000000 characters\)$/);
  });

  it('leaves no files beside a database with an idle write-ahead log', async () => {
    make('wal.db', scratch.workspace, 'journal_mode = WAL');
    const { rows } = await ask('SELECT count(*) FROM orders', { database: 'wal.db' });
    expect(rows).toEqual([[3]]);
    expect(readdirSync(scratch.workspace)).toEqual(['shop.db', 'wal.db']);
  });

  it('sees rows of another process that are not checkpointed yet', async () => {
    const db = new Database(join(scratch.workspace, 'live.db'));
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)');
    const { rows } = await ask('SELECT count(*) FROM t', { database: 'live.db' });
    db.close();
    expect(rows).toEqual([[2]]);
  });

  it('changes nothing', async () => {
    const before = readFileSync(join(scratch.workspace, 'shop.db'));
    await ask('SELECT * FROM orders ORDER BY total');
    expect(readFileSync(join(scratch.workspace, 'shop.db')).equals(before)).toBe(true);
  });

  it.each([
    ['a text file', 'notes.txt', /not a SQLite database/],
    ['an empty file', 'empty.db', /is empty/],
    ['a missing file', 'none.db', /No file `none.db`/],
    ['a folder', '.', /is a folder/],
    ['a link that leads outside', 'door.db', /outside the workspace/],
    ['a damaged file', 'broken.db', /malformed|corrupt|not a database/],
  ])('reports %s', async (_what, database, message) => {
    scratch.put('notes.txt', 'just some text, long enough');
    scratch.put('empty.db', '');
    scratch.put(
      'broken.db',
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5_000, 7)]),
    );
    make('other.db', scratch.outside);
    symlinkSync(join(scratch.outside, 'other.db'), join(scratch.workspace, 'door.db'));
    await expect(ask('SELECT * FROM orders', { database })).rejects.toThrow(message);
  });

  it.each(['-wal', '-shm', '-journal'])(
    'refuses a database whose %s file is a link',
    async (ending) => {
      make('wal.db', scratch.workspace, 'journal_mode = WAL');
      const target = join(scratch.outside, 'made-by-chance');
      symlinkSync(target, join(scratch.workspace, `wal.db${ending}`));
      await expect(ask('SELECT 1', { database: 'wal.db' })).rejects.toThrow(/is a link/);
      expect(readdirSync(scratch.outside)).toEqual([]);
    },
  );

  it('ends a query over twenty million rows within its time, and answers the next', async () => {
    const sql =
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000000) SELECT sum(x % 7) FROM c, (SELECT 1 UNION SELECT 2)';
    await expect(ask(sql, {}, { timeoutMs: 600 })).rejects.toSatisfy((error) =>
      failedWith(error, 'TOOL_TIMED_OUT'),
    );
    expect((await ask('SELECT 1')).rows).toEqual([[1]]);
  });

  it('refuses a protected database', async () => {
    await expect(ask('SELECT 1', {}, { isProtected: () => true })).rejects.toSatisfy((error) =>
      failedWith(error, 'PATH_PROTECTED'),
    );
  });

  it('is a read of the database', () => {
    expect(sqlQuery.prepare({ database: 'a.db', sql: 'SELECT 1' }).operation).toMatchObject({
      name: 'sql_query.read',
      tier: 0,
      repeatability: 'pure',
      paths: [{ path: 'a.db', access: 'read' }],
    });
    expect(() => sqlQuery.prepare({ database: 'a.db', sql: 'x', max_rows: 0 })).toThrow(/max_rows/);
  });
});
