import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import {
  addCapsule,
  type Ended,
  type KillableCapstan,
  killableCapstan,
} from './killable-capstan.ts';

const CAPSULE = `'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
const files = { t: 'in.csv' };
const args = { files, sql: 'SELECT id, amount FROM t ORDER BY id DESC', save_as: 'out.csv' };
async function work({ call }) {
  await call('sql_query', args, 'to save the rows');
  return { text: 'saved' };
}
start({ handlers: () => ({ work }) });`;

let person: Person;
let capstan: KillableCapstan;
beforeEach(() => {
  person = temporaryPerson();
  capstan = killableCapstan(person);
  addCapsule(person, 'saver', CAPSULE);
  person.writeProject('in.csv', 'id,amount\n1,10.50\n2,3.00\n');
});
afterEach(() => person.remove());

/** If the file in the question has changed since, resume asks again. */
async function resumeAnswered(run: string): Promise<Ended> {
  const resumed = await capstan(['resume', run]);
  const question = /approvals show (\w+)/.exec(resumed.said)?.[1];
  if (question === undefined) return resumed;
  await capstan(['approvals', 'approve', question]);
  return capstan(['resume', run]);
}

const out = () => join(person.project, 'out.csv');
const contentOf = () => (existsSync(out()) ? readFileSync(out(), 'utf8') : 'absent');
const WHOLE = 'id,amount\n2,3.00\n1,10.50\n';

const cases = ['effect', 'place', 'placed', 'effected'].flatMap((point) => [
  [point, 'absent'] as const,
  [point, 'older\n'] as const,
]);

it.each(cases)(
  'a saved result is complete or missing when its run is killed at %s (before: %j), and saved by resume',
  async (point, before) => {
    if (before !== 'absent') writeFileSync(out(), before);
    const words = ['run', '--provider', 'offline', '--capsule', 'saver', 'Save the rows'];
    const first = await capstan(words, point);
    expect(first.wasKilled, first.said).toBe(true);
    expect([before, WHOLE]).toContain(contentOf());
    const [run] = JSON.parse((await capstan(['runs', 'list', '--all', '--json'])).said);
    const second = await resumeAnswered(run.run_id);
    expect(second.code, second.said).toBe(0);
    expect(contentOf()).toBe(WHOLE);
    expect(readdirSync(person.project).filter((name) => name.endsWith('.csv'))).toEqual([
      'in.csv',
      'out.csv',
    ]);
  },
);
