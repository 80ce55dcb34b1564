import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';
import {
  type Approver,
  addRun,
  brokerPartsOf,
  policyWith,
  runScopeOf,
} from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { Approval } from '../../contract/approval.ts';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import type { ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import type { Db } from '../../db/open-database.ts';
import { reserveBytes } from '../../platform/byte-budget.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { createBroker } from '../answer.ts';

let dir: string;
let workspace: string;
let db: Db;
beforeEach(() => {
  ({ dir, db } = temporaryDatabase());
  workspace = realpathSync(mkdtempSync(join(dir, 'workspace-')));
  addRun(db, 'run-1');
  edit(
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT); INSERT INTO orders VALUES (1, 'new'), (2, 'new')",
  );
});

/** Changes the database as another program does. */
function edit(sql: string): void {
  const shop = new Database(join(workspace, 'shop.db'));
  shop.exec(sql);
  shop.close();
}

function statuses(): unknown[] {
  const shop = new Database(join(workspace, 'shop.db'), { readonly: true });
  const found = shop.prepare('SELECT status FROM orders ORDER BY id').pluck().all();
  shop.close();
  return found;
}

interface Options {
  readonly grant?: ToolGrant;
  /** Called while the n-th question is open, from 1. */
  onQuestion?(count: number): void;
  /** Called once the call has been previewed. */
  onRequest?(): void;
}

function setUp({ grant = {}, onQuestion, onRequest }: Options = {}) {
  const asked: Approval[] = [];
  const approver: Approver = {
    async ask(question) {
      asked.push(question);
      onQuestion?.(asked.length);
      return { answer: 'approve', by: 'terminal' };
    },
  };
  const parts = brokerPartsOf(db, { tools: toolbox, approver, limits: { toolTimeoutMs: 20_000 } });
  parts.events.listen(({ type }) => {
    if (type === 'tool.requested') onRequest?.();
  });
  const grants = new Map([['sql_query', { paths: ['**'], ...grant }]]);
  const { coordinator: scope } = runScopeOf(
    { id: 'run-1', workspace, policy: policyWith({}) },
    grants,
  );
  const broker = createBroker(parts);
  const call = async (args: object) =>
    (await broker.answer(
      { type: 'tool_call_intent', tool: 'sql_query', args: { ...args }, reason: 'because' },
      scope,
    )) as ToolCallResult;
  const change = (sql: string, args: object = {}) =>
    call({ database: 'shop.db', access: 'write', sql, ...args });
  const rows = () => parts.journal.intentsOf('run-1');
  return { asked, call, change, scope, rows };
}

const SHIP = "UPDATE orders SET status = 'shipped' WHERE id > ?";

it('asks before statements change a database, with the statement and the number of rows', async () => {
  const { asked, change, rows } = setUp();
  const reply = await change(SHIP, { params: [0] });
  expect(reply).toMatchObject({ ok: true, result: { changes: ['changes 2 rows in orders'] } });
  expect(asked).toMatchObject([{ operation: 'sql_query.change', tier: 1 }]);
  expect(asked[0]?.question).toBe(
    "Allow clerk to change shop.db: UPDATE orders SET status = 'shipped' WHERE id > ??",
  );
  expect(asked[0]?.details).toBe(
    `sql_query.change (tier 1)\nreads "shop.db"\nwrites "shop.db"\nchanges 2 rows in orders\nby:\n${SHIP}\nvalues: [0]`,
  );
  expect(rows()).toMatchObject([{ status: 'done', effects: [{ after: expect.any(String) }] }]);
});

it("asks again for every further change of a database, since its rows are not Capstan's", async () => {
  const { asked, change } = setUp();
  await change(SHIP, { params: [1] });
  await change(SHIP, { params: [0] });
  expect(asked).toHaveLength(2);
});

it('creates a database without a question', async () => {
  const { asked, change } = setUp();
  const made = await change('CREATE TABLE t (a)', { database: 'new.db' });
  expect([made.ok, asked]).toEqual([true, []]);
});

it('starts its process once there is space for its result', async () => {
  let release: ReturnType<typeof reserveBytes> = () => {};
  const { signal } = new AbortController();
  const { change } = setUp({
    onRequest() {
      release = reserveBytes({ attempt: {}, bytes: 100 * 1024 * 1024, signal });
    },
  });
  const made = change('CREATE TABLE t (a)', { database: 'new.db' });
  const first = await Promise.race([made, sleep(500, 'it waits')]);
  (await release)();
  expect([first, (await made).ok]).toEqual(['it waits', true]);
});

it('does not ask about statements that fail or change nothing', async () => {
  const { asked, change, rows } = setUp();
  const failed = await change('UPDATE orders SET state = 1');
  expect(failed.error?.message).toMatch(/no such column: state/);
  expect(await change(SHIP, { params: [9] })).toMatchObject({
    result: { changes: ['changes 0 rows in orders'] },
  });
  expect(asked).toEqual([]);
  expect(rows()).toMatchObject([{ status: 'failed' }, { status: 'done' }]);
});

it('asks again, with new numbers, if the database changed while the question was open', async () => {
  const { asked, change } = setUp({
    onQuestion: (count) => count === 1 && edit("INSERT INTO orders VALUES (3, 'new')"),
  });
  expect((await change(SHIP, { params: [0] })).ok).toBe(true);
  expect(asked.map(({ details }) => /changes \d rows/.exec(details)?.[0])).toEqual([
    'changes 2 rows',
    'changes 3 rows',
  ]);
  expect(statuses()).toEqual(['shipped', 'shipped', 'shipped']);
});

it('asks again, with new numbers, if a file that determines the changes was rewritten while the question was open', async () => {
  writeFileSync(join(workspace, 'keep.csv'), 'id\n1\n');
  const { asked, change } = setUp({
    onQuestion: (count) => count === 1 && writeFileSync(join(workspace, 'keep.csv'), 'id\n1\n2\n'),
  });
  const sql = 'DELETE FROM orders WHERE id IN (SELECT id FROM keep)';
  expect((await change(sql, { files: { keep: 'keep.csv' } })).ok).toBe(true);
  expect(asked.map(({ details }) => /(?:changes|deletes) \d rows?/.exec(details)?.[0])).toEqual([
    expect.stringContaining('1 row'),
    expect.stringContaining('2 rows'),
  ]);
});

it('refuses a change to a capsule that is granted only to read, and does not perform it on a copy', async () => {
  const before = readFileSync(join(workspace, 'shop.db'));
  const { asked, change } = setUp({ grant: { operations: ['read', 'save'] } });
  const refused = await change('UPDATE orders SET state = 1');
  expect(refused.error).toMatchObject({
    code: 'INTENT_DENIED',
    message: expect.stringMatching(
      /not granted sql_query\.change \(grants\.tools\.sql_query\.operations in its manifest: read, save\)/,
    ),
  });
  expect([asked, readFileSync(join(workspace, 'shop.db'))]).toEqual([[], before]);
});

it.each([
  ['a query of files', { files: { t: 't.csv' }, sql: 'SELECT a FROM t' }],
  ['a saved result', { files: { t: 't.csv' }, sql: 'SELECT a FROM t', save_as: 'out.csv' }],
  [
    'a change, which may give rows',
    { database: 'shop.db', access: 'write', sql: 'DELETE FROM orders RETURNING *' },
  ],
])('marks the run as one that has read private data after %s', async (_what, args) => {
  writeFileSync(join(workspace, 't.csv'), 'a\n1\n');
  const { call, scope } = setUp();
  expect(scope.run.hasReadPrivate).toBe(false);
  expect(await call(args)).toMatchObject({ ok: true });
  expect(scope.run.hasReadPrivate).toBe(true);
});
