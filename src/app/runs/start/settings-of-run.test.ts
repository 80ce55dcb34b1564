import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import { openContext } from '../../context/open-context.ts';
import { settingsOfRun } from './settings-of-run.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

/** The limit of requests of a run that began with 50, once it is resumed. */
async function limitOf(more: NodeJS.ProcessEnv, isByHost = false): Promise<number> {
  const env = { ...person.environment, ...more };
  const context = await openContext({ env, cwd: person.project });
  try {
    const options = { maxIntents: 50 };
    const run = { workspace: person.project, provider: 'offline', options } as unknown as RunRecord;
    return (await settingsOfRun(context, run, {}, isByHost)).loaded.settings.maxIntents;
  } finally {
    await context.close();
  }
}

it('a resume takes a higher limit of its environment, and no lower one', async () => {
  expect(await limitOf({ CAPSTAN_MAX_INTENTS: '900' })).toBe(900);
  expect(await limitOf({ CAPSTAN_MAX_INTENTS: '9' })).toBe(50);
});

it('a higher limit of a file does not replace one that was set lower for the run', async () => {
  person.writeOwn('config.yaml', 'max:\n  intents: 900\n');
  expect(await limitOf({})).toBe(50);
});

it('a host that continues a run by itself raises no limit', async () => {
  expect(await limitOf({ CAPSTAN_MAX_INTENTS: '900' }, true)).toBe(50);
});
