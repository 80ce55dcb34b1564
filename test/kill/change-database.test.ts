import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { addCapsule, killableCapstan } from './killable-capstan.ts';

/** Performed twice, it changes the value twice. */
const CAPSULE = `'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
async function work({ call, task }) {
  const database = /(\\w+\\.db)/.exec(task)[1];
  const sql = {
    'new.db': 'CREATE TABLE t AS SELECT 1 AS n',
    'old.db': 'UPDATE t SET n = n + 1',
    'dice.db': 'UPDATE t SET n = n + 1, dice = random()',
  }[database];
  const { changes } = await call('sql_query', { database, access: 'write', sql }, 'to count');
  return { text: String(changes) };
}
start({ handlers: () => ({ work }) });`;

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
  addCapsule(person, 'counter', CAPSULE);
  mkdirSync(person.project, { recursive: true });
  writeFileSync(join(person.project, 'notes.txt'), 'a project\n');
  for (const name of ['old.db', 'dice.db']) {
    const db = new Database(join(person.project, name));
    db.exec('CREATE TABLE t (n INTEGER, dice INTEGER); INSERT INTO t VALUES (0, 0)');
    db.close();
  }
});
afterEach(() => person.remove());

function countIn(name: string): unknown {
  const db = new Database(join(person.project, name), { readonly: true });
  try {
    return db.prepare('SELECT n FROM t').pluck().get();
  } finally {
    db.close();
  }
}

const points = ['committed', 'effect', 'place', 'placed', 'effected'];
const cases = points.flatMap((point) => [[point, 'old.db'] as const, [point, 'new.db'] as const]);

it.each(cases)(
  'a database is changed once when the run is killed at %s (%s) and resumed',
  async (point, name) => {
    const capstan = killableCapstan(person);
    const words = ['run', '--provider', 'offline', '--capsule', 'counter', `Count in ${name}`];
    const first = await capstan(words, point);
    expect(first.wasKilled, first.said).toBe(true);
    const [run] = JSON.parse((await capstan(['runs', 'list', '--all', '--json'])).said);
    const second = await capstan(['resume', run.run_id]);
    expect(second.code, second.said).toBe(0);
    expect(countIn(name)).toBe(1);
    expect(
      readdirSync(person.project)
        .filter((one) => one.includes('.db'))
        .sort(),
    ).toEqual(name === 'new.db' ? ['dice.db', 'new.db', 'old.db'] : ['dice.db', 'old.db']);
  },
);

it('a person is asked whether it happened if the result of the statements could not be known before', async () => {
  const capstan = killableCapstan(person);
  const words = ['run', '--provider', 'offline', '--capsule', 'counter', 'Count in dice.db'];
  expect((await capstan(words, 'placed')).wasKilled).toBe(true);
  const [run] = JSON.parse((await capstan(['runs', 'list', '--all', '--json'])).said);
  const parked = await capstan(['resume', run.run_id]);
  expect(parked.said).toMatch(/Did this happen: sql_query\.change dice\.db/);
  expect(countIn('dice.db')).toBe(1);
});

it('a changed database is among the changes of its run, and an undo restores it', async () => {
  const capstan = killableCapstan(person);
  await capstan(['run', '--provider', 'offline', '--capsule', 'counter', 'Count in old.db']);
  const [run] = JSON.parse((await capstan(['runs', 'list', '--all', '--json'])).said);
  expect((await capstan(['runs', 'diff', run.run_id])).said).toMatch(/changed\s+old\.db/);
  expect(countIn('old.db')).toBe(1);
  await capstan(['runs', 'undo', run.run_id, '--yes']);
  expect(countIn('old.db')).toBe(0);
});
