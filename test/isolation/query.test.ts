import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import { sqlQuery } from '../../src/tools/sql-query.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

const levels: readonly (readonly [string, boolean, () => Sandbox])[] = [
  ['A', hasBubblewrap, levelA],
  ['B', hasLandlock, levelB],
];

describe.each(levels)('a query at level %s', (_, isThere, make) => {
  const count = async () => {
    const args = { database: 'shop.db', sql: 'SELECT count(*) AS n FROM orders' };
    return (await scratch.ask<{ rows: unknown }>(sqlQuery, args, { sandbox: make() })).rows;
  };
  const fill = (mode: string) => {
    const db = new Database(join(scratch.workspace, 'shop.db'));
    db.pragma(`journal_mode = ${mode}`);
    db.exec('CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1), (2)');
    return db;
  };

  it.runIf(isThere)('reads a database', async () => {
    fill('DELETE').close();
    expect(await count()).toEqual([[2]]);
  });

  it.runIf(isThere)('reads named files, several and next to a database', async () => {
    fill('DELETE').close();
    scratch.put('a.csv', 'id,x\n1,1.50\n2,2.50\n');
    scratch.put('b.csv', 'id,x\n3,3.50\n');
    const args = {
      database: 'shop.db',
      files: { a: 'a.csv', all: '*.csv' },
      sql: 'SELECT a.x, (SELECT count(*) FROM "all") FROM a JOIN orders o ON o.id = a.id',
      save_as: 'out.json',
    };
    const { rows } = await scratch.ask<{ rows: unknown }>(sqlQuery, args, { sandbox: make() });
    expect(rows).toEqual([
      ['1.50', 3],
      ['2.50', 3],
    ]);
  });

  it.runIf(isThere)('reads a database whose write-ahead log is in use', async () => {
    using db = Object.assign(fill('WAL'), { [Symbol.dispose]: () => undefined });
    expect(await count()).toEqual([[2]]);
    db.close();
  });
});
