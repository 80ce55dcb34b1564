import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import { runDocument } from '../../src/app/runs/show/run-document.ts';
import { readAudit } from '../../src/broker/audit/audit.ts';
import { verifyAudit } from '../../src/broker/audit/verify-audit.ts';
import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { addCounter, killStarted, startRuns } from './other-process.ts';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  addCounter(person);
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  killStarted();
  person.remove();
});

/** The run's document and who did what to it; the audit must be intact. */
function recordOf(id: string) {
  const stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
  try {
    expect(verifyAudit(stores.db).problems).toEqual([]);
    const run = stores.runs.find(id);
    if (!run) throw new Error(`no run ${id}`);
    const actors = [...readAudit(stores.db, { runId: id })].map(
      ({ actor, action }) => `${actor} ${action}`,
    );
    return { document: runDocument(stores, run), actors };
  } finally {
    stores.close();
  }
}

describe('cancelling a run', () => {
  it('of another process ends it, and does not affect the other run of that process', async () => {
    const owner = startRuns(person, 'counter:Count on', 'counter:Count to 150');
    const id = await owner.working('Count on');
    const other = await owner.working('Count to 150');
    const began = performance.now();
    expect(await capstan.runs.cancel(id, { by: 'test' })).toEqual({ id, status: 'cancelled' });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await owner.line(({ ended }) => ended === id)).toMatchObject({ status: 'cancelled' });
    expect(await owner.line(({ ended }) => ended === other)).toMatchObject({ status: 'completed' });
    await owner.exited;
    const { document, actors } = recordOf(id);
    expect(document).toMatchObject({ status: 'cancelled', reason: 'cancelled' });
    expect(document.subtasks).toMatchObject([{ status: 'cancelled' }]);
    expect(actors).toContain('person:test run.cancel_requested');
    expect(recordOf(other).document.status).toBe('completed');
  });

  it('whose process was killed ends it, and so does cancelling it again', async () => {
    const owner = startRuns(person, 'counter:Count on');
    const id = await owner.working('Count on');
    await capstan.runs.follow(id).next();
    owner.child.kill('SIGKILL');
    await owner.exited;
    expect(await capstan.runs.cancel(id.slice(-8), { by: 'test' })).toMatchObject({
      status: 'cancelled',
    });
    expect(await capstan.runs.cancel(id, { by: 'test' })).toMatchObject({ status: 'cancelled' });
    const { document, actors } = recordOf(id);
    expect(document).toMatchObject({ status: 'cancelled', reason: 'cancelled', next: [] });
    expect(document.subtasks).toMatchObject([{ status: 'cancelled' }]);
    expect(actors.filter((line) => line === 'person:test run.ended')).toHaveLength(1);
    const log = readFileSync(join(person.home, 'state/runs', `${id}.jsonl`), 'utf8');
    expect(log.trimEnd().split('\n').at(-1)).toContain('"status":"cancelled"');
  });

  it('that completed is refused', async () => {
    const owner = startRuns(person, 'counter:Count to 1');
    const id = await owner.working('Count to 1');
    await owner.exited;
    await expect(capstan.runs.cancel(id, { by: 'test' })).rejects.toThrow(
      `Run ${id} can't be cancelled: it has ended (completed).`,
    );
    await expect(capstan.runs.message(id, 'Too late', { by: 'test' })).rejects.toMatchObject({
      code: 'RUN_ENDED',
    });
    const sessions = await capstan.sessions.list({ workspace: person.project });
    expect(sessions).toMatchObject([{ task: 'Count to 1', status: 'completed', runs: 1 }]);
    const session = await capstan.sessions.get(sessions[0]?.id.slice(-8) ?? '');
    expect(session.runs).toMatchObject([{ id, answer: 'Counted to 1.' }]);
  });

  it('needs the last 8 characters of its id, or all of it', async () => {
    const cancel = (id: string) => capstan.runs.cancel(id, { by: 'test' });
    await expect(cancel('a1b2')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(cancel('last')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(cancel('0199a1b2')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });
});

describe('a message to a run of another process', () => {
  it('is a row without secrets, an event of the run, and covered by the audit', async () => {
    const secret = 'sk-canary-0123456789abcdef';
    const env = { ...person.environment, OPENAI_API_KEY: secret };
    const speaker = await openCapstan({ env, cwd: person.project });
    try {
      const owner = startRuns(person, 'counter:Count on');
      const id = await owner.working('Count on');
      const sent = await speaker.runs.message(id, `Use ${secret} please`, { by: 'test' });
      expect(sent).toMatchObject({
        runId: id,
        seq: 1,
        text: 'Use [secret removed by Capstan] please',
        by: 'test',
      });
      const tooLong = speaker.runs.message(id, 'x'.repeat(100_001), { by: 'test' });
      await expect(tooLong).rejects.toMatchObject({ code: 'USAGE' });
      for await (const { seq, event } of capstan.runs.follow(id)) {
        if (seq === 1) expect(event.type).toBe('run.started');
        if (event.type !== 'message.received') continue;
        expect(event).toMatchObject({
          message_id: sent.id,
          text: 'Use [secret removed by Capstan] please',
        });
        break;
      }
      await capstan.runs.cancel(id, { by: 'test' });
      await owner.exited;
      expect(recordOf(id).actors).toContain('person:test message.received');
      const found = spawnSync('grep', ['-rla', secret, person.home], { encoding: 'utf8' });
      expect(found.stdout).toBe('');
    } finally {
      await speaker.close();
    }
  });
});
