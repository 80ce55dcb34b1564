import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCapstan } from '../../src/app/open-capstan.ts';
import { command as run } from '../../src/cli/commands/run.ts';
import { ioOf } from '../programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
  person.writeProject('notes.txt', 'one\ntwo\n');
});
afterEach(() => person.remove());

async function saveOverlay(text: string) {
  const capstan = await openCapstan({ env: person.environment, cwd: person.project });
  try {
    return await capstan.capsules.saveOverlay('file-clerk', text);
  } finally {
    await capstan.close();
  }
}

async function openQuestions() {
  const capstan = await openCapstan({ env: person.environment, cwd: person.project });
  try {
    return await capstan.approvals.list();
  } finally {
    await capstan.close();
  }
}

/** The status of a run by `file-clerk`. */
async function statusOfRun(): Promise<string> {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const options = { provider: 'offline', dangerouslyNoIsolation: true, capsule: 'file-clerk' };
  const positionals = ['Count the lines of notes.txt'];
  await run.run({ positionals, options: { ...options, json: true } }, io);
  return JSON.parse(io.out()).status;
}

it('an overlay that the user saved through Capstan is not asked about', async () => {
  await saveOverlay('Count once.');
  expect(await statusOfRun()).toBe('completed');
  await saveOverlay('Count twice.');
  expect(await statusOfRun()).toBe('completed');
});

it('an overlay that changed otherwise is asked about', async () => {
  const { path } = await saveOverlay('Count once.');
  expect(await statusOfRun()).toBe('completed');
  writeFileSync(path, 'Count twice.');
  expect(await statusOfRun()).toBe('parked');
  expect(path).toBe(join(person.home, 'data/agents/file-clerk/skill.md'));
  const [question] = await openQuestions();
  expect(question?.why).toMatch(`${path} changed since it was last allowed to run.`);
  expect(question?.details).toMatch(`changed: ${path}\n`);
});
