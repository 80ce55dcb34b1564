import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordFailedRun } from '../../../../test/programs/record-failed-run.ts';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { AppError } from '../../../contract/errors.ts';
import { openStores } from '../../../coordinator/store/open-stores.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { runsCancel } from './end-runs.ts';
import { runsMessage } from './runs-message.ts';
import { runsFollow } from './watch-run.ts';

let person: Person;
let id: string;
beforeEach(() => {
  person = temporaryPerson();
  const stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
  const error = new AppError('USAGE', { problem: 'bad' });
  id = recordFailedRun(stores, { task: 'Sort a.txt', workspace: person.project }, error).id;
  stores.close();
});
afterEach(() => person.remove());

const io = () => ioOf({ environment: person.environment, cwd: person.project });

/** Parks the run. */
function park(): void {
  const { db, journal, audit, close } = openStores(join(person.home, 'state'), {
    redactor: noSecrets,
  });
  journal.commit(() => {
    db.prepare("UPDATE runs SET status = 'parked', ended_at = NULL, error = NULL").run();
    const about = { actor: 'coordinator', runId: id, ref: id, detail: {} };
    audit.append({ ...about, action: 'run.parked' });
  });
  close();
}

describe('capstan runs cancel', () => {
  it('ends a parked run, and succeeds again when it is repeated', async () => {
    park();
    const said = [];
    for (const options of [{}, { json: true }]) {
      const one = io();
      expect(await runsCancel.run({ positionals: [id.slice(-8)], options }, one)).toBe(0);
      said.push(one.out());
    }
    expect(said[0]).toBe(`Run ${id.slice(-8)} is cancelled.\n`);
    expect(JSON.parse(said[1] ?? '')).toEqual({ run_id: id, status: 'cancelled' });
  });

  it('refuses a run that failed', async () => {
    const cancelling = runsCancel.run({ positionals: [id], options: {} }, io());
    await expect(cancelling).rejects.toThrow('it has ended (failed)');
  });
});

describe('capstan runs follow', () => {
  it('prints one numbered event per line as JSON, after the given number', async () => {
    const one = io();
    const args = { positionals: ['last'], options: { json: true, after: '1' } };
    expect(await runsFollow.run(args, one)).toBe(0);
    expect(one.out().split('\n')).toHaveLength(2);
    expect(JSON.parse(one.out())).toMatchObject({
      seq: 2,
      event: { type: 'run.ended', run_id: id, status: 'failed', reason: 'settings' },
    });
  });

  it('prints how the run ended', async () => {
    const one = io();
    await runsFollow.run({ positionals: [id.slice(-4)], options: {} }, one);
    expect(one.out()).toMatch(/^failed \(settings\) in /);
  });

  it.each(['x', '-1', '1.5', ''])('refuses %j as a number', async (after) => {
    const following = runsFollow.run({ positionals: ['last'], options: { after } }, io());
    await expect(following).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('capstan runs message', () => {
  it('keeps a message for a run that is not active, and prints how to continue it', async () => {
    const one = io();
    expect(
      await runsMessage.run({ positionals: [id.slice(-8), 'Only March'], options: {} }, one),
    ).toBe(0);
    expect(one.out()).toMatch(/^Run \w{8} gets it once it is resumed\.\n/);
    const { messages, close } = openStores(join(person.home, 'state'), { redactor: noSecrets });
    expect(messages.of(id)).toMatchObject([{ text: 'Only March', by: 'cli', seq: 1 }]);
    close();
  });

  it('says in JSON how to continue', async () => {
    park();
    const one = io();
    const options = { json: true, leaveParked: true };
    await runsMessage.run({ positionals: [id.slice(-8), 'Only March'], options }, one);
    expect(JSON.parse(one.out())).toMatchObject({
      run_id: id,
      status: 'parked',
      next: [{ action: 'resume', id, command: `capstan resume ${id}` }],
    });
  });

  it.each(['', '  '])('refuses the empty message %j', async (text) => {
    const sending = runsMessage.run({ positionals: [id, text], options: {} }, io());
    await expect(sending).rejects.toThrow('The message is empty.');
  });
});
