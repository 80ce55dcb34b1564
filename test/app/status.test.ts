import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

const SECRET = 'sk-canary-0123456789abcdef';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  capstan = await openCapstan({
    env: { ...person.environment, OPENAI_API_KEY: SECRET },
    cwd: person.project,
  });
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

it('shows provider, models, sandbox, money and questions without a run', async () => {
  expect(await capstan.status.get()).toMatchObject({
    workspace: person.project,
    provider: { name: 'openai' },
    models: { fast: expect.any(String), best: expect.any(String) },
    isolation: { level: expect.stringMatching(/^(A|B|C|none)$/), reason: expect.any(String) },
    spentTodayUsd: 0,
    dayBudgetUsd: 10,
    runBudgetUsd: 1,
    openQuestions: 0,
  });
  const offline = await capstan.status.get({ provider: 'offline', budgetUsd: 2 });
  expect(offline).toMatchObject({ models: null, runBudgetUsd: 2 });
});

it('stores the lines of a workspace without secrets, leading spaces and repetitions', async () => {
  const add = (line: string) => capstan.typedLines.add('.', line);
  for (const line of ['one', 'one', ' hidden', '', `key ${SECRET}`, 'two\nlines']) await add(line);
  const kept = ['one', 'key [secret removed by Capstan]', 'two\nlines'];
  expect(await capstan.typedLines.list(person.project)).toEqual(kept);
  expect(await capstan.typedLines.list(person.home)).toEqual([]);
  const dir = join(person.home, 'state/history');
  const [file = ''] = readdirSync(dir);
  expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dir, file), 'utf8')).not.toContain(SECRET);
});

it('keeps the newest 1,000 lines', async () => {
  for (let count = 1; count <= 1_205; count += 1)
    await capstan.typedLines.add('.', `line ${count}`);
  const lines = await capstan.typedLines.list('.');
  expect(lines).toHaveLength(1_000);
  expect(lines.at(-1)).toBe('line 1205');
});
