import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  capstan = await openCapstan({
    ...{ env: person.environment, cwd: person.project, presence: () => false },
  });
  person.writeProject('notes.md', 'one\ntwo\n');
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

/** A run that parked, with its question. */
async function parkedRun() {
  const { id, finished } = await capstan.runs.start({
    task: 'Replace "two" with "three" in notes.md',
    ...{ isIsolationWaived: true, settings: { provider: 'offline' } },
  });
  expect((await finished).status).toBe('parked');
  return { id, first: await openQuestion() };
}

async function openQuestion() {
  const [question] = await capstan.approvals.list();
  if (!question) throw new Error('nothing is asked');
  return question;
}

const approve = (id: string) => capstan.approvals.answer(id, { answer: 'approve', by: 'test' });
const resume = async (id: string) =>
  (await (await capstan.runs.resume(id, { isIsolationWaived: true })).finished).status;

it('a question that was allowed, and is asked again because the files of the capsule changed, says so', async () => {
  const { id, first } = await parkedRun();
  await capstan.capsules.saveOverlay('file-clerk', 'Be brief.\n');
  await approve(first.id);
  expect(await resume(id)).toBe('parked');
  const again = await openQuestion();
  expect(again.why).toBe(
    `You allowed this; it is asked again because the files of file-clerk changed. ${first.why}`,
  );
  await approve(again.id);
  expect(await resume(id)).toBe('completed');
});

it('the same question of an answer that was not given yet has no such reason', async () => {
  const { id, first } = await parkedRun();
  await capstan.capsules.saveOverlay('file-clerk', 'Be brief.\n');
  expect(await resume(id)).toBe('parked');
  expect((await capstan.approvals.list()).map(({ why }) => why)).toContain(first.why);
});
