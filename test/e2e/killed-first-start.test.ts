import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox({ isFirstStart: true });
});
afterEach(() => sandbox.remove());

it.skipIf(!hasBubblewrap)('leaves temporary folders, which the next run removes', async () => {
  const TMPDIR = join(sandbox.home, 'tmp');
  mkdirSync(TMPDIR);
  writeFileSync(join(sandbox.workspace, 'notes.md'), 'one\n');
  const task = ['run', 'Count the lines of notes.md'];
  const first = sandbox.start(task, { TMPDIR });
  // It tests its sandbox in this folder.
  const isTesting = () => readdirSync(TMPDIR).some((name) => name.includes('-selftest-'));
  while (!isTesting() && first.child.exitCode === null) await sleep(2);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(isTesting()).toBe(true);
  const second = await sandbox.start(task, { TMPDIR }).ended;
  expect(second).toMatchObject({ exitCode: 0 });
  expect(readdirSync(TMPDIR)).toEqual([]);
});
