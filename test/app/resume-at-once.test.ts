import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openCapstan } from '../../src/app/open-capstan.ts';
import type { StartedRun } from '../../src/app/runs/started-run.ts';
import { failedWith } from '../../src/contract/errors.ts';
import { temporaryPerson } from '../temporary-person.ts';
import { addCounter } from './other-process.ts';

it('a run that is resumed as soon as it is parked is still parked by closing Capstan', async () => {
  const person = temporaryPerson();
  addCounter(person);
  const env = { ...person.environment, CAPSTAN_PROVIDER: 'offline' };
  const capstan = await openCapstan({ env, cwd: person.project });
  const resume = (id: string): Promise<StartedRun> =>
    capstan.runs.resume(id, { isIsolationWaived: true }).catch(async (error: unknown) => {
      if (!failedWith(error, 'RUN_NOT_PARKED')) throw error;
      await nextTurn();
      return resume(id);
    });
  try {
    let isWorking = () => {};
    const working = new Promise<void>((resolve) => {
      isWorking = resolve;
    });
    const first = await capstan.runs.start({
      ...{ task: 'Count on', capsule: 'counter', isIsolationWaived: true },
      onEvent: ({ type }) => {
        if (type === 'capsule.started') isWorking();
      },
    });
    await working;
    first.interrupt();
    const second = await resume(first.id);
    expect(await first.finished).toMatchObject({ status: 'parked' });
    await capstan.close();
    expect(await second.finished).toMatchObject({ status: 'parked', reason: 'interrupted' });
  } finally {
    await capstan.close();
    person.remove();
  }
});
