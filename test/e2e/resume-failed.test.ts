import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

const pathOf = (name: string) => join(sandbox.workspace, name);

/** A capsule of the user's own that runs this handler. */
function addCapsule(id: string, handler: string): void {
  const dir = join(sandbox.home, 'capstan/data/agents', id);
  mkdirSync(dir, { recursive: true });
  const manifest = {
    id,
    name: id,
    version: '1.0.0',
    description: 'Does what its test needs.',
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: { tools: { file_io: { paths: ['**'] }, terminal: { commands: ['**'] } } },
    skills: [],
    task_kinds: [{ name: 'work', mode: 'handler', description: 'Works.' }],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(dir, 'handlers.cjs'), handler);
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `'use strict';\nconst { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => require('./handlers.cjs').handlers });\n`,
  );
}

const run = (...words: string[]) =>
  sandbox.runJson(['run', '--provider', 'offline', '--approve-mode', 'allow', ...words]);

/** Appends a line, then reads a file that may be missing. */
const appendsThenReads = `exports.handlers = { async work({ call }) {
  await call('file_io', { operation: 'append', path: 'log.txt', content: 'one\\n' }, 'to log');
  const { content } = await call('file_io', { operation: 'read', path: 'input.txt' }, 'to read');
  return 'It says ' + content.trim();
} };`;

it('a failed run completes when it is resumed, and repeats no effect', async () => {
  addCapsule('logger', appendsThenReads);
  const failed = await run('--capsule', 'logger', 'Log it');
  expect(failed.document).toMatchObject({ status: 'failed', subtasks: [{ status: 'failed' }] });
  expect(failed.exitCode).toBe(1);
  writeFileSync(pathOf('input.txt'), 'hello\n');

  const resumed = await sandbox.runJson(['resume', failed.document.run_id]);
  expect(resumed.document).toMatchObject({ status: 'completed', answer: 'It says hello' });
  expect(resumed.exitCode).toBe(0);
  expect(readFileSync(pathOf('log.txt'), 'utf8')).toBe('one\n');
});

it('a failed run that fails again can be resumed again, and still repeats no effect', async () => {
  addCapsule('logger', appendsThenReads);
  const { document } = await run('--capsule', 'logger', 'Log it');
  const again = await sandbox.runJson(['resume', document.run_id]);
  expect(again.document.status).toBe('failed');
  writeFileSync(pathOf('input.txt'), 'hello\n');
  const resumed = await sandbox.runJson(['resume', document.run_id]);
  expect(resumed.document).toMatchObject({ status: 'completed', answer: 'It says hello' });
  expect(readFileSync(pathOf('log.txt'), 'utf8')).toBe('one\n');
});

it('completed subtasks of a failed run keep their results, and skipped ones are performed', async () => {
  writeFileSync(pathOf('notes.txt'), 'one\ntwo\n');
  const task =
    'Count the lines of notes.txt and save the result as count.md, then summarize missing.txt';
  const failed = await run(task);
  expect(failed.document.status).toBe('failed');
  const done = failed.document.subtasks.filter(({ status }) => status === 'completed');
  writeFileSync(pathOf('missing.txt'), 'A short text. It has two sentences.\n');
  const resumed = await sandbox.runJson(['resume', failed.document.run_id]);
  expect(resumed.document.status).toBe('completed');
  for (const { id, attempts, result } of done) {
    expect(resumed.document.subtasks.find((one) => one.id === id)).toMatchObject({
      attempts,
      result,
    });
  }
});

it('a run that its deadline ended completes with a longer one', async () => {
  addCapsule(
    'sleeper',
    `exports.handlers = { async work({ call }) {
      await call('file_io', { operation: 'append', path: 'log.txt', content: 'one\\n' }, 'to log');
      await call('terminal', { argv: ['sleep', '3'] }, 'to wait');
      return 'Rested.';
    } };`,
  );
  const late = await run('--capsule', 'sleeper', '--timeout', '2', 'Rest');
  expect(late.exitCode).toBe(124);
  const id = late.document.run_id;
  expect(late.document).toMatchObject({
    status: 'failed',
    reason: 'deadline',
    answer: expect.stringContaining('cancelled: the time limit of the run was over.'),
    next: [{ action: 'raise_timeout', command: `capstan resume ${id} --timeout 4` }],
  });
  const resumed = await sandbox.runJson(['resume', id, '--timeout', '60']);
  expect(resumed.document).toMatchObject({ status: 'completed', answer: 'Rested.' });
  expect(existsSync(pathOf('log.txt')) && readFileSync(pathOf('log.txt'), 'utf8')).toBe('one\n');
});

it('a run that reached its limit of requests names the setting, and continues with a higher one', async () => {
  addCapsule(
    'reader',
    `exports.handlers = { async work({ call }) {
      await call('file_io', { operation: 'append', path: 'log.txt', content: 'one\\n' }, 'to log');
      for (const name of ['a', 'b', 'c', 'd']) {
        await call('file_io', { operation: 'write', path: name + '.txt', content: name }, 'to note');
      }
      return 'Read all.';
    } };`,
  );
  const words = ['run', '--provider', 'offline', '--approve-mode', 'allow', '--capsule', 'reader'];
  const { document } = await sandbox.runJson([...words, 'Read'], { CAPSTAN_MAX_INTENTS: '3' });
  const id = document.run_id;
  const setting = 'CAPSTAN_MAX_INTENTS';
  expect(document).toMatchObject({
    status: 'failed',
    reason: 'limit',
    subtasks: [{ attempts: 1, error: { message: expect.stringContaining(setting) } }],
    next: [{ action: 'raise_setting', command: `${setting}=6 capstan resume ${id}` }],
  });
  const unchanged = await sandbox.runJson(['resume', id]);
  expect(unchanged.document).toMatchObject({ status: 'failed', reason: 'limit' });
  const resumed = await sandbox.runJson(['resume', id], { CAPSTAN_MAX_INTENTS: '9' });
  expect(resumed.document).toMatchObject({ status: 'completed', answer: 'Read all.' });
  expect(readFileSync(pathOf('log.txt'), 'utf8')).toBe('one\n');
});

it('bad settings start no run', async () => {
  const { document } = await sandbox.runJson(['run', '--timeout', 'soon', 'x']);
  expect(document).toMatchObject({ run_id: null, next: [], error: { code: 'SETTINGS_INVALID' } });
});

it.runIf(hasBubblewrap)(
  "a failed run that can't continue now is failed as before, and its document says why",
  async () => {
    addCapsule('logger', appendsThenReads);
    const { document } = await run('--capsule', 'logger', 'Log it');
    const id = document.run_id;
    const resumed = await sandbox.runJson(['resume', '--dangerously-no-isolation', id]);
    expect(resumed).toMatchObject({
      exitCode: 7,
      document: { run_id: id, reason: 'isolation', error: { code: 'ISOLATION_REFUSED' } },
    });
    const shown = JSON.parse((await sandbox.run(['runs', 'show', id, '--json'])).stdout);
    const { reason, answer } = document;
    expect(shown).toMatchObject({ status: 'failed', reason, answer });
  },
);

it('a failed run that no capsule understood is answered by the same capsule when it is resumed', async () => {
  writeFileSync(pathOf('notes.md'), 'one\n');
  const failed = await run('Yodel notes.md backwards');
  expect(failed.document.subtasks[0]).toMatchObject({ status: 'failed', attempts: 4 });
  const resumed = await sandbox.runJson(['resume', failed.document.run_id]);
  const [before, after] = [failed, resumed].map(({ document: { answer, subtasks } }) => ({
    answer,
    capsule: subtasks[0]?.capsule_id,
  }));
  expect(after).toEqual(before);
});

it('a step behind "then" is skipped if the step before it fails, and a resume that would fail again is not proposed', async () => {
  writeFileSync(pathOf('people.csv'), 'name,age\nann,3\nbob,5\n');
  writeFileSync(pathOf('backup.txt'), 'mine\n');
  const task = 'Save the median of zork in people.csv as m.csv, then delete backup.txt';
  const { document } = await run(task);
  expect(document).toMatchObject({
    status: 'failed',
    subtasks: [{ status: 'failed' }, { status: 'skipped', reason: 'dependency_failed' }],
    next: [{ action: 'choose_provider' }],
  });
  expect(existsSync(pathOf('backup.txt'))).toBe(true);
  const { document: missing } = await run('Summarise nothing.md');
  expect(missing).toMatchObject({ status: 'failed', next: [] });
});
