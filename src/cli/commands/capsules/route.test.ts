import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { openTaskRunner } from '../../../../test/programs/run-tasks.ts';
import type { Approver } from '../../../../test/setup/broker-parts.ts';
import { ownCapsulesOf } from '../../../../test/setup/own-capsules.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import type { Approval } from '../../../contract/approval.ts';
import { failedWith } from '../../../contract/errors.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { command } from './route.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

async function route(positionals: string[], options: Record<string, unknown> = {}) {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const code = await command
    .run({ positionals, options: { provider: 'offline', ...options } }, io)
    .catch((error: unknown) => error);
  return { code, out: io.out() };
}

interface Shown {
  readonly zone: string;
  readonly capsule_id: string | null;
  readonly decided_by: string;
  readonly candidates: readonly { readonly capsule_id: string; readonly part: string }[];
  readonly corrected?: { readonly capsule_id: string; readonly instead_of: string | null };
}

const shown = async (task: string, options: Record<string, unknown> = {}): Promise<Shown> =>
  JSON.parse((await route(task === '' ? [] : [task], { ...options, json: true })).out);

/** Runs a task without a language model. */
async function carryOut(text: string, approver?: Approver) {
  const approveMode = approver ? 'ask' : 'allow';
  const settings = { provider: 'offline', approveMode };
  const { run, close } = await openTaskRunner(person, { settings, approver });
  try {
    return await run(text);
  } finally {
    await close();
  }
}

async function quarantine(id: string) {
  const { run } = ownCapsulesOf(person);
  await run('quarantine', [id]);
}

const task = 'Which requests in access.log took the longest?';

describe('capstan capsules route', () => {
  it('shows the candidates with the parts of their scores, and runs nothing', async () => {
    const { code, out } = await route([task]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^log-analyst gets it: its score is high enough, and clearly ahead of the next\.\n\ncapsule +score/,
    );
    expect(out).toContain('example: Find the ten slowest requests in access.log');
    expect(out).toContain('Thresholds of static-en-256: take from .56');
    expect(await shown(task)).toMatchObject({ zone: 'take', decided_by: 'score' });
  });

  it('says which capsules were left out, and what they lack', async () => {
    const { out } = await route(['delete every file whose name has a date of 2024']);
    expect(out).toMatch(/^Close: file-clerk is tried first/);
    expect(out).toContain("Left out: table-analyst can't delete files.\n");
    const { out: none } = await route(['Load orders.json into a new SQLite database']);
    expect(none).toMatch(/^No capsule can change databases, and creating one needs a model\./);
    expect(await shown('Load orders.json into a new SQLite database')).toMatchObject({
      needs: ['database_write'],
      left_out: expect.arrayContaining([{ capsule_id: 'sql-analyst', lacks: ['database_write'] }]),
    });
  });

  it('refuses a task that no capsule is able to do, and names the ability and a grant', async () => {
    const run = await carryOut('Load orders.json into a new SQLite database');
    expect(run.status).toBe('failed');
    const text = JSON.stringify(run);
    expect(text).toContain('it needs to change databases');
    expect(text).toContain('with the operation `change`');
  });

  it('does not search if the text names a capsule', async () => {
    const { zone, capsule_id, candidates } = await shown(`@sql-analyst ${task}`);
    expect([zone, capsule_id, candidates]).toEqual(['named', 'sql-analyst', []]);
  });

  it('learns from a correction, with a line in the audit', async () => {
    const { corrected } = await shown(task, { correct: 'table-analyst' });
    expect(corrected).toEqual({ capsule_id: 'table-analyst', instead_of: 'log-analyst' });
    const again = await shown('Which requests of access.log took longest?');
    expect(again.capsule_id).toBe('table-analyst');
    expect(again.candidates[0]?.part).toBe(`corrected: ${task}`);
    expect((await shown('Group the errors in app.log by endpoint')).capsule_id).toBe('log-analyst');
    const { openStores } = await import('../../../coordinator/store/open-stores.ts');
    const { settings } = await person.load();
    const stores = openStores(settings.places.stateDir, { redactor: noSecrets });
    const rows = stores.db.prepare('SELECT actor, action, ref FROM audit').all();
    expect(rows).toEqual([
      { actor: 'person:cli', action: 'route.corrected', ref: 'table-analyst' },
    ]);
    stores.close();
  });

  it('shows and corrects the receipt of a run, and learns from completed tasks', async () => {
    person.writeProject('notes.txt', 'one\ntwo\n');
    const run = await carryOut('Count the lines of notes.txt');
    expect(run.status).toBe('completed');
    const receipt = await shown('', { run: run.id });
    expect(receipt).toMatchObject({ capsule_id: 'file-clerk', decided_by: 'score' });
    const next = await shown('Count the lines of letters.txt');
    expect(next.candidates[0]?.part).toBe('done: Count the lines of notes.txt');
    const options = { run: run.id, correct: 'summarizer' };
    expect((await shown('', options)).corrected?.instead_of).toBe('file-clerk');
    expect((await shown('Count the lines of letters.txt')).capsule_id).toBe('summarizer');
  });

  it('refuses a named capsule in quarantine, as a run does', async () => {
    await quarantine('web-reader');
    const { code } = await route([`@web-reader ${task}`]);
    expect(failedWith(code, 'CAPSULE_QUARANTINED')).toBe(true);
  });

  it('keeps the receipt if no capsule fits and the nearest decline, so that it can be corrected', async () => {
    const poem = 'Compose a sonnet on autumn';
    const { id, status } = await carryOut(poem);
    expect(status).toBe('failed');
    expect(await shown('', { run: id })).toMatchObject({ zone: 'create' });
    await shown('', { run: id, correct: 'file-clerk' });
    expect((await shown(poem)).capsule_id).toBe('file-clerk');
  });

  it('shows that a person chose from a close short list', async () => {
    const asked: Approval[] = [];
    const approver: Approver = {
      async ask(approval) {
        asked.push(approval);
        return { answer: 'capsule:file-clerk', by: 'terminal' };
      },
    };
    person.writeProject('notes.txt', 'one\ntwo\n');
    const environment = { CAPSTAN_ROUTE_TAKE: '2', CAPSTAN_ROUTE_JUDGE: 'person' };
    Object.assign(person.environment, environment);
    const count = 'Count the lines of notes.txt';
    expect((await route([count])).out).toContain('Close: you choose one of these.');
    const { id, status } = await carryOut(count, approver);
    expect([status, asked.length]).toEqual(['completed', 1]);
    const receipt = await shown('', { run: id });
    expect(receipt).toMatchObject({
      zone: 'close',
      capsule_id: 'file-clerk',
      decided_by: 'person',
    });
  });

  it.each([
    ['no task', [], {}, 'There is no task'],
    ['a task and a run', ['x'], { run: '0199' }, 'not both'],
    ['an unknown run', [], { run: '0199' }, 'There is no run'],
    ['an unknown capsule to correct to', ['x'], { correct: 'nobody' }, 'no capsule "nobody"'],
    ['a wrong one without the right one', ['x'], { insteadOf: 'file-clerk' }, '--correct'],
    ['an unknown wrong one', ['x'], { correct: 'file-clerk', insteadOf: 'no' }, 'no capsule "no"'],
  ])('refuses %s', async (_what, positionals, options, problem) => {
    const { code } = await route(positionals, options);
    expect(String(code)).toContain(problem);
  });
});
