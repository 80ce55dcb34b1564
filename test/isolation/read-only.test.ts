import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isClosedToProcesses,
  isProtectedPath,
} from '../../src/policy/protected/protected-paths.ts';
import type { ToolContext } from '../../src/tools/define/tool.ts';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { pythonExec } from '../../src/tools/python-exec.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, levelA } from './sandboxes.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
  scratch.put('n.txt', 'a\n');
  scratch.put('src/a.txt', 'a\n');
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: scratch.workspace, stdio: 'pipe' });
  run('tar', 'cf', 'n.tar', 'n.txt');
  run('python3', '-c', "import sqlite3; sqlite3.connect('x.db').execute('create table t(a)')");
  run('git', 'init', '-q');
  run('git', 'add', 'n.txt');
  const name = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
  run('git', ...name, 'commit', '-qm', 'first');
  scratch.put('n.txt', 'b\n');
});
afterEach(() => scratch[Symbol.dispose]());

const changes = (): Partial<ToolContext> => {
  const { workspace } = scratch;
  const facts = { ownDirs: [], home: homedir(), workspace, openPaths: [] };
  return {
    sandbox: levelA(),
    isProtected: (path, access) => isProtectedPath(path, access, facts),
    isClosedToProcesses: (path, access) => isClosedToProcesses(path, access, facts),
  };
};
const bash = (command: string, access = 'read', cwd = '.') =>
  scratch.ask<ProcessResult>(terminal, { command, access, cwd }, changes());
const python = (code: string) => scratch.ask<ProcessResult>(pythonExec, { code }, changes());

const insert = "import sqlite3; sqlite3.connect('x.db').execute('insert into t values (1)')";
const create = "import sqlite3; sqlite3.connect('new.db').execute('create table t(a)')";

describe.runIf(hasBubblewrap)('a command that may only read the workspace', () => {
  it.each([
    'touch x',
    'git stash',
    'git -c user.name=n -c user.email=n@example.com stash push',
    'git add n.txt',
    'git push . HEAD:refs/heads/other',
    'tar xf n.tar',
    'tar rf n.tar n.txt',
    "node -e \"fs.writeFileSync('x', '')\"",
    'cd /tmp && mkdir "$OLDPWD/x"',
    '/usr/bin/mkdir x',
    'mkdir x /etc/x',
    'mkdir src/../x',
    'cd src && mkdir ../x',
  ])('learns how to ask for write access, and that it needs it: %s', async (command) => {
    const { hint, needs_write, exit_code } = await bash(command);
    expect(exit_code).not.toBe(0);
    expect(needs_write).toBe(true);
    expect(hint?.match(/could only be read.*write/g)).toHaveLength(1);
  });

  it.each([insert, create, "open('x', 'w')", "import os; os.chdir('src'); open('../x', 'w')"])(
    'also in Python: %s',
    async (code) => {
      expect(await python(code)).toMatchObject({
        needs_write: true,
        hint: expect.stringContaining('write access'),
      });
    },
  );

  it.each(['ls not-there', 'false', 'grep zzz n.txt', 'git log no-such-branch', 'kill -9 $$'])(
    'learns how to ask whenever it fails, without a claim that it needs it: %s',
    async (command) => {
      const { hint, needs_write } = await bash(command);
      expect(hint).toContain('write access');
      expect(needs_write).toBeUndefined();
    },
  );

  it.each([
    'mkdir /etc/x',
    'touch /usr/x',
    'echo x > /etc/x',
    'cp n.txt /etc/n.txt',
    '/usr/bin/mkdir /etc/x',
    'cat /not-there/x',
    "python3 -c \"open('/etc/x', 'w')\"",
    'node -e "fs.mkdirSync(\'/etc/x\')"',
  ])('gets no hint if only paths outside the workspace failed: %s', async (command) => {
    const { hint, needs_write, exit_code } = await bash(command);
    expect(exit_code).not.toBe(0);
    expect({ hint, needs_write }).toEqual({ hint: undefined, needs_write: undefined });
  });

  it('gets no hint if a path leads out of the workspace from the folder of the call', async () => {
    const up = '../'.repeat(scratch.workspace.split('/').length);
    for (const command of [
      `touch ${up}etc/x`,
      `cp a.txt ${up}etc/x`,
      `ln -s a.txt ../src/${up}etc/x`,
      `python3 -c "open('${up}etc/x', 'w')"`,
      'cat ../../n.txt',
    ]) {
      const { hint, needs_write, exit_code } = await bash(command, 'read', 'src');
      expect(exit_code).not.toBe(0);
      expect({ command, needs_write }).toEqual({ command, needs_write: undefined });
      expect(hint ?? '').not.toContain('write access');
    }
    expect(await bash('touch ../x', 'read', 'src')).toMatchObject({ needs_write: true });
  });

  it.each([
    'sh quiet.sh',
    'touch x 2>/dev/null; echo ok',
    'ls && find . -name x -delete',
    'echo "$(sh quiet.sh)"',
    'cat n.txt | xargs -r rm -f 2>/dev/null; true',
  ])('learns that it could not write if it succeeds and may hide that: %s', async (command) => {
    scratch.put('quiet.sh', 'touch x 2>/dev/null; rm -f n.txt 2>/dev/null; echo ok');
    const { hint, needs_write, exit_code } = await bash(command);
    expect({ needs_write, exit_code }).toEqual({ needs_write: undefined, exit_code: 0 });
    expect(hint).toMatch(
      /^It ran with the workspace read-only: it could not change files\. .*write/,
    );
  });

  it('gets no hint if all that it runs only reads', async () => {
    const { hint } = await bash(
      'git log --oneline | head -3; grep -rn "a; b" . 2>/dev/null | wc -l',
    );
    expect(hint).toBeUndefined();
    expect((await scratch.ask<ProcessResult>(terminal, { argv: ['ls'] }, changes())).hint).toBe(
      undefined,
    );
  });

  it('gets no hint if it succeeds, nor if it could write', async () => {
    expect((await bash('cat n.txt')).hint).toBeUndefined();
    expect((await bash('ls not-there', 'write')).hint).toBeUndefined();
    expect((await bash(`ls ${join(scratch.workspace, 'n.txt')}`)).hint).toBeUndefined();
  });
});
