import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

const at = (name: string) => join(sandbox.workspace, name);

it('shows what a run changed, and undoes it', async () => {
  writeFileSync(at('notes.txt'), 'one\ntwo\n');
  writeFileSync(at('old.txt'), 'old\n');
  const task = 'Run `sed -i s/two/2/ notes.txt && mv old.txt new.txt`';
  const { exitCode, document } = await sandbox.runJson([
    'run',
    '--provider',
    'offline',
    '--approve-mode',
    'allow',
    '--capsule',
    'command-runner',
    task,
  ]);
  expect(exitCode).toBe(0);
  const diff = await sandbox.run(['runs', 'diff', 'last', '--json']);
  expect(JSON.parse(diff.stdout).files).toMatchObject([
    { path: 'new.txt', change: 'created', undoable: true },
    { path: 'notes.txt', change: 'changed', undoable: true },
    { path: 'old.txt', change: 'deleted', undoable: true },
  ]);
  const id = document.run_id.slice(-8);
  const unasked = await sandbox.run(['runs', 'undo', id]);
  expect(unasked.exitCode).toBe(2);
  expect(unasked.stderr).toContain('restore');
  const undone = await sandbox.run(['runs', 'undo', id, '--yes']);
  expect(undone).toMatchObject({ exitCode: 0 });
  expect(readFileSync(at('notes.txt'), 'utf8')).toBe('one\ntwo\n');
  expect(readFileSync(at('old.txt'), 'utf8')).toBe('old\n');
  expect(existsSync(at('new.txt'))).toBe(false);
  const verified = await sandbox.run(['audit', 'verify']);
  expect(verified.exitCode).toBe(0);
});
