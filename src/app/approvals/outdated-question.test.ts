import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeIn, ownCapsulesOf } from '../../../test/setup/own-capsules.ts';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { openDatabase } from '../../db/open-database.ts';
import { type Capstan, openCapstan } from '../open-capstan.ts';

let person: Person;
let capstan: Capstan;
/** Whether a run waits for an answer. Otherwise it parks. */
let isPresent: boolean;
beforeEach(async () => {
  person = temporaryPerson();
  isPresent = false;
  const presence = () => isPresent;
  capstan = await openCapstan({ env: person.environment, cwd: person.project, presence });
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

const write = (path: string, text: string) =>
  writeFileSync(join(ownCapsulesOf(person).own('mine'), path), text);

const start = () =>
  capstan.runs.start({
    ...{ task: 'Do it', capsule: 'mine', isIsolationWaived: true },
    settings: { provider: 'offline' },
  });

/** A run that gives its task to the capsule: its end, and its question. */
async function run() {
  const { status } = await (await start()).finished;
  const [question] = await capstan.approvals.list();
  return { status, question };
}

beforeEach(() => {
  ownCapsulesOf(person).writeOwn('mine');
  write('skill.md', 'Count.\nBe brief.\n');
});

const approve = async (id = '') => {
  await capstan.approvals.answer(id, { answer: 'approve', by: 'test' });
};

it('a question about files that changed again can not be approved, and does not replace a newer approval', async () => {
  await run();
  write('skill.md', 'Count to A.\n');
  const first = (await run()).question;
  write('skill.md', 'Count to B.\n');
  await run();
  const second = (await capstan.approvals.list()).find(({ id }) => id !== first?.id);
  await approve(second?.id);
  await expect(approve(first?.id)).rejects.toMatchObject({
    code: 'APPROVAL_CLOSED',
    message: expect.stringContaining('the files changed since, so there is nothing to approve'),
  });
  expect(await capstan.approvals.list()).toEqual([]);
  for (const one of [first, second])
    expect((await (await capstan.runs.resume(one?.runId)).finished).status).not.toBe('parked');
  expect((await run()).question).toBeUndefined();
  write('skill.md', 'Count to C.\n');
  expect(changeIn((await run()).question?.details)).toBe(
    'changed skill.md\n@@ -1,1 +1,1 @@\n-Count to B.\n+Count to C.\n',
  );
  expect((await capstan.audit.verify()).problems).toEqual([]);
});

it('a run whose question is outdated asks about the files as they are when it is resumed', async () => {
  await run();
  write('skill.md', 'Count to A.\n');
  const { question } = await run();
  write('skill.md', 'Count to B.\n');
  expect((await (await capstan.runs.resume(question?.runId)).finished).status).toBe('parked');
  const [present, ...others] = await capstan.approvals.list();
  expect(others).toEqual([]);
  expect(changeIn(present?.details)).toMatch(/\+Count to B\.\n$/);
  await approve(present?.id);
  expect((await (await capstan.runs.resume(question?.runId)).finished).status).not.toBe('parked');
});

it('a run that waits does not start files that changed after its question, which nobody has seen', async () => {
  await run();
  write('skill.md', 'Count to A.\n');
  isPresent = true;
  const { id, finished } = await start();
  const open = async () => (await capstan.approvals.list())[0];
  await expect.poll(open).toBeDefined();
  write('skill.md', 'Count to B.\n');
  await expect(approve((await open())?.id)).rejects.toMatchObject({ code: 'APPROVAL_CLOSED' });
  expect(await finished).toMatchObject({ status: 'failed', reason: 'denied' });
  const db = openDatabase(join(person.home, 'state/capstan.db'));
  const attempts = db.prepare('SELECT count(*) FROM attempts WHERE run_id = ?').pluck().get(id);
  db.close();
  expect(attempts).toBe(0);
  isPresent = false;
  expect((await (await capstan.runs.resume(id)).finished).status).toBe('parked');
  expect(changeIn((await open())?.details)).toMatch(/\+Count to B\.\n$/);
});
