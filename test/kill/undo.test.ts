import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/open-database.ts';
import { changingRun } from '../programs/changing-run.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { type KillableCapstan, killableCapstan } from './killable-capstan.ts';

let person: Person;
let capstan: KillableCapstan;
beforeEach(() => {
  person = temporaryPerson();
  capstan = killableCapstan(person);
});
afterEach(() => person.remove());

const contentOf = (name: string): string => {
  const path = join(person.project, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : 'absent';
};

/** What each file is before the run and after it. */
const files = {
  'changed.txt': ['before', 'after'],
  'created.txt': ['absent', 'new'],
  'deleted.txt': ['gone', 'absent'],
} as const;
const names = Object.keys(files) as (keyof typeof files)[];
const states = () => names.map(contentOf);
const before = names.map((name) => files[name][0]);
const after = names.map((name) => files[name][1]);

it('an undo that is killed at any point leaves complete files, and the next one finishes it', async () => {
  person.writeProject('changed.txt', 'before');
  person.writeProject('deleted.txt', 'gone');
  const run = changingRun(person);
  await run.write('changed.txt', 'after');
  await run.write('created.txt', 'new');
  await run.shell('rm deleted.txt');
  const id = run.end();
  let kills = 0;
  for (let point = 0; (await capstan(['runs', 'undo', id, '--yes'], point)).wasKilled; point += 1) {
    kills += 1;
    for (const name of names) expect(files[name]).toContain(contentOf(name));
    await capstan(['runs', 'undo', id, '--yes']);
    expect(states(), `after point ${point}`).toEqual(before);
    await capstan(['runs', 'undo', id, '--yes', '--redo']);
    expect(states(), `redone after point ${point}`).toEqual(after);
  }
  expect(kills).toBeGreaterThan(8);
  expect(states()).toEqual(before);
}, 240_000);

it.each(['effect', 'place', 'placed', 'effected'])(
  'a run that is killed at "%s" of a file and resumed can be undone',
  async (point) => {
    person.writeProject('a.txt', 'one\n');
    const task = 'Append "two" to a.txt';
    expect((await capstan(['run', task], point)).wasKilled).toBe(true);
    const db = openDatabase(join(person.home, 'state/capstan.db'));
    const { id } = db.prepare<[], { id: string }>('SELECT id FROM runs').get() ?? { id: '' };
    db.close();
    await capstan(['resume', id]);
    expect(contentOf('a.txt')).toBe('one\ntwo\n');
    await capstan(['runs', 'undo', id, '--yes']);
    expect(contentOf('a.txt')).toBe('one\n');
  },
);
