import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { openTaskRunner } from '../../../../test/programs/run-tasks.ts';
import { type OwnCapsules, ownCapsulesOf } from '../../../../test/setup/own-capsules.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { openCapstan } from '../../../app/open-capstan.ts';
import { verifyAudit } from '../../../broker/audit/verify-audit.ts';
import { type Db, openDatabase } from '../../../db/open-database.ts';
import { command as runs } from '../runs/runs.ts';

let person: Person;
let own: OwnCapsules['own'];
let writeOwn: OwnCapsules['writeOwn'];
let run: OwnCapsules['run'];
beforeEach(() => {
  person = temporaryPerson();
  ({ own, writeOwn, run } = ownCapsulesOf(person));
});
afterEach(() => person.remove());

const work = 'Count the lines of notes.txt';

/** Runs one task without a language model. */
async function carryOut(task: string, namedCapsule?: string) {
  const settings = { provider: 'offline', approveMode: 'allow' };
  const { run: runTask, events, close } = await openTaskRunner(person, { settings });
  try {
    const ended = await runTask(task, { capsule: namedCapsule });
    return { ...ended, events, of: (type: string) => events.filter((one) => one.type === type) };
  } finally {
    await close();
  }
}

const inspect = async (id: string) =>
  JSON.parse((await run('inspect', [id], { json: true })).out) as {
    status: string;
    quarantine: { reason: string; by: string } | null;
    metrics: { uses: number; completed: number; success_rate: number; p50_ms: number } | null;
    versions: { version: string; uses: number }[];
    overlay_version: string;
  };

function inDatabase<T>(body: (db: Db) => T): T {
  const db = openDatabase(join(person.home, 'state/capstan.db'));
  try {
    return body(db);
  } finally {
    db.close();
  }
}

describe('the statistics of a capsule', () => {
  it('are stored when each attempt ends, by version of its overlay, and outlive the run', async () => {
    person.writeProject('notes.txt', 'one\ntwo\n');
    expect((await inspect('file-clerk')).metrics).toBeNull();
    expect((await carryOut(work, 'file-clerk')).status).toBe('completed');
    const capstan = await openCapstan({ env: person.environment, cwd: person.project });
    await capstan.capsules.saveOverlay('file-clerk', 'Count twice.');
    await capstan.close();
    const { id, status } = await carryOut(work, 'file-clerk');
    expect(status).toBe('completed');
    const remove = runs.subcommands?.find(({ name }) => name === 'delete');
    const io = ioOf({ environment: person.environment, cwd: person.project });
    expect(await remove?.run({ positionals: [id], options: { yes: true } }, io)).toBe(0);
    const { metrics, versions, overlay_version } = await inspect('file-clerk');
    expect(metrics).toMatchObject({ uses: 2, completed: 2, success_rate: 1 });
    expect(versions.map(({ uses }) => uses)).toEqual([1, 1]);
    expect(versions[0]?.version).toBe(overlay_version);
    expect((await run('list')).out).toMatch(
      /^file-clerk\tready\tshipped, edited\t.*\t2\t100 %\t\d/m,
    );
    expect((await run('inspect', ['file-clerk'])).out).toContain(
      `${overlay_version.slice(0, 12)} (now)`,
    );
  });
});

describe('a capsule that crashes', () => {
  it('is quarantined across runs, with the command that restores it', async () => {
    writeOwn('mine');
    writeFileSync(own('mine/entrypoint.cjs'), 'process.exit(3);');
    expect((await carryOut(work, 'mine')).of('capsule.quarantined')).toEqual([]);
    const { of, status } = await carryOut(work, 'mine');
    expect(status).toBe('failed');
    expect(of('capsule.quarantined')).toMatchObject([{ capsule_id: 'mine' }]);
    const seen = await inspect('mine');
    expect(seen).toMatchObject({ status: 'quarantined', metrics: { uses: 3, completed: 0 } });
    expect(seen.quarantine?.reason).toContain('3 technical failures in a row');
    expect((await run('list')).out).toMatch(/^mine\tquarantined\t/m);

    await expect(carryOut(work, 'mine')).rejects.toMatchObject({
      code: 'CAPSULE_QUARANTINED',
      next: [
        { action: 'test_capsule', id: 'mine' },
        { action: 'inspect_capsule', id: 'mine' },
        { action: 'restore_capsule', id: 'mine' },
      ],
    });

    const inText = await carryOut('@mine count the lines of notes.txt');
    expect(inText).toMatchObject({ reason: 'settings', error: { code: 'CAPSULE_QUARANTINED' } });

    const changed = 'process.exit(4);';
    writeFileSync(own('mine/entrypoint.cjs'), changed);
    expect((await inspect('mine')).status).toBe('ready');
    const runner = await openTaskRunner(person, { settings: { provider: 'offline' } });
    const parked = await runner.run(work, { capsule: 'mine' });
    const [question] = runner.stores.approvals.of(parked.id);
    await runner.close();
    expect(question?.why).toContain('Its earlier files were quarantined: 3 technical failures');

    writeFileSync(own('mine/entrypoint.cjs'), 'process.exit(3);');
    expect((await run('restore', ['mine'])).out).toBe('"mine" was restored from quarantine.\n');
    expect((await inspect('mine')).status).toBe('ready');
    expect((await run('restore', ['mine'])).out).toBe('"mine" is not quarantined.\n');
  });
});

describe('a capsule that a person quarantined', () => {
  it('gets no task of a resumed run', async () => {
    writeOwn('mine');
    await carryOut(work, 'mine');
    writeFileSync(own('mine/skill.md'), 'Changed.');
    const runner = await openTaskRunner(person);
    const parked = await runner.run(work, { capsule: 'mine' });
    expect(parked.status).toBe('parked');
    await run('quarantine', ['mine']);
    const ended = await runner.resume(parked.id);
    const [subtask] = runner.stores.subtasks.of(parked.id);
    await runner.close();
    expect(ended.status).toBe('failed');
    expect(subtask?.error?.code).toBe('CAPSULE_QUARANTINED');
  });

  it('is passed over by routing', async () => {
    person.writeProject('notes.txt', 'one\ntwo\n');
    const first = await carryOut(work);
    const chosen = first.of('subtask.routed')[0] as { capsule_id: string };
    const reason = 'odd\u202E\u001b[2J';
    const { code } = await run('quarantine', [chosen.capsule_id], { reason });
    expect(code).toBe(0);
    expect((await inspect(chosen.capsule_id)).quarantine).toMatchObject({
      reason: 'odd\\u202e\\u001b[2J',
      by: 'person:cli',
    });
    const second = await carryOut(work);
    const others = second.of('subtask.routed') as { capsule_id: string }[];
    expect(others.map(({ capsule_id }) => capsule_id)).not.toContain(chosen.capsule_id);
  });
});

it('creating, importing, quarantining, deleting and restoring leave an intact audit chain', async () => {
  await run('create', ['Translate', 'cooking', 'recipes'], { yes: true, provider: 'offline' });
  const [id = ''] = readdirSync(own());
  const out = join(person.home, 'theirs.json');
  await run('export', [id], { out });
  await run('import', [out], { as: 'theirs', yes: true });
  for (const name of ['quarantine', 'restore']) await run(name, ['theirs']);
  await run('delete', ['theirs'], { yes: true });
  await run('restore', ['theirs']);
  expect(readdirSync(own()).sort()).toEqual(['theirs', id].sort());
  expect(inDatabase((db) => verifyAudit(db).problems)).toEqual([]);
});

describe('a deleted capsule', () => {
  it('is restored from the archive with its memory, the newest first', async () => {
    for (const text of ['older', 'newer']) {
      writeOwn('mine');
      writeFileSync(own('mine/memory.db'), text);
      await run('delete', ['mine'], { yes: true });
    }
    const { code, out } = await run('restore', ['mine'], { json: true });
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, from: 'archive' });
    expect(existsSync(own('mine/memory.db'))).toBe(true);
    expect((await run('restore', ['mine'])).out).toContain('not quarantined');
  });

  it('leaves nothing behind for a later capsule with the same id', async () => {
    writeOwn('mine');
    writeFileSync(own('mine/entrypoint.cjs'), 'process.exit(3);');
    await carryOut(work, 'mine');
    await run('quarantine', ['mine']);
    inDatabase((db) => db.exec("INSERT INTO completed_tasks VALUES ('mine', 'fold a crane', '')"));
    await run('delete', ['mine'], { yes: true });
    writeOwn('mine');
    expect(await inspect('mine')).toMatchObject({ status: 'ready', metrics: null });
    expect(inDatabase((db) => db.prepare('SELECT * FROM completed_tasks').all())).toEqual([]);
  });
});
