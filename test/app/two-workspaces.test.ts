import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import type { StartedRun } from '../../src/app/runs/start/started-run.ts';
import type { CapstanEvent } from '../../src/contract/event.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

/** A workspace of the person's, with one file. */
function workspace(name: string): string {
  const dir = join(person.project, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'notes.txt'), 'one\ntwo\n');
  return dir;
}

const allow = { provider: 'offline', approveMode: 'allow' };
const isIsolationWaived = true;

/** A run that sleeps, once its command runs or it has ended. */
async function sleeper(dir: string, settings: object = allow): Promise<StartedRun> {
  let isAsleep = () => {};
  const asleep = new Promise<void>((resolve) => {
    isAsleep = resolve;
  });
  const onEvent = ({ type }: CapstanEvent) => {
    if (type === 'tool.requested') isAsleep();
  };
  const task = 'Run `sleep 600`';
  const run = await capstan.runs.start({
    ...{ task, workspace: dir, settings: { ...settings }, isIsolationWaived, onEvent },
  });
  await Promise.race([asleep, run.finished]);
  return run;
}

it('two runs of one process work in their own workspaces, with their own settings', async () => {
  const [a, b] = [workspace('a'), workspace('b')];
  const task = 'Count the lines of notes.txt and save the result as count.md';
  for (const dir of [a, b]) writeFileSync(join(dir, 'count.md'), 'old\n');
  const [allowed, denied] = await Promise.all([
    capstan.runs.start({ task, workspace: a, settings: allow, isIsolationWaived }),
    capstan.runs.start({
      ...{ task, workspace: b, isIsolationWaived },
      settings: { ...allow, approveMode: 'deny' },
    }),
  ]);
  expect([allowed.workspace, denied.workspace]).toEqual([a, b]);
  const [one, other] = await Promise.all([allowed.finished, denied.finished]);
  expect(one).toMatchObject({ status: 'completed', run_id: allowed.id });
  expect(other).toMatchObject({ status: 'failed', reason: 'denied', run_id: denied.id });
  expect(readFileSync(join(a, 'count.md'), 'utf8')).toContain('2 lines');
  expect(readFileSync(join(b, 'count.md'), 'utf8')).toBe('old\n');
});

it('stopping one run does not affect the other', async () => {
  const stopped = await sleeper(workspace('a'));
  const other = await sleeper(workspace('b'));
  stopped.interrupt();
  expect(await stopped.finished).toMatchObject({ status: 'parked', reason: 'interrupted' });
  const quick = await capstan.runs.start({
    ...{ task: 'Count the lines of notes.txt', workspace: workspace('c') },
    ...{ settings: allow, isIsolationWaived },
  });
  expect((await quick.finished).status).toBe('completed');
  const { document } = await capstan.runs.get(other.id);
  expect(document.status).toBe('running');
});

it('the deadline of a run ends only that run', async () => {
  const late = await sleeper(workspace('a'), { ...allow, timeout: '1' });
  const other = await sleeper(workspace('b'));
  expect(await late.finished).toMatchObject({ status: 'failed', reason: 'deadline' });
  expect((await capstan.runs.get(other.id)).document.status).toBe('running');
});

it('closing Capstan parks the runs of this process', async () => {
  const run = await sleeper(workspace('a'));
  await capstan.close();
  expect(await run.finished).toMatchObject({ status: 'parked', reason: 'interrupted' });
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
  expect((await capstan.runs.get(run.id)).document).toMatchObject({ status: 'parked' });
});

it('runs of one session share its id', async () => {
  const dir = workspace('a');
  const start = (session?: string) =>
    capstan.runs.start({
      ...{ task: 'Count the lines of notes.txt', workspace: dir, session },
      ...{ settings: allow, isIsolationWaived },
    });
  const first = await start();
  const second = await start(first.sessionId);
  const documents = await Promise.all([first.finished, second.finished]);
  expect(documents.map(({ session_id }) => session_id)).toEqual([first.sessionId, first.sessionId]);
});

it('settings that are refused leave no run and no session', async () => {
  const before = await capstan.runs.list();
  const refused = capstan.runs.start({ task: 'x', settings: { timeout: 'soon' } });
  await expect(refused).rejects.toMatchObject({ code: 'SETTINGS_INVALID' });
  expect(await capstan.runs.list()).toEqual(before);
});

it.each(['prices.yaml', 'hooks.yaml'])('a broken %s leaves no run and no session', async (file) => {
  person.writeOwn(file, 'nonsense: [');
  const refused = capstan.runs.start({ task: 'x', isIsolationWaived });
  await expect(refused).rejects.toMatchObject({ code: 'SETTINGS_INVALID' });
  expect(await capstan.runs.list()).toEqual([]);
});

it('settings that do not exist are refused, by start and by resume', async () => {
  const settings = { budgetUSD: '5' };
  const refusal = {
    code: 'SETTINGS_INVALID',
    message: expect.stringContaining('budgetUSD: unknown setting. Did you mean budgetUsd?'),
  };
  await expect(capstan.runs.start({ task: 'x', settings })).rejects.toMatchObject(refusal);
  const run = await sleeper(workspace('a'));
  run.interrupt();
  await run.finished;
  await expect(capstan.runs.resume(run.id, { settings })).rejects.toMatchObject(refusal);
});

it('a current folder that does not exist is named by the error', async () => {
  const lost = await openCapstan({ env: person.environment, cwd: '/nonesuch' });
  await expect(lost.runs.start({ task: 'x' })).rejects.toMatchObject({
    code: 'SETTINGS_INVALID',
    message: expect.stringContaining('/nonesuch: there is no such folder.'),
  });
  await lost.close();
});
