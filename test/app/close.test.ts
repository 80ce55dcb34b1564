import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openContext } from '../../src/app/context/open-context.ts';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import { runHost } from '../../src/app/runs/run-host.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

const open = (): Promise<Capstan> =>
  openCapstan({ env: { ...person.environment, CAPSTAN_PROVIDER: 'offline' }, cwd: person.project });

async function startSleeper(capstan: Capstan) {
  let isAsleep = () => {};
  const asleep = new Promise<void>((resolve) => {
    isAsleep = resolve;
  });
  const run = await capstan.runs.start({
    ...{ task: 'Run `sleep 600`', settings: { approveMode: 'allow' }, isIsolationWaived: true },
    onEvent: ({ type }) => {
      if (type === 'tool.requested') isAsleep();
    },
  });
  await asleep;
  return run;
}

describe('closing Capstan', () => {
  it('twice at once parks its runs before the database is closed', async () => {
    const capstan = await open();
    const run = await startSleeper(capstan);
    await Promise.all([capstan.close(), capstan.close()]);
    expect(await run.finished).toMatchObject({ status: 'parked', reason: 'interrupted' });
  });

  it("closes the database even if something else can't be closed", async () => {
    const context = await openContext({ env: person.environment, cwd: person.project });
    const { db } = await context.stores();
    context.onClose(() => {
      throw new Error('stuck');
    });
    await expect(context.close()).rejects.toThrow('stuck');
    expect(db.open).toBe(false);
  });

  it('is final: later calls fail with an error', async () => {
    const context = await openContext({ env: person.environment, cwd: person.project });
    await runHost(context);
    await context.close();
    await expect(context.stores()).rejects.toMatchObject({ code: 'CAPSTAN_CLOSED' });
    await expect(runHost(context)).rejects.toMatchObject({ code: 'CAPSTAN_CLOSED' });
    const capstan = await open();
    await capstan.close();
    await expect(capstan.runs.start({ task: 'x' })).rejects.toThrow('Capstan is closed.');
    await expect(capstan.runs.list()).rejects.toMatchObject({ code: 'CAPSTAN_CLOSED' });
  });
});

describe('a run that is about to begin when Capstan closes', () => {
  it('is refused, or parks or ends like any other', async () => {
    for (let turns = 0; turns < 40; turns += 3) {
      const capstan = await open();
      await capstan.runs.list();
      const started = capstan.runs.start({ task: 'Count the lines of a.txt' });
      const outcome = started.then(
        ({ finished }) => finished.then(({ status }) => status),
        ({ code }) => code,
      );
      for (let turn = 0; turn < turns; turn++) await immediate();
      await capstan.close();
      expect(['CAPSTAN_CLOSED', 'parked', 'failed', 'completed']).toContain(await outcome);
    }
  });
});

describe('an open Capstan', () => {
  it('treats a presence that throws as nobody', async () => {
    const presence = () => {
      throw new Error('gone');
    };
    const context = await openContext({ env: person.environment, cwd: person.project, presence });
    expect(context.presence({ id: 'a', workspace: '/' })).toBe(false);
    await context.close();
  });

  it('reads its settings again after they were invalid', async () => {
    person.writeOwn('config.yaml', 'provider: nonesuch\n');
    const context = await openContext({ env: person.environment, cwd: person.project });
    await expect(context.settings()).rejects.toMatchObject({ code: 'SETTINGS_INVALID' });
    person.writeOwn('config.yaml', 'provider: offline\n');
    expect((await context.settings()).settings.provider).toBe('offline');
    await context.close();
  });
});
