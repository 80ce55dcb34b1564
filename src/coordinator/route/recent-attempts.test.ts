import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTaskRunner, type TaskRunner } from '../../../test/programs/run-tasks.ts';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';

let person: Person;
let runner: TaskRunner;
beforeEach(async () => {
  person = temporaryPerson();
  person.writeProject('a.txt', 'one\ntwo\n');
  runner = await openTaskRunner(person);
});
afterEach(async () => {
  await runner.close();
  person.remove();
});

it('counts the attempts of a capsule with its present files, in one workspace', async () => {
  const good = await runner.run('Count the lines of a.txt');
  const bad = await runner.run('Count the lines of missing.txt');
  const [subtask] = runner.stores.subtasks.of(good.id);
  const [attempt] = runner.stores.subtasks.attemptsOf(good.id, subtask?.id ?? '');
  const id = attempt?.capsuleId ?? '';
  const hash = attempt?.capsuleHash ?? '';
  expect([good.status, bad.status]).toEqual(['completed', 'failed']);
  const { recentAttempts } = runner.stores;
  expect(recentAttempts({ id, hash }, good.workspace)).toEqual({ completed: 1, attempts: 2 });
  expect(recentAttempts({ id, hash: 'changed' }, good.workspace)).toBeUndefined();
  expect(recentAttempts({ id, hash }, '/elsewhere')).toBeUndefined();
});

it('does not count an attempt that was handed back', async () => {
  await runner.run('@file-clerk Compose a fugue in four voices');
  const capsule = runner.stores.subtasks.lastOf('file-clerk', 1)[0];
  expect(capsule?.status).toBe('failed');
  const counted = { id: 'file-clerk', hash: capsule?.capsuleHash ?? '' };
  expect(runner.stores.recentAttempts(counted, person.project)).toBeUndefined();
});
