import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { type Capstan, openCapstan } from '../open-capstan.ts';

let person: Person;
const opened: Capstan[] = [];
const open = async (canAnswer: boolean, more: NodeJS.ProcessEnv = {}): Promise<Capstan> => {
  const { environment, project: cwd } = person;
  const env = { ...environment, ...more };
  const capstan = await openCapstan({ env, cwd, presence: () => canAnswer });
  opened.push(capstan);
  return capstan;
};
beforeEach(() => {
  person = temporaryPerson();
  person.writeProject('a.md', 'one\ntwo\n');
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  person.remove();
});

const task = 'Run `rm a.md`';

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('nothing happened in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const statusOf = async (capstan: Capstan, id: string) => (await capstan.runs.get(id)).run.status;

it('a key starts one run, and names it again', async () => {
  const capstan = await open(true);
  const hosting = await capstan.serving.host(() => {});
  const start = () => hosting.dispatch({ task: 'Count the lines of a.md', key: 'nightly-1' });
  const [first, second] = await Promise.all([start(), start()]);
  expect(second.id).toBe(first.id);
  expect([first.isNew, second.isNew].toSorted()).toEqual([false, true]);
  await expect(
    hosting.dispatch({ task: 'Something else', key: 'nightly-1' }),
  ).rejects.toMatchObject({ code: 'KEY_USED' });
  expect(await capstan.runs.list()).toHaveLength(1);
});

it('a run that waits parks when its host closes, and the next host continues it', async () => {
  const first = await open(true);
  const { id } = await (await first.serving.host(() => {})).start({ task });
  await until(async () => (await first.approvals.list()).length === 1);
  await first.close();
  const second = await open(true);
  expect(await statusOf(second, id)).toBe('parked');
  expect((await second.serving.host(() => {})).begin()).toBe(1);
  await until(async () => (await statusOf(second, id)) === 'running');
});

it('a run that a person stopped waits for resume', async () => {
  const first = await open(true);
  const hosting = await first.serving.host(() => {});
  expect(hosting.begin()).toBe(0);
  const { id } = await hosting.start({ task });
  await until(async () => (await first.approvals.list()).length === 1);
  expect(await first.runs.stop(id, { by: 'dashboard' })).toEqual({ id, status: 'parked' });
  expect(await first.serving.handOver(id)).toBe(false);
  await first.close();
  const second = await open(true);
  (await second.serving.host(() => {})).begin();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await statusOf(second, id)).toBe('parked');
});

it('a parked run continues once its question is answered elsewhere, with the limits that it had', async () => {
  const terminal = await open(false);
  const run = await terminal.runs.start({ task });
  expect(await run.finished).toMatchObject({ status: 'parked', reason: 'approval' });
  const server = await open(true, { CAPSTAN_MAX_INTENTS: '900' });
  (await server.serving.host(() => {})).begin();
  const [question] = await terminal.approvals.list();
  await terminal.approvals.answer(question?.id ?? '', { answer: 'approve', by: 'cli' });
  await until(async () => (await statusOf(server, run.id)) === 'completed');
  expect(existsSync(join(person.project, 'a.md'))).toBe(false);
  const db = new Database(join(person.home, 'state/capstan.db'), { readonly: true });
  const limit = db.prepare("SELECT options ->> '$.maxIntents' FROM runs WHERE id = ?").pluck();
  expect(limit.get(run.id)).toBe(400);
  db.close();
});

it('a parked run continues once its question has expired, and fails', async () => {
  const terminal = await open(false, { CAPSTAN_APPROVAL_DEADLINE_SEC: '1' });
  const run = await terminal.runs.start({ task });
  expect(await run.finished).toMatchObject({ status: 'parked', reason: 'approval' });
  const server = await open(true);
  (await server.serving.host(() => {})).begin();
  await until(async () => (await statusOf(server, run.id)) === 'failed');
  expect((await server.runs.get(run.id)).run.reason).toBe('expired');
  expect(existsSync(join(person.project, 'a.md'))).toBe(true);
});
