import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordFailedRun } from '../../../../test/programs/record-failed-run.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { AppError } from '../../../contract/errors.ts';
import { openStores } from '../../../coordinator/store/open-stores.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { type Capstan, openCapstan } from '../../open-capstan.ts';

let person: Person;
let capstan: Capstan | undefined;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(async () => {
  await capstan?.close();
  person.remove();
});

/** Rows of parked runs, oldest first: their ids. */
function parked(...tasks: readonly (readonly [workspace: string, task: string])[]): string[] {
  const stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
  const ids = tasks.map(
    ([workspace, task]) =>
      recordFailedRun(stores, { task, workspace }, new AppError('USAGE', { problem: 'bad' })).id,
  );
  stores.db.prepare("UPDATE runs SET status = 'parked', ended_at = NULL").run();
  stores.close();
  return ids;
}

async function resumeIn(cwd: string) {
  capstan = await openCapstan({ env: person.environment, cwd });
  return capstan.runs.resume().catch((error: unknown) => error);
}

it('resume without an id never takes a run of another workspace', async () => {
  const other = join(person.project, 'other');
  mkdirSync(other);
  parked([other, 'theirs']);
  expect(await resumeIn(person.project)).toMatchObject({
    code: 'NO_RUN_PARKED',
    message: `No run is parked in ${person.project}. Parked in other workspaces: 1.`,
    next: [{ action: 'list_runs' }],
  });
});

it('resume without an id lists the parked runs of this workspace if there are several', async () => {
  const other = join(person.project, 'other');
  mkdirSync(other);
  const [first = '', , third = ''] = parked(
    [person.project, 'count\nlines'],
    [other, 'theirs'],
    [person.project, `say \u202e${'x'.repeat(80)}`],
  );
  const error = await resumeIn(person.project);
  expect(error).toMatchObject({
    code: 'SEVERAL_RUNS_PARKED',
    next: [
      { action: 'resume', id: third },
      { action: 'resume', id: first },
    ],
  });
  const [, newest, oldest, ...rest] = (error as AppError).message.split('\n');
  expect(newest).toMatch(new RegExp(`^  ${third.slice(-8)}  say \\\\u202ex+…$`));
  expect(oldest).toBe(`  ${first.slice(-8)}  count lines`);
  expect(rest).toEqual([]);
});

it('resume takes no check or trial: without an id it does not see it, by its id it says what to do', async () => {
  const [check = ''] = parked([person.project, 'Check the models']);
  const stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
  stores.db.prepare("UPDATE runs SET wish = json_set(wish, '$.isCheck', json('true'))").run();
  stores.close();
  expect(await resumeIn(person.project)).toMatchObject({ code: 'NO_RUN_PARKED' });
  await expect(capstan?.runs.resume(check)).rejects.toMatchObject({
    code: 'RUN_NOT_PARKED',
    message: expect.stringContaining('Start the check or the trial again.'),
    next: [{ action: 'cancel', id: check }],
  });
  expect((await capstan?.runs.get(check))?.document.next).toEqual([]);
});

it('resume without an id says that nothing is parked', async () => {
  expect(await resumeIn(person.project)).toMatchObject({
    message: `No run is parked in ${person.project}.`,
    next: [],
  });
});
