import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../test/setup/tool-scratch.ts';
import { failedWith } from '../contract/errors.ts';
import type { ProcessResult } from './process/run-process.ts';
import { pythonExec } from './python-exec.ts';
import { terminal } from './terminal.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

const run = (args: object, changes = {}) => scratch.ask<ProcessResult>(terminal, args, changes);
const node = process.execPath;

/** Whether a process is running; a zombie is not. */
const isAlive = (pid: number): boolean => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
};

describe('terminal', () => {
  it('runs a program word by word, without a shell', async () => {
    expect(await run({ argv: ['printf', '%s|', '$HOME', '*', 'a b; ls'] })).toMatchObject({
      exit_code: 0,
      signal: null,
      stdout: '$HOME|*|a b; ls|',
      stderr: '',
      stdout_bytes: 16,
      truncated: false,
    });
  });

  it('runs a shell string with pipes', async () => {
    expect(await run({ command: "printf 'b\\na\\n' | sort && echo $((1+1))" })).toMatchObject({
      stdout: 'a\nb\n2\n',
    });
  });

  it.each([
    ['an exit code', 'echo no >&2; exit 3', { exit_code: 3, signal: null, stderr: 'no\n' }],
    ['a signal', 'kill -9 $$', { exit_code: null, signal: 'SIGKILL' }],
  ])('returns %s as a result', async (_what, command, expected) => {
    expect(await run({ command })).toMatchObject(expected);
  });

  it('gives a process a clean environment, a private home, and no input', async () => {
    process.env['CAPSTAN_TEST_SECRET'] = 'secret';
    const { stdout } = await run({ command: 'cat; env | cut -d= -f1 | sort; echo $HOME' });
    delete process.env['CAPSTAN_TEST_SECRET'];
    const names = stdout.split('\n');
    expect(names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD', ''].includes(name))).toEqual([
      'CAPSTAN_CALL',
      'HOME',
      'LANG',
      'PATH',
      'TMPDIR',
      expect.stringContaining(join(tmpdir(), 'capstan-call-')),
    ]);
    expect(readdirSync(tmpdir())).not.toContain(names.at(-2)?.split('/').at(-1));
  });

  it('does not run a program from the workspace or a relative folder of PATH', async () => {
    const planted = scratch.put('bin/planted', '#!/bin/sh\necho planted\n');
    chmodSync(planted, 0o755);
    const searchPath = `${join(scratch.workspace, 'bin')}:bin:.:/usr/bin:/bin`;
    await expect(run({ argv: ['planted'], cwd: 'bin' }, { searchPath })).rejects.toThrow(
      /no program "planted"/,
    );
  });

  it('works in a folder of the workspace and in no other', async () => {
    mkdirSync(join(scratch.workspace, 'sub'));
    symlinkSync(scratch.outside, join(scratch.workspace, 'door'));
    expect(await run({ argv: ['pwd'], cwd: 'sub' })).toMatchObject({
      stdout: `${join(scratch.workspace, 'sub')}\n`,
    });
    for (const cwd of ['..', '/tmp', 'door']) {
      await expect(run({ argv: ['pwd'], cwd })).rejects.toSatisfy((error) =>
        failedWith(error, 'PATH_OUTSIDE_ROOTS'),
      );
    }
    await expect(run({ argv: ['pwd'], cwd: 'none' })).rejects.toThrow(/No \w+ `none`/);
  });

  it('keeps the beginning and the end of long output, and says how long it was', async () => {
    const program = 'for (let i = 0; i < 200000; i++) console.log("line " + i)';
    const result = await run({ argv: [node, '-e', program] }, { maxOutputBytes: 2_000 });
    expect(result.stdout_bytes).toBe(2_288_890);
    expect(result.truncated).toBe(true);
    expect(result.stdout.startsWith('line 0\nline 1\n')).toBe(true);
    expect(result.stdout.endsWith('line 199998\nline 199999\n')).toBe(true);
    expect(result.stdout).toContain('… 2286890 bytes left out …');
    expect(result.stdout.length).toBeLessThan(2_100);
  });

  it('reserves a quarter of a result for stderr, however long both are', async () => {
    const program =
      'for (let i = 0; i < 2000; i++) { console.log("out " + i); console.error("err " + i); }';
    const result = await run({ argv: [node, '-e', program] }, { maxOutputBytes: 4_000 });
    expect(result.truncated).toBe(true);
    expect(result.stderr).toMatch(/^err 0\n.*left out.*err 1999\n$/s);
    expect(result.stderr.length).toBeGreaterThan(950);
    expect(result.stdout).toMatch(/^out 0\n.*left out.*out 1999\n$/s);
    expect(result.stdout.length + result.stderr.length).toBeLessThan(4_200);
  });

  it('uses for stderr the space that stdout does not need, and the other way round', async () => {
    const program = (stream: string) => `process.${stream}.write("x".repeat(3900))`;
    for (const stream of ['stdout', 'stderr']) {
      const argv = [node, '-e', program(stream)];
      expect(await run({ argv }, { maxOutputBytes: 4_000 })).toMatchObject({
        truncated: false,
        [stream]: 'x'.repeat(3_900),
      });
    }
  });

  it('answers with the facts first, then stderr, then stdout', async () => {
    const keys = Object.keys(await run({ argv: ['ls', 'none'] }));
    expect(keys[0]).toBe('exit_code');
    expect(keys.slice(-2)).toEqual(['stderr', 'stdout']);
  });

  it('ends a command after its time with all its processes, also those that left its group', async () => {
    const command = `echo started; setsid sleep 300 & sleep 300 & trap '' TERM; echo $! > pid; setsid sh -c 'echo $$ > far; sleep 300' & wait; sleep 300`;
    await expect(run({ command, timeout_sec: 0.5 })).rejects.toSatisfy(
      (error) => failedWith(error, 'TOOL_TIMED_OUT') && error.message.includes('started'),
    );
    for (const name of ['pid', 'far']) {
      const { stdout } = await run({ argv: ['cat', name] });
      expect(isAlive(Number(stdout))).toBe(false);
    }
  });

  it('ends background processes, and does not wait for them', async () => {
    const { stdout } = await run({ command: '(sleep 300; echo late) & echo $!' });
    expect(isAlive(Number(stdout))).toBe(false);
  });

  it('ends when it is aborted', async () => {
    const controller = new AbortController();
    const running = run({ argv: ['sleep', '300'] }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(running).rejects.toSatisfy((error) => failedWith(error, 'CANCELLED'));
  });

  it.each([
    ['a missing program', { argv: ['no-such-program'] }, /no program "no-such-program"/],
    ['a file that is no program', { argv: ['./plain'] }, /not executable/],
  ])('reports %s', async (_what, args, message) => {
    writeFileSync(join(scratch.workspace, 'plain'), '');
    await expect(run(args)).rejects.toThrow(message);
  });

  it.each([
    ['neither argv nor command', {}, /either argv or command/],
    ['both', { argv: ['ls'], command: 'ls' }, /either argv or command/],
    ['an empty argv', { argv: [] }, /argv/],
    ['a NUL', { argv: ['a\0b'] }, /NUL/],
    ['an unknown access', { argv: ['ls'], access: 'admin' }, /access/],
    ['an invalid time', { argv: ['ls'], timeout_sec: 'abc' }, /timeout_sec/],
    ['an unknown argument', { argv: ['ls'], env: {} }, /env/],
  ])('refuses %s', (_what, args, message) => {
    expect(() => terminal.prepare(args)).toThrow(message);
  });

  it('determines its operation from its arguments: argv or shell, read or write', () => {
    expect(terminal.prepare({ argv: ['git', 'log'] }).operation).toMatchObject({
      name: 'terminal.read',
      tier: 2,
      repeatability: 'unsafe',
      command: { kind: 'argv', argv: ['git', 'log'], access: 'read', cwd: '.' },
      target: 'git log',
    });
    expect(terminal.prepare({ command: 'ls > x', access: 'write' }).operation).toMatchObject({
      name: 'terminal.write',
      command: { kind: 'shell', text: 'ls > x', access: 'write' },
    });
  });
});

describe('python_exec', () => {
  it('runs a program in the workspace and returns its output', async () => {
    scratch.put('data.csv', 'a\n1\n2\n');
    const code =
      'import os\nprint(sum(int(l) for l in open("data.csv").readlines()[1:]), os.getcwd())';
    expect(await scratch.ask(pythonExec, { code })).toMatchObject({
      exit_code: 0,
      stdout: `3 ${scratch.workspace}\n`,
    });
  });

  it('returns an exception as a result', async () => {
    const result = await scratch.ask<ProcessResult>(pythonExec, { code: 'raise ValueError("x")' });
    expect(result).toMatchObject({
      exit_code: 1,
      stderr: expect.stringContaining('ValueError: x'),
    });
  });

  it('loads no module from the workspace', async () => {
    scratch.put('json.py', 'print("planted")');
    expect(
      await scratch.ask(pythonExec, { code: 'import json; print(json.dumps(1))' }),
    ).toMatchObject({
      stdout: '1\n',
    });
  });

  it('writes the output of a program to a file, and returns its first lines', async () => {
    const code = 'for n in range(9): print(n, "é")';
    const { result, wrote } = await scratch.call(pythonExec, { code, save_as: 'out/n.txt' });
    const content = Array.from({ length: 9 }, (_, n) => `${n} é\n`).join('');
    expect(readFileSync(join(scratch.workspace, 'out/n.txt'), 'utf8')).toBe(content);
    expect(result).toMatchObject({
      ...{ path: 'out/n.txt', created: true, lines: 9, exit_code: 0 },
      first_lines: content.split('\n').slice(0, 5).join('\n'),
    });
    expect(result).not.toHaveProperty('stdout');
    expect(wrote).toMatchObject([{ path: join(scratch.workspace, 'out/n.txt') }]);
  });

  it('writes no file if the program fails', async () => {
    const code = 'print(1)\nraise ValueError("x")';
    const result = await scratch.ask(pythonExec, { code, save_as: 'n.txt' });
    expect(result).toMatchObject({
      exit_code: 1,
      stdout: '1\n',
      hint: expect.stringContaining('"n.txt" was not written'),
    });
    expect(readdirSync(scratch.workspace)).toEqual([]);
  });

  it('says that Python is missing if it is', async () => {
    await expect(
      scratch.ask(pythonExec, { code: 'print(1)' }, { searchPath: '/nonexistent' }),
    ).rejects.toThrow(/Python 3 is not installed/);
  });
});
