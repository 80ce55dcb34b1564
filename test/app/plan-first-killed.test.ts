import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCapstan } from '../../src/app/open-capstan.ts';
import { startProgram } from '../programs/start-program.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { addCounter } from './other-process.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
  addCounter(person);
});
afterEach(() => person.remove());

it('a waiting plan survives kill -9: it is answered elsewhere, once, and the run continues', async () => {
  const env = { ...person.environment, CAPSTAN_PROVIDER: 'offline' };
  const child = startProgram('plan', [], { cwd: person.project, env });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const id = line.toString().trim();
  const exited = once(child, 'close');
  child.kill('SIGKILL');
  await exited;
  const capstan = await openCapstan({ env, cwd: person.project });
  try {
    const [asked] = await capstan.approvals.list();
    expect(asked).toMatchObject({ runId: id, kind: 'plan', plan: { steps: [{ id: 's1' }] } });
    await capstan.approvals.answer(asked?.id ?? '', { answer: 'approve', by: 'test' });
    const resumed = await capstan.runs.resume(id, { isIsolationWaived: true });
    expect(await resumed.finished).toMatchObject({
      status: 'completed',
      answer: 'Counted to 3.',
      approvals: [{ kind: 'plan', status: 'consumed' }],
    });
  } finally {
    await capstan.close();
  }
});
