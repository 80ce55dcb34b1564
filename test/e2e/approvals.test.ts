import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openScreen, type Screen } from '../terminal/open-screen.ts';
import { asOnEveryMachine, createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

const task = 'Run `rm keep.txt`';
const asks = ['run', '--provider', 'offline', task] as const;

/** A file that the task removes, and that a second removal would miss. */
function putKeep(): { isThere(): boolean } {
  const path = join(sandbox.workspace, 'keep.txt');
  writeFileSync(path, 'mine\n');
  return { isThere: () => existsSync(path) };
}

interface Question {
  readonly id: string;
  readonly run_id: string;
  readonly binding: string;
  readonly status: string;
  readonly answer: string | null;
  readonly answered_by: string | null;
}

async function listed(...args: string[]): Promise<readonly Question[]> {
  const { stdout } = await sandbox.run(['approvals', 'list', '--json', ...args]);
  return JSON.parse(stdout) as Question[];
}

/** The one question that waits, as soon as there is one. */
async function waiting(): Promise<Question> {
  for (;;) {
    const [question] = await listed();
    if (question) return question;
  }
}

const answer = (...args: string[]) => sandbox.run(['approvals', ...args]);

/** The intents of a run that had an effect, as its row shows them. */
async function effectsOf(runId: string): Promise<readonly { status: string; what: string }[]> {
  const { stdout } = await sandbox.run(['runs', 'show', runId, '--json']);
  return (JSON.parse(stdout) as { effects: { status: string; what: string }[] }).effects;
}

describe('an unattended run that must ask', () => {
  it('parks with 3, prints how to answer and resume, and completes with 0 and the effect done once', async () => {
    const keep = putKeep();
    const { exitCode, document, stderr } = await sandbox.runJson(asks);
    const [question] = await listed();
    expect({ exitCode, status: document.status }).toEqual({ exitCode: 3, status: 'parked' });
    expect(stderr).not.toContain('Error');
    expect(document.next).toEqual([
      {
        action: 'answer',
        id: question?.id,
        choices: ['approve', 'deny'],
        command: `capstan approvals approve ${question?.id}`,
      },
      {
        action: 'resume',
        id: document.run_id,
        command: `capstan resume ${document.run_id}`,
      },
    ]);
    expect(keep.isThere()).toBe(true);

    const approved = await answer('approve', question?.id ?? '');
    expect(approved).toMatchObject({ exitCode: 0 });
    expect(approved.stdout).toContain(`capstan resume ${document.run_id.slice(-8)}`);

    const resumed = await sandbox.runJson(['resume', document.run_id]);
    expect(resumed).toMatchObject({ exitCode: 0, document: { status: 'completed' } });
    expect(keep.isThere()).toBe(false);
    expect(await effectsOf(document.run_id)).toMatchObject([{ status: 'done' }]);
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });

  it('fails with 4 and changes nothing if it is denied', async () => {
    const keep = putKeep();
    const { document } = await sandbox.runJson(asks);
    const [question] = await listed();
    await answer('deny', question?.id ?? '', '--note', 'keep it');
    const resumed = await sandbox.runJson(['resume', document.run_id]);
    expect(resumed).toMatchObject({
      exitCode: 4,
      document: { status: 'failed', reason: 'denied' },
    });
    expect(JSON.stringify(resumed.document)).not.toContain('before');
    expect(keep.isThere()).toBe(true);
  });

  it('accepts no answer after the deadline, and fails with 4 when it is resumed', async () => {
    const keep = putKeep();
    const { document } = await sandbox.runJson(asks, { CAPSTAN_APPROVAL_DEADLINE_SEC: '1' });
    const [question] = await listed('--all');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const late = await answer('approve', question?.id ?? '');
    expect(late).toMatchObject({ exitCode: 1 });
    expect(late.stderr).toContain('it expired');
    const resumed = await sandbox.runJson(['resume', document.run_id]);
    expect(resumed).toMatchObject({ exitCode: 4, document: { status: 'failed' } });
    expect(await listed('--all')).toMatchObject([{ status: 'expired', answer: null }]);
    expect(keep.isThere()).toBe(true);
  });

  it('asks again when it is resumed if a file that the command names changed, also after it was approved', async () => {
    const script = join(sandbox.workspace, 'go.sh');
    const done = join(sandbox.workspace, 'done.txt');
    writeFileSync(script, 'echo agreed > done.txt\n');
    const { document } = await sandbox.runJson([...asks.slice(0, 3), 'Run `sh go.sh`']);
    const { id } = await waiting();
    await answer('approve', id);
    writeFileSync(script, 'echo swapped > done.txt\n');
    const resumed = await sandbox.runJson(['resume', document.run_id]);
    expect(resumed).toMatchObject({ exitCode: 3, document: { status: 'parked' } });
    expect(existsSync(done)).toBe(false);
    const again = await waiting();
    expect(again.id).not.toBe(id);
    await answer('approve', again.id);
    expect(await sandbox.runJson(['resume', document.run_id])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(done, 'utf8')).toBe('swapped\n');
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });

  describe('whose rules change while it is parked', () => {
    const rules = (text: string) => {
      const folder = join(sandbox.home, 'capstan/config');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'policy.yaml'), text);
    };
    const rule = (answer: string) =>
      `rules:\n  - id: about-rm\n    when: { tool: terminal, argv: ["rm **"] }\n    answer: ${answer}\n`;

    it('obeys a new deny, although a person approved', async () => {
      const keep = putKeep();
      const { document } = await sandbox.runJson(asks);
      await answer('approve', (await waiting()).id);
      rules(rule('deny'));
      const resumed = await sandbox.runJson(['resume', document.run_id]);
      expect(resumed).toMatchObject({ exitCode: 4, document: { reason: 'denied' } });
      expect(JSON.stringify(resumed.document)).toContain('about-rm');
      expect(keep.isThere()).toBe(true);
    });

    it('applies an approval to a new ask too, and keeps asking in spite of a new allow', async () => {
      const keep = putKeep();
      const { document } = await sandbox.runJson(asks);
      const { id } = await waiting();
      rules(rule('allow'));
      expect(await sandbox.runJson(['resume', document.run_id])).toMatchObject({ exitCode: 3 });
      expect(keep.isThere()).toBe(true);
      rules(rule('ask'));
      await answer('approve', id);
      expect(await sandbox.runJson(['resume', document.run_id])).toMatchObject({ exitCode: 0 });
      expect(keep.isThere()).toBe(false);
    });

    it('is not resumed while a rules file is invalid, and stays parked', async () => {
      putKeep();
      const { document } = await sandbox.runJson(asks);
      rules('rules: 3\n');
      const resumed = await sandbox.run(['resume', document.run_id]);
      expect(resumed.exitCode).toBe(2);
      expect(resumed.stderr).toContain('policy.yaml');
      const shown = await sandbox.run(['runs', 'show', document.run_id, '--json']);
      expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'parked' });
    });

    it('obeys a gate that is set to deny when it is resumed', async () => {
      const keep = putKeep();
      const { document } = await sandbox.runJson(asks);
      await answer('approve', (await waiting()).id);
      const resumed = await sandbox.runJson(['resume', document.run_id], {
        CAPSTAN_EXECUTE_GATE: 'deny',
      });
      expect(resumed).toMatchObject({ exitCode: 4, document: { reason: 'denied' } });
      expect(keep.isThere()).toBe(true);
    });
  });

  it('can be answered by the end of an id, and never for something else', async () => {
    putKeep();
    await sandbox.runJson(asks);
    const { id, binding } = await waiting();
    const other = await answer('approve', id, '--binding', 'deadbeefdeadbeef');
    expect(other).toMatchObject({ exitCode: 1 });
    expect(other.stderr).toContain(binding.slice(0, 12));
    const begun = await answer('approve', id.slice(-8), '--binding', binding.slice(0, 12));
    expect(begun.exitCode).toBe(0);
    expect((await answer('approve', '0000-none')).exitCode).toBe(2);
  });

  it('has one answer if two race, and the other learns who was first', async () => {
    putKeep();
    await sandbox.runJson(asks);
    const { id } = await waiting();
    const both = await Promise.all([answer('approve', id), answer('deny', id)]);
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
    const loser = both.find(({ exitCode }) => exitCode === 1);
    const winner = both[0]?.exitCode === 0 ? 'approve' : 'deny';
    expect(loser?.stderr).toContain(`"${winner}" was answered by cli at `);
    expect(await listed('--all')).toMatchObject([{ answer: winner, answered_by: 'cli' }]);
  });
});

describe('an answer that is remembered for a capsule', () => {
  it('is given to the next run, counted, and over once it is revoked', async () => {
    const keep = putKeep();
    const first = await sandbox.runJson(asks);
    const { id } = await waiting();
    const remember = ['--remember', 'capsule', '--pattern', 'argv:rm *', '--until', '7d'];
    expect(await answer('approve', id, ...remember, '--times', '5')).toMatchObject({ exitCode: 0 });
    await sandbox.run(['resume', first.document.run_id]);

    putKeep();
    const second = await sandbox.runJson(asks);
    expect(second).toMatchObject({ exitCode: 0, document: { status: 'completed' } });
    expect(keep.isThere()).toBe(false);

    const { stdout } = await answer('remembered', '--json');
    const [kept] = JSON.parse(stdout) as { id: string; uses: number; state: string }[];
    expect(kept).toMatchObject({ uses: 1, state: 'in_force', most_uses: 5, pattern: 'argv:rm *' });

    expect((await answer('revoke', kept?.id ?? '')).exitCode).toBe(0);
    putKeep();
    expect((await sandbox.runJson(asks)).exitCode).toBe(3);
    expect(keep.isThere()).toBe(true);
  });

  it.each([
    ['a pattern that says nothing about the operation', ['--pattern', 'path:docs/**'], 'path:'],
    [
      'a pattern that leaves out the request itself',
      ['--pattern', 'argv:npm **'],
      'does not match',
    ],
    ['a day in the past', ['--until', '2020-01-01'], 'in the past'],
    ['an invalid number', ['--times', '0'], '--times'],
  ])('is refused for %s, and the question stays open', async (_what, args, words) => {
    putKeep();
    await sandbox.runJson(asks);
    const { id } = await waiting();
    const refused = await answer('approve', id, '--remember', 'capsule', ...args);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain(words);
    expect((await waiting()).id).toBe(id);
  });
});

/** Id of the process that follows a run: what its row names first. */
function ownerOf(runId: string): number {
  const db = new Database(join(sandbox.home, 'capstan/state/capstan.db'), { readonly: true });
  try {
    const owner = db.prepare<[string], string>('SELECT owner FROM runs WHERE id = ?').pluck();
    return Number(owner.get(runId)?.split(':')[0]);
  } finally {
    db.close();
  }
}

describe('a run at a terminal', () => {
  let screens: Screen[] = [];
  afterEach(() => {
    for (const screen of screens) screen.kill();
    screens = [];
  });

  function openTerminal(args: readonly string[], more: Record<string, string> = {}): Screen {
    const screen = openScreen({
      args: asOnEveryMachine(args),
      cwd: sandbox.workspace,
      columns: 100,
      env: { HOME: sandbox.home, CAPSTAN_HOME: join(sandbox.home, 'capstan'), ...more },
    });
    screens.push(screen);
    return screen;
  }

  const KEYS = 'y allow once';

  it('waits, is answered from another process, reports it, and continues immediately', async () => {
    const keep = putKeep();
    const terminal = openTerminal(asks);
    await terminal.shows(KEYS);
    const { id } = await waiting();
    expect((await answer('approve', id)).exitCode).toBe(0);
    expect(await terminal.ended).toBe(0);
    expect(terminal.allText()).toContain('Allowed once in another terminal');
    expect(keep.isThere()).toBe(false);
  });

  it('continues after an approval that is typed there', async () => {
    const keep = putKeep();
    const terminal = openTerminal(asks);
    await terminal.shows(KEYS);
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(keep.isThere()).toBe(false);
    expect(await listed('--all')).toMatchObject([{ answer: 'approve', answered_by: 'terminal' }]);
  });

  it('treats silence as a denial after the deadline, and fails with 4', async () => {
    const keep = putKeep();
    const terminal = openTerminal(asks, { CAPSTAN_APPROVAL_DEADLINE_SEC: '1' });
    expect(await terminal.ended).toBe(4);
    expect(terminal.allText()).toContain('No answer in time');
    expect(await listed('--all')).toMatchObject([{ status: 'expired', answer: null }]);
    expect(keep.isThere()).toBe(true);
  });

  it('ends with 130 at Ctrl-C, and nothing is done', async () => {
    const keep = putKeep();
    const terminal = openTerminal(asks);
    await terminal.shows(KEYS);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(keep.isThere()).toBe(true);
  });

  it('parks with 3 when its only question is skipped, for an answer from elsewhere', async () => {
    const keep = putKeep();
    const terminal = openTerminal(asks);
    await terminal.shows(KEYS);
    terminal.type('s');
    expect(await terminal.ended).toBe(3);
    const { id, run_id } = await waiting();
    expect((await answer('approve', id)).exitCode).toBe(0);
    expect((await sandbox.runJson(['resume', run_id])).exitCode).toBe(0);
    expect(keep.isThere()).toBe(false);
  });

  it('survives kill -9 with its question, which is answered elsewhere and finished by resume', async () => {
    const keep = putKeep();
    const terminal = openTerminal(['run', '--provider', 'offline', '--quiet', task]);
    await terminal.shows('Approve?');
    const { id, run_id } = await waiting();
    process.kill(ownerOf(run_id), 'SIGKILL');
    await terminal.ended;
    expect((await answer('approve', id)).exitCode).toBe(0);
    const resumed = await sandbox.runJson(['resume', run_id]);
    expect(resumed).toMatchObject({ exitCode: 0, document: { status: 'completed' } });
    expect(keep.isThere()).toBe(false);
    expect(await effectsOf(run_id)).toMatchObject([{ status: 'done' }]);
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });
});
