import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { openStores } from '../../coordinator/store/open-stores.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { type Capstan, openCapstan } from '../open-capstan.ts';
import { openSession } from './find-session.ts';

let person: Person;
let stores: Stores;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  stores.close();
  person.remove();
});

/** Ids end with the digit of their number. */
const uuid = (kind: string, number: number) => `0199a1b2-0000-7000-8000-${kind}0000000000${number}`;
const [first, second] = [uuid('a', 1), uuid('a', 2)];

function addRun(number: number, sessionId: string, changes: Record<string, string> = {}): string {
  const id = uuid('b', number);
  const row = { workspace: person.project, status: 'completed', ...changes };
  stores.db
    .prepare(
      `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, answer, owner, created_at)
       VALUES (?, ?, ?, ?, 'offline', 'none', '{}', ?, 'Done.', '1:1', ?)`,
    )
    .run(id, sessionId, `Task ${number}`, row.workspace, row.status, `2026-01-0${number}`);
  return id;
}

describe('sessions', () => {
  it('are listed with their first task and newest status, the newest first', async () => {
    addRun(1, first);
    addRun(2, second, { workspace: '/elsewhere' });
    addRun(3, first, { status: 'failed' });
    expect(await capstan.sessions.list()).toMatchObject([
      { id: first, task: 'Task 1', status: 'failed', runs: 2, newestAt: '2026-01-03' },
      { id: second, task: 'Task 2', status: 'completed', runs: 1, workspace: '/elsewhere' },
    ]);
    expect(await capstan.sessions.list({ workspace: '/elsewhere' })).toHaveLength(1);
    expect(await capstan.sessions.list({ limit: 1 })).toHaveLength(1);
  });

  it('give their runs, oldest first, for the end of an id', async () => {
    const runs = [addRun(1, first), addRun(2, first)];
    for (const text of ['Only "a"', 'And short'])
      stores.messages.add({ runId: uuid('b', 1), text, by: 'test' });
    const session = await capstan.sessions.get(first.slice(-4));
    expect(session.id).toBe(first);
    expect(session.runs.map(({ id }) => id)).toEqual(runs);
    expect(session.runs[0]).toMatchObject({ task: 'Task 1', status: 'completed', answer: 'Done.' });
    expect(session.runs.map(({ messages }) => messages)).toEqual([['Only "a"', 'And short'], []]);
  });

  it('are found as `last`: the one of the newest run of the workspace', async () => {
    await expect(capstan.sessions.get('last')).rejects.toMatchObject({ code: 'NO_SESSION' });
    const task = 'Go on';
    await expect(capstan.sessions.continue('last', { task })).rejects.toMatchObject({
      code: 'NO_SESSION',
      message: `There is no earlier run in ${person.project} to continue.`,
    });
    addRun(1, second);
    addRun(2, first);
    addRun(3, second, { status: 'parked' });
    addRun(4, uuid('a', 3), { workspace: '/elsewhere' });
    expect((await capstan.sessions.get('last')).id).toBe(second);
    await expect(capstan.sessions.continue('last', { task })).rejects.toMatchObject({
      code: 'SESSION_PARKED',
      details: { session: second },
    });
    expect(await capstan.sessions.list({ workspace: '.' })).toHaveLength(2);
  });

  it.each(['dryRun', 'isCheck'])('are not begun or continued by a run with %s', async (name) => {
    addRun(1, first);
    const run = addRun(2, second);
    const wish = JSON.stringify({ namedCapsule: null, namedHosts: [], [name]: true });
    stores.db.prepare('UPDATE runs SET wish = ? WHERE id = ?').run(wish, run);
    expect(await capstan.sessions.list()).toMatchObject([{ id: first }]);
    expect((await capstan.sessions.get('last')).id).toBe(first);
  });

  it('are unknown, or several, for other ids', async () => {
    addRun(1, '11-aaaa');
    addRun(2, '22-aaaa');
    await expect(capstan.sessions.get('ffff')).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' });
    await expect(capstan.sessions.get('aaaa')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(capstan.sessions.continue('aaaa', { task: 'Go on' })).rejects.toMatchObject({
      message: expect.stringContaining('Write the last 8 characters'),
    });
  });

  it('take no new task while their newest run is parked', () => {
    addRun(1, first, { status: 'parked' });
    addRun(2, first);
    expect(openSession(stores.sessions, first)).toBe(first);
    const run = addRun(3, first, { status: 'parked' });
    const opening = () => openSession(stores.sessions, first);
    expect(opening).toThrow(expect.objectContaining({ code: 'SESSION_PARKED' }));
    expect(opening).toThrow(
      expect.objectContaining({
        next: [
          { action: 'resume', id: run },
          { action: 'cancel', id: run },
        ],
      }),
    );
  });
});
