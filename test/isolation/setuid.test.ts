import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { pythonExec } from '../../src/tools/python-exec.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

const bash = (command: string, sandbox: Sandbox) =>
  scratch.ask<ProcessResult>(terminal, { command, access: 'write' }, { sandbox });
const python = (code: string, sandbox: Sandbox) =>
  scratch.ask<ProcessResult>(pythonExec, { code, access: 'write' }, { sandbox });

/** All below the workspace that has a setuid or setgid bit. */
const marked = () =>
  execFileSync('find', [scratch.workspace, '-perm', '/6000'], { encoding: 'utf8' });

const levels: [string, () => Sandbox][] = [
  ...(hasBubblewrap ? [['A', levelA] as [string, () => Sandbox]] : []),
  ...(hasLandlock ? [['B', levelB] as [string, () => Sandbox]] : []),
];

/** `call(number of x64, number of arm64, …)`, if the call exists. */
const calls = `
import ctypes, os, platform
at = 0 if platform.machine() == 'x86_64' else 1
libc = ctypes.CDLL(None)
def call(numbers, *args):
    if numbers[at]: libc.syscall(numbers[at], *args)
`;

describe.each(levels)('at level %s', (_, sandboxOf) => {
  it.each([
    ['chmod u+s', 'cp /bin/true x; chmod u+s x'],
    ['chmod with numbers', 'cp /bin/true x; chmod 6755 x'],
    ['chmod of a folder', 'mkdir d; chmod g+s d; chmod 4755 d'],
    ['install', 'install -m 4755 /bin/true x'],
    ['mkdir with a mode', 'mkdir -m 2775 d'],
    ['cp that keeps modes', 'cp -p $(find /usr/bin -perm /6000 | head -n 3) .'],
    [
      'an archive',
      `python3 -Ic 'import tarfile, io
t = tarfile.open("x.tar", "w"); i = tarfile.TarInfo("x"); i.mode = 0o6755; t.addfile(i, io.BytesIO(b""))
t.close()'; tar xpf x.tar`,
    ],
  ])('no setuid or setgid bit is left by %s', async (_name, command) => {
    await bash(command, sandboxOf());
    expect(marked()).toBe('');
  });

  it.each([
    ['os.open', "os.open('x', os.O_CREAT | os.O_WRONLY, 0o6755)"],
    ['os.fchmod', "os.fchmod(os.open('x', os.O_CREAT | os.O_WRONLY), 0o2755)"],
    ['os.mknod', "os.mknod('x', 0o106755)"],
    ['open', "call((2, 0), b'x', 0o101, 0o6755)"],
    ['creat', "call((85, 0), b'x', 0o6755)"],
    ['fchmodat2', "open('x', 'w').close(); call((452, 452), -100, b'x', 0o6755, 0)"],
    ['openat2', "call((437, 437), -100, b'x', (ctypes.c_uint64 * 3)(0o101, 0o6755, 0), 24)"],
    [
      'a file without a name that gets one',
      "fd = os.open('.', 0o20200001, 0o6755); libc.linkat(-100, b'/proc/self/fd/%d' % fd, -100, b'x', 0x400)",
    ],
  ])('no setuid or setgid bit is left by Python through %s', async (_name, code) => {
    await python(`${calls}os.umask(0)\n${code}`, sandboxOf());
    expect(marked()).toBe('');
  });

  it('a bit that a person set before stays, and files can be created in such a folder', async () => {
    const folder = join(scratch.workspace, 'shared');
    mkdirSync(folder);
    chmodSync(folder, 0o2775);
    const { exit_code } = await bash('echo x > shared/new; mkdir shared/sub', sandboxOf());
    expect(exit_code).toBe(0);
    expect(statSync(folder).mode & 0o7777).toBe(0o2775);
  });

  it('programs still make files, change other modes and copy folders', async () => {
    const command =
      'umask 022; echo x > a && chmod 750 a && chmod +t . && mkdir -m 711 d && cp -a d e && install -m 600 a b && stat -c %a a d e b';
    expect((await bash(command, sandboxOf())).stdout).toBe('750\n711\n711\n600\n');
  });
});
