import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordFailedRun } from '../../../../test/programs/record-failed-run.ts';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { AppError } from '../../../contract/errors.ts';
import { identityOf } from '../../../coordinator/life/process-identity.ts';
import { openStores } from '../../../coordinator/store/open-stores.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { runsWait } from './watch-run.ts';

let person: Person;
let id: string;
beforeEach(() => {
  person = temporaryPerson();
  const stores = opened();
  const error = new AppError('USAGE', { problem: 'bad' });
  id = recordFailedRun(stores, { task: 'Sort a.txt', workspace: person.project }, error).id;
  stores.close();
});
afterEach(() => person.remove());

const opened = () => openStores(join(person.home, 'state'), { redactor: noSecrets });

/** Gives the run another status, with this process as its owner. */
function setStatus(status: string, reason: string | null): void {
  const { db, close } = opened();
  db.prepare('UPDATE runs SET status = ?, reason = ?, owner = ?').run(
    status,
    reason,
    identityOf(process.pid),
  );
  close();
}

async function wait(options: Record<string, unknown> = {}, run = 'last') {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const code = await runsWait.run({ positionals: [run], options }, io);
  return { code, out: io.out() };
}

it.each([
  ['failed', 'settings', 2, /^failed \(settings\) in /],
  ['parked', 'approval', 3, /^parked \(approval\) after /],
  ['failed', 'denied', 4, /^failed \(denied\) in /],
  ['completed', null, 0, /^completed in /],
] as const)('a run that is %s (%s) ends it with %d', async (status, reason, code, text) => {
  setStatus(status, reason);
  const waited = await wait();
  expect(waited.code).toBe(code);
  expect(waited.out).toMatch(text);
  expect(waited.out).toContain(`run ${id.slice(-8)}\n`);
});

it('waits for a run that is still working, until its time is over', async () => {
  setStatus('running', null);
  const began = performance.now();
  expect(await wait({ timeout: '0.3' })).toMatchObject({
    code: 124,
    out: expect.stringMatching(/^running · /),
  });
  expect(performance.now() - began).toBeGreaterThan(290);
});

it('ends as soon as the run has ended', async () => {
  setStatus('running', null);
  const waiting = wait({ timeout: '20', json: true }, id.slice(-4));
  await new Promise((resolve) => setTimeout(resolve, 100));
  setStatus('completed', null);
  const { code, out } = await waiting;
  expect({ code, document: JSON.parse(out) }).toMatchObject({
    code: 0,
    document: { run_id: id, status: 'completed' },
  });
});

it.each(['x', '0', '-1', '', '9999999999'])('refuses %j as a time', async (timeout) => {
  await expect(wait({ timeout })).rejects.toMatchObject({ code: 'USAGE' });
});
