import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { pythonExec } from '../../src/tools/python-exec.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, levelA } from './sandboxes.ts';

let scratch: Scratch;
let home: string;
beforeEach(() => {
  scratch = createScratch();
  home = join(scratch.outside, 'home/ada');
});
afterEach(() => scratch[Symbol.dispose]());

function program(path: string, text = '#!/bin/sh\necho mine\n'): string {
  const file = path.startsWith('/') ? path : join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}
function link(path: string, to: string): void {
  const file = path.startsWith('/') ? path : join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(to, file);
}
const context = (readable: string[] = []) => ({
  sandbox: levelA(readable),
  searchPath: `${join(home, '.pyenv/shims')}:${join(home, '.local/bin')}:/usr/local/bin:/usr/bin:/bin`,
});
const ask = (args: object, readable?: string[]) =>
  scratch.ask<ProcessResult>(terminal, args, context(readable));
const bash = (command: string, readable?: string[]) => ask({ command }, readable);
const setting = 'the setting CAPSTAN_SANDBOX_READ';

describe.runIf(hasBubblewrap)("a program of the person that a command can't see", () => {
  it.each([
    ['bash', 'mytool --version'],
    ['sh', "sh -c 'mytool'"],
    ['env', 'env mytool'],
    ['a pipe', 'true | mytool'],
    ['Python', `python3 -c "import subprocess; subprocess.run(['mytool'])"`],
    ['make', `printf 'all:\\n\\tmytool\\n' | make -f -`],
  ])(
    'is named with the setting that opens its folder, if it is started by %s',
    async (_, command) => {
      program('.local/bin/mytool');
      const { hint } = await bash(command);
      expect(hint).toContain(setting);
      expect(hint).toContain(join(home, '.local/bin'));
    },
  );

  it('is named to the person once, if the command failed', async () => {
    program('.local/bin/mytool');
    const notices: string[] = [];
    const notice = (text: string, isOnce?: boolean) => void notices.push(`${isOnce} ${text}`);
    for (const command of ['mytool', 'mytool || true'])
      await scratch.ask<ProcessResult>(terminal, { command }, { ...context(), notice });
    expect(notices).toEqual([expect.stringMatching(/^true Commands can't see .*SANDBOX_READ\.$/)]);
  });

  it('is named if it is started without a shell', async () => {
    program('.local/bin/mytool');
    await expect(ask({ argv: ['mytool'] })).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      message: expect.stringContaining(setting),
    });
    await expect(ask({ argv: ['nowhere-at-all'] })).rejects.toMatchObject({
      message: expect.not.stringContaining(setting),
    });
  });

  it('is named if another version was used in its place', async () => {
    program('.pyenv/shims/python3');
    const { hint, exit_code } = await bash('python3 --version');
    expect(exit_code).toBe(0);
    expect(hint).toContain(`add ${join(home, '.pyenv')} to ${setting}`);
    const result = await scratch.ask<ProcessResult>(pythonExec, { code: '1' }, context());
    expect(result.hint).toContain(setting);
  });

  it('is named with the target of its link', async () => {
    const real = program('.local/share/pipx/venvs/mytool/bin/mytool');
    link('.local/bin/mytool', real);
    const { hint } = await bash('mytool');
    expect(hint).toContain(join(home, '.local/bin'));
    expect(hint).toContain(join(home, '.local/share/pipx/venvs/mytool'));
  });

  it('is named if an interpreter of the workspace leads to it', async () => {
    const python = program('.pyenv/versions/3.11.4/bin/python3.11');
    link(join(scratch.workspace, '.venv/bin/python'), 'python3');
    link(join(scratch.workspace, '.venv/bin/python3'), python);
    program(
      join(scratch.workspace, '.venv/bin/pip'),
      `#!${join(scratch.workspace, '.venv/bin/python')}\n`,
    );
    program(join(scratch.workspace, 'direct'), `#!${python} -I\n`);
    link(join(scratch.workspace, 'linked'), join(home, '.pyenv/versions/3.11.4'));
    const opens = `add ${join(home, '.pyenv/versions/3.11.4')} to ${setting}`;
    for (const command of [
      '.venv/bin/python x.py',
      '.venv/bin/pip',
      './direct',
      'linked/bin/python3.11',
    ])
      expect((await bash(command)).hint).toContain(opens);
    for (const name of ['.venv/bin/python', './direct'])
      await expect(ask({ argv: [name] })).rejects.toMatchObject({
        message: expect.stringContaining(opens),
      });
  });

  it('is not named if a command only prints its name', async () => {
    program('.local/bin/mytool');
    for (const command of [
      'printf "my%s: not found" tool >&2',
      `echo bXl0b29sOiBub3QgZm91bmQK | base64 -d >&2`,
    ])
      expect((await bash(command)).hint ?? '').not.toContain(setting);
  });

  it('is named with `~` for the home', async () => {
    const before = process.env['HOME'];
    process.env['HOME'] = home;
    try {
      program('.local/bin/mytool');
      const { hint } = await bash('mytool');
      expect(hint).toContain('"~/.local/bin/mytool"');
      expect(hint).toContain(`add ~/.local/bin to ${setting}`);
      expect(hint).not.toContain(home);
    } finally {
      process.env['HOME'] = before;
    }
  });

  it('is not named once its folder is open', async () => {
    program('.local/bin/mytool');
    const { stdout, hint } = await bash('mytool', [join(home, '.local/bin')]);
    expect(stdout).toBe('mine\n');
    expect(hint).not.toContain('mytool');
  });

  it('is not named for files and programs that are missing outside, too, nor for Node itself', async () => {
    link('.local/bin/node', process.execPath);
    for (const command of [
      'node --version; nowhere-at-all; cat missing.txt',
      `cat ${join(home, 'x')}; ls /nowhere`,
    ])
      expect((await bash(command)).hint ?? '').not.toContain(setting);
  });
});
