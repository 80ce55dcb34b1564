import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../../test/setup/tool-scratch.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { sqlQuery } from '../sql-query.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
  make('shop.db');
});
afterEach(() => scratch[Symbol.dispose]());

const at = (name: string) => join(scratch.workspace, name);

function make(name: string, pragma = 'journal_mode = DELETE'): void {
  const db = new Database(at(name));
  db.pragma(pragma);
  db.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers(id) ON DELETE CASCADE, total REAL);
    CREATE TABLE log (text TEXT);
    CREATE TRIGGER logged AFTER UPDATE ON orders BEGIN INSERT INTO log VALUES ('changed'); END;
    INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bo');
    INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 7), (3, 2, 8);`);
  db.close();
}

interface Changed {
  readonly changes: readonly string[];
  readonly rows: readonly unknown[][];
  readonly created?: boolean;
  readonly sha256?: string;
}

const change = (sql: string, args: object = {}) =>
  scratch.ask<Changed>(sqlQuery, { database: 'shop.db', access: 'write', sql, ...args });

function rowsOf(sql: string, name = 'shop.db'): unknown[] {
  const db = new Database(at(name), { readonly: true });
  try {
    return db.prepare<[], unknown[]>(sql).raw(true).all();
  } finally {
    db.close();
  }
}

const hashOf = (name: string) => sha256(readFileSync(at(name)));

describe('sql_query with access "write"', () => {
  it.each([
    [
      'UPDATE orders SET total = 0 WHERE customer = 2',
      ['changes 1 row in orders', 'changes 1 row more through triggers and foreign keys'],
    ],
    ["INSERT INTO customers VALUES (3, 'Cy'), (4, 'Di')", ['adds 2 rows to customers']],
    [
      "INSERT INTO customers VALUES (1, 'Al') ON CONFLICT DO UPDATE SET name = excluded.name",
      ['adds or replaces 1 row in customers'],
    ],
    ["REPLACE INTO log VALUES ('a')", ['adds or replaces 1 row in log']],
    [
      'DELETE FROM customers WHERE id = 1',
      ['deletes 1 row of customers', 'changes 2 rows more through triggers and foreign keys'],
    ],
    [
      'WITH w AS (SELECT 2 AS c) DELETE FROM main.orders WHERE customer IN (SELECT c FROM w)',
      ['deletes 1 row of main.orders'],
    ],
    ['UPDATE "customers" SET name = upper(name)', ['changes 2 rows in "customers"']],
    ['DROP TABLE orders', ['drops the table orders (3 rows)']],
    [
      'CREATE TABLE big AS SELECT * FROM orders WHERE total > 7',
      ['creates the table big (2 rows)'],
    ],
    ['CREATE INDEX by_customer ON orders (customer)', ['creates the index by_customer']],
    ['ALTER TABLE orders ADD COLUMN note TEXT', ['alters the table orders']],
    [
      "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (';'); INSERT INTO t VALUES (2); -- end",
      ['creates the table t (0 rows)', 'adds 2 rows to t'],
    ],
    [
      "CREATE TRIGGER x AFTER INSERT ON log BEGIN UPDATE orders SET total = 1; DELETE FROM log; END; INSERT INTO log VALUES ('a')",
      [
        'creates the trigger x',
        'adds 1 row to log',
        'changes 10 rows more through triggers and foreign keys',
      ],
    ],
  ])('performs %s and reports its effect', async (sql, changes) => {
    expect(await change(sql)).toMatchObject({ changes, created: false, sha256: hashOf('shop.db') });
  });

  it('returns the rows of RETURNING, and those of a last SELECT', async () => {
    const returned = await change(
      'UPDATE orders SET total = total + 1 WHERE id = 1 RETURNING id, total',
    );
    expect(returned).toMatchObject({ columns: ['id', 'total'], rows: [[1, 11.5]] });
    const read = await change("INSERT INTO log VALUES ('a'); SELECT count(*) AS n FROM log");
    expect(read).toMatchObject({ columns: ['n'], rows: [[2]] });
  });

  it('binds values, and refuses them for several statements', async () => {
    await change('UPDATE orders SET total = ? WHERE id = ?', { params: [5, 3] });
    expect(rowsOf('SELECT total FROM orders WHERE id = 3')).toEqual([[5]]);
    const two = "INSERT INTO log VALUES ('a'); INSERT INTO log VALUES (?)";
    await expect(change(two, { params: ['b'] })).rejects.toThrow(/single statement/);
  });

  it('performs all statements of a call or none', async () => {
    const before = hashOf('shop.db');
    const failing =
      "INSERT INTO customers VALUES (9, 'Zoe'); INSERT INTO customers VALUES (1, 'Ada')";
    await expect(change(failing)).rejects.toThrow(/UNIQUE/);
    await expect(change('DELETE FROM orders; DELETE FROM order')).rejects.toThrow(/syntax/);
    await expect(change('DELETE FROM ordres')).rejects.toThrow(/Did you mean "orders"/);
    await expect(change('INSERT INTO orders VALUES (9, 77, 1)')).rejects.toThrow(/FOREIGN KEY/);
    expect(hashOf('shop.db')).toBe(before);
    expect(readdirSync(scratch.workspace)).toEqual(['shop.db']);
  });

  it.each([
    ["ATTACH 'x.db' AS x", /attach/],
    ["INSERT INTO log VALUES ('a'); ATTACH 'x.db' AS x", /attach/],
    ["VACUUM INTO 'copy.db'", /vacuum/],
    ['PRAGMA journal_mode = WAL', /pragma/],
    ["SELECT load_extension('x')", /load_extension/],
    ['BEGIN; DELETE FROM log; COMMIT', /leave BEGIN out/],
    ['DELETE FROM log; ROLLBACK', /leave ROLLBACK out/],
    ['EXPLAIN DELETE FROM log', /EXPLAIN is not allowed/],
    ["UPDATE sqlite_master SET sql = ''", /may not be modified/],
    [' -- nothing', /no statement/],
  ])('refuses %s', async (sql, message) => {
    const before = hashOf('shop.db');
    await expect(change(sql)).rejects.toThrow(message);
    expect([hashOf('shop.db'), readdirSync(scratch.workspace)]).toEqual([before, ['shop.db']]);
  });

  it('leaves the file unchanged if nothing changes', async () => {
    const before = statSync(at('shop.db'));
    expect(await change('DELETE FROM orders WHERE id = 99')).toMatchObject({
      changes: ['deletes 0 rows of orders'],
    });
    expect(statSync(at('shop.db')).ino).toBe(before.ino);
  });

  it('makes a new database, also of data files', async () => {
    scratch.put('orders.json', '[{"id": 1, "total": 10.50}, {"id": 2, "total": 3}]');
    const files = { orders: 'orders.json' };
    const sql = 'CREATE TABLE orders AS SELECT * FROM orders';
    const made = await change(sql, { database: 'data/new.db', files });
    expect(made).toMatchObject({ created: true, changes: ['creates the table orders (2 rows)'] });
    expect(rowsOf('SELECT * FROM orders', 'data/new.db')).toEqual([
      [1, 10.5],
      [2, 3],
    ]);
    scratch.put('more.csv', 'id,total\n3,7\n4,8.25\n');
    const more = { database: 'data/new.db', files: { more: 'more.csv' } };
    expect(await change('INSERT INTO orders SELECT * FROM more', more)).toMatchObject({
      changes: ['adds 2 rows to orders'],
      tables: { more: { format: 'csv', rows: 2 } },
    });
    expect(rowsOf('SELECT sum(total) FROM orders', 'data/new.db')).toEqual([[28.75]]);
  });

  it('refuses to write rows to the table of a file, which would lose them', async () => {
    scratch.put('in.csv', 'id\n1\n');
    const files = { items: 'in.csv' };
    const sql = 'CREATE TABLE items AS SELECT * FROM items; INSERT INTO items VALUES (2)';
    await expect(change(sql, { files })).rejects.toThrow(/main\.items/);
    await change(sql.replace('INTO items', 'INTO main.items'), { files });
    expect(rowsOf('SELECT id FROM items')).toEqual([[1], [2]]);
  });

  it('makes a database of an empty file', async () => {
    scratch.put('empty.db', '');
    await change('CREATE TABLE t (a)', { database: 'empty.db' });
    expect(rowsOf('SELECT name FROM sqlite_master', 'empty.db')).toEqual([['t']]);
  });

  it('keeps the mode of the file and that of its journal', async () => {
    make('logged.db', 'journal_mode = WAL');
    await change('DELETE FROM orders', { database: 'logged.db' });
    const db = new Database(at('logged.db'));
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
    expect(rowsOf('SELECT count(*) FROM orders', 'logged.db')).toEqual([[0]]);
  });

  it.each(['-wal', '-journal'])(
    'refuses a database with changes in its file %s',
    async (ending) => {
      scratch.put(`shop.db${ending}`, 'something');
      await expect(change('DELETE FROM orders')).rejects.toThrow(/has changes that are not in/);
    },
  );

  it.runIf(process.platform === 'linux')(
    'refuses a database that another program has open for writing, not one that is only read',
    async () => {
      const hold = (mode: string) => {
        const code = `require('fs').openSync('shop.db', '${mode}'); console.log('open'); setInterval(() => {}, 1000)`;
        return spawn(process.execPath, ['-e', code], { cwd: scratch.workspace });
      };
      for (const [mode, isRefused] of [
        ['r+', true],
        ['r', false],
      ] as const) {
        const other = hold(mode);
        await new Promise((resolve) => other.stdout.once('data', resolve));
        const ended = change("INSERT INTO log VALUES ('a')");
        if (isRefused)
          await expect(ended).rejects.toThrow(/is open in another program \(node, process \d+\)/);
        else await ended;
        other.kill('SIGKILL');
        await new Promise((resolve) => other.once('close', resolve));
      }
    },
  );

  it('refuses a file that is not a database, is too large, or is a link', async () => {
    scratch.put('text.db', 'only text that is no database');
    await expect(change('CREATE TABLE t (a)', { database: 'text.db' })).rejects.toThrow(
      /not a SQLite database/,
    );
    truncateSync(at('shop.db'), 65 * 1024 * 1024);
    await expect(change('CREATE TABLE t (a)')).rejects.toThrow(/larger than 64 MiB/);
    await expect(change('SELECT 1', { database: '../outside/x.db' })).rejects.toThrow(/outside/);
    expect(existsSync(join(scratch.outside, 'x.db'))).toBe(false);
  });

  it('changes the file that a symbolic link leads to, and refuses a second name of a file', async () => {
    symlinkSync('shop.db', at('link.db'));
    await change("UPDATE customers SET name = 'Al' WHERE id = 1", { database: 'link.db' });
    expect(rowsOf('SELECT name FROM customers WHERE id = 1')).toEqual([['Al']]);
    expect(lstatSync(at('link.db')).isSymbolicLink()).toBe(true);
    linkSync(at('shop.db'), at('twin.db'));
    await expect(change('DELETE FROM log', { database: 'twin.db' })).rejects.toThrow(/hard link/);
  });

  it('reports a damaged database, and leaves it unchanged', async () => {
    const content = readFileSync(at('shop.db'));
    scratch.put('shop.db', content.fill(0x5a, 4_096, content.length - 100));
    const before = hashOf('shop.db');
    await expect(change('UPDATE orders SET total = 0')).rejects.toThrow(/malformed|no such table/);
    expect(hashOf('shop.db')).toBe(before);
  });

  it('needs a database, and saves no result', () => {
    const args = { access: 'write', sql: 'DELETE FROM t' };
    expect(() => sqlQuery.prepare({ ...args, files: { t: 'a.csv' } })).toThrow(
      /changes a database/,
    );
    expect(() => sqlQuery.prepare({ ...args, database: 'a.db', save_as: 'a.csv' })).toThrow(
      /after the change/,
    );
  });

  it('computes in a preview the result of the call, and changes nothing', async () => {
    const { preview, perform } = sqlQuery.prepare({
      database: 'shop.db',
      access: 'write',
      sql: 'UPDATE orders SET total = 0',
    });
    const before = hashOf('shop.db');
    const found = await preview?.(scratch.context());
    expect(found).toMatchObject({
      before,
      changes: ['changes 3 rows in orders', expect.any(String)],
    });
    expect(hashOf('shop.db')).toBe(before);
    await perform(scratch.context());
    expect(hashOf('shop.db')).toBe(found?.after);
  });
});
