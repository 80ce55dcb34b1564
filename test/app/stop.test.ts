import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import { startFairClock } from '../setup/fair-clock.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { addCounter, killStarted, startRuns } from './other-process.ts';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  addCounter(person);
  capstan = await openCapstan({
    env: { ...person.environment, CAPSTAN_PROVIDER: 'offline' },
    cwd: person.project,
  });
});
afterEach(async () => {
  await capstan.close();
  killStarted();
  person.remove();
});

const runOf = async (id: string) => (await capstan.runs.get(id)).run;

it('parks a run of another process within a second, marked, and does not affect its other run', async () => {
  const owner = startRuns(person, 'counter:Count on', 'counter:Count to 100');
  const id = await owner.working('Count on');
  const other = await owner.working('Count to 100');
  const elapsedMs = startFairClock([process.pid, owner.child.pid ?? 0]);
  expect(await capstan.runs.stop(id, { by: 'test' })).toEqual({ id, status: 'parked' });
  expect(elapsedMs()).toBeLessThan(1_000);
  expect(await owner.line(({ ended }) => ended === id)).toMatchObject({
    status: 'parked',
    reason: 'interrupted',
  });
  expect(await runOf(id)).toMatchObject({ stoppedBy: 'test', reason: 'interrupted' });
  expect((await capstan.runs.get(id)).document).toMatchObject({ stopped_by: 'test' });
  expect(await owner.line(({ ended }) => ended === other)).toMatchObject({ status: 'completed' });
  await capstan.runs.message(id, 'Go on, please', { by: 'test' });
  const resumed = await capstan.runs.resume(id, { isIsolationWaived: true });
  expect(await runOf(id)).toMatchObject({ status: 'running', stoppedBy: null });
  resumed.interrupt();
  await resumed.finished;
});

it('parks a run of this process, and a cancel then ends it', async () => {
  const run = await capstan.runs.start({
    ...{ task: 'Count on', capsule: 'counter', isIsolationWaived: true },
  });
  const stopping = capstan.runs.stop(run.id, { by: 'test' });
  expect(await run.finished).toMatchObject({ status: 'parked', stopped_by: 'test' });
  expect(await stopping).toMatchObject({ status: 'parked' });
  expect(await capstan.runs.stop(run.id, { by: 'again' })).toMatchObject({ status: 'parked' });
  await capstan.runs.cancel(run.id, { by: 'test' });
  await expect(capstan.runs.stop(run.id, { by: 'test' })).rejects.toMatchObject({
    code: 'RUN_ENDED',
  });
});

it('parks a run whose process was killed', async () => {
  const owner = startRuns(person, 'counter:Count on');
  const id = await owner.working('Count on');
  await capstan.runs.list();
  owner.child.kill('SIGKILL');
  await owner.exited;
  expect(await capstan.runs.stop(id, { by: 'test' })).toEqual({ id, status: 'parked' });
  expect(await runOf(id)).toMatchObject({ stoppedBy: 'test', reason: 'crashed' });
});
