import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { type Capstan, openCapstan } from '../../open-capstan.ts';

const KEY = 'sk-canary-0123456789abcdef0123';
const overrides = { provider: 'offline' };

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  const env = { ...person.environment, OPENAI_API_KEY: KEY };
  capstan = await openCapstan({ env, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

/** The files below a folder that contain the text. */
const filesWith = (dir: string, text: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter(
      (path) =>
        statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(text),
    );

describe('a corrected route', () => {
  it('keeps no secret of the task on disk, in no form', async () => {
    const explained = await capstan.routing.explain(`Find slow requests, key ${KEY}`, {
      overrides,
    });
    const corrected = await capstan.routing.correct(explained, {
      capsule: 'table-analyst',
      overrides,
    });
    expect(corrected.capsule).toBe('table-analyst');
    await capstan.routing.explain(explained.task, { overrides });
    await capstan.close();
    expect(filesWith(person.home, 'Find slow requests')).not.toEqual([]);
    expect(filesWith(person.home, KEY)).toEqual([]);
  });

  it('names the surface that corrected it in the audit, and is used by the next route', async () => {
    const task = 'Which requests in access.log took the longest?';
    const explained = await capstan.routing.explain(task, { overrides });
    const corrected = await capstan.routing.correct(explained, {
      capsule: 'table-analyst',
      by: 'web',
      overrides,
    });
    expect(corrected).toEqual({ capsule: 'table-analyst', insteadOf: 'log-analyst' });
    const { route } = await capstan.routing.explain(task, { overrides });
    expect(route.capsuleId).toBe('table-analyst');
    await capstan.close();
    expect(filesWith(person.home, 'person:web')).not.toEqual([]);
  });

  it('refuses capsules that do not exist', async () => {
    const explained = await capstan.routing.explain('Count the lines of a.txt', { overrides });
    for (const options of [{ capsule: 'nobody' }, { capsule: 'file-clerk', insteadOf: 'nobody' }]) {
      await expect(
        capstan.routing.correct(explained, { ...options, overrides }),
      ).rejects.toMatchObject({ code: 'CAPSULE_UNKNOWN' });
    }
  });
});
