import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addRun } from '../../../test/setup/broker-parts.ts';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { openStores } from '../../coordinator/store/open-stores.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { type Capstan, openCapstan } from '../open-capstan.ts';

let person: Person;
let stores: Stores;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
  stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
});
afterEach(async () => {
  stores.close();
  await capstan.close();
  person.remove();
});

/** A run in a workspace that made a file at a path (absolute). */
function runThatMade(workspace: string, path: string): void {
  addRun(stores.db, 'run-1', { status: 'completed' });
  stores.db.prepare('UPDATE runs SET workspace = ?').run(workspace);
  const about = { runId: 'run-1', subtaskId: 's1', path, before: 'absent', wasWritten: true };
  stores.journal.commit(() => stores.files.save({ ...about, sha256: sha256('made'), bytes: 4 }));
}

it.each([
  ['a folder', () => person.project],
  ['the root folder', () => '/'],
])('the file that a run made can be read if its workspace is %s', async (_what, workspace) => {
  const path = person.writeProject('out/made.txt', 'made');
  runThatMade(workspace(), path);
  const shown = path.slice(workspace() === '/' ? 1 : workspace().length + 1);
  const { name, content } = await capstan.reports.artifact('run-1', shown);
  expect([name, content.toString()]).toEqual(['made.txt', 'made']);
});

it('a file is not read through a link out of the workspace', async () => {
  const outside = join(dirname(person.project), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'made.txt'), 'made');
  symlinkSync(outside, join(person.project, 'out'));
  runThatMade(person.project, join(person.project, 'out/made.txt'));
  await expect(capstan.reports.artifact('run-1', 'out/made.txt')).rejects.toThrow(
    'leads out of the workspace',
  );
});
