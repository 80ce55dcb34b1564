import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import {
  isClosedToProcesses,
  isProtectedPath,
} from '../../src/policy/protected/protected-paths.ts';
import type { ToolContext } from '../../src/tools/define/tool.ts';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { pythonExec } from '../../src/tools/python-exec.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
  scratch.put('n.txt', 'b\na\n');
  scratch.put('my notes.txt', 'x\n');
  scratch.put('writes-home.sh', 'echo x > ~/report.txt\n');
  scratch.put(
    'makes-caches.sh',
    'mkdir -p ~/.cache/tool ~/.npm/_logs; echo x > ~/.npm/_logs/debug.log; mktemp; mktemp -d; echo x > /tmp/app.log\n',
  );
});
afterEach(() => scratch[Symbol.dispose]());

const changes = (sandbox = levelA()): Partial<ToolContext> => {
  const { workspace } = scratch;
  const facts = { ownDirs: [], home: homedir(), workspace, openPaths: [] };
  return {
    sandbox,
    isProtected: (path, access) => isProtectedPath(path, access, facts),
    isClosedToProcesses: (path, access) => isClosedToProcesses(path, access, facts),
  };
};
const bash = (command: string, more: Partial<ToolContext> = {}, access = 'read') =>
  scratch.ask<ProcessResult>(terminal, { command, access }, { ...changes(), ...more });
const python = (code: string) => scratch.ask<ProcessResult>(pythonExec, { code }, changes());

/** The code and the paths of the failure of a call; undefined if it did not fail. */
async function failureOf(call: Promise<ProcessResult>) {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { places } = error.details as { places?: readonly string[] };
    return { code: error.code, places };
  }
}

describe.runIf(hasBubblewrap)('a command at level A that writes to a private place', () => {
  it.each<[string, readonly string[]]>([
    ['cp n.txt /tmp/x', ['/tmp/x']],
    ['cp n.txt /tmp', ['/tmp/n.txt']],
    ['cp n.txt /tmp/', ['/tmp/n.txt']],
    ['cp "my notes.txt" "/tmp/my notes.txt"', ['/tmp/my notes.txt']],
    ['cd /tmp && cp "$OLDPWD/n.txt" copy', ['/tmp/copy']],
    ['sort n.txt > /tmp/b && wc -l /tmp/b', ['/tmp/b']],
    ['sort n.txt | tee /tmp/b', ['/tmp/b']],
    ['sort -o/tmp/b n.txt', ['/tmp/b']],
    ['for i in 1 2; do echo $i > /tmp/part-$i.txt; done', ['/tmp/part-1.txt', '/tmp/part-2.txt']],
    ['echo x > $TMPDIR/x', ['/tmp/x']],
    [`echo x > "\${TMPDIR:-/tmp}/x"`, ['/tmp/x']],
    ['mkdir -p /tmp/a/b && touch /tmp/a/b/c.txt', ['/tmp/a/b', '/tmp/a/b/c.txt']],
    ['echo x > /dev/shm/x', ['/dev/shm/x']],
    ['diff n.txt "my notes.txt" > /tmp/changes', ['/tmp/changes']],
    ['T=/tmp; cp n.txt $T/copy', ['/tmp/copy']],
    ['rm -rf /tmp/old', ['/tmp/old']],
    ['find /tmp -name "*.bak" -delete', ['/tmp/']],
  ])('fails: %s', async (command, places) => {
    expect(await failureOf(bash(command))).toEqual({ code: 'WRITES_DISCARDED', places });
  });

  it.each<[string, readonly string[]]>([
    ['git config --global user.nick zed', ['~/.gitconfig']],
    ['git -C . config --global --add a.b c', ['~/.gitconfig']],
    ['echo x > ~/notes.txt', ['~/notes.txt']],
    ['echo x >> "$HOME"/.bashrc', ['~/.bashrc']],
    ['cp n.txt ~', ['~/n.txt']],
    [`mkdir -p \${HOME}/bin`, ['~/bin']],
    ['cp n.txt ~/ && ls ~', ['~/n.txt']],
    ['rm -f ~/.npmrc', ['~/.npmrc']],
    ['mkdir ~/.ssh && touch ~/.ssh/config', ['~/.ssh', '~/.ssh/config']],
  ])('fails, also in the home: %s', async (command, places) => {
    expect(await failureOf(bash(command))).toEqual({ code: 'HOME_DISCARDED', places });
  });

  it.each([
    ["open('/tmp/x', 'w').write('x')", 'WRITES_DISCARDED', '/tmp/x'],
    ["i = 1\nopen(f'/tmp/x{i}', 'w').write('x')", 'WRITES_DISCARDED', '/tmp/x1'],
    ["import os; open(os.path.join('/tmp', 'x'), 'w')", 'WRITES_DISCARDED', '/tmp/x'],
    [
      "from pathlib import Path; (Path.home() / '.nick').write_text('z')",
      'HOME_DISCARDED',
      '~/.nick',
    ],
    ["import os; open(os.path.expanduser('~/nick'), 'w')", 'HOME_DISCARDED', '~/nick'],
    ["import os; open(os.environ['HOME'] + '/nick', 'w')", 'HOME_DISCARDED', '~/nick'],
    [
      "import subprocess; subprocess.run(['git', 'config', '--global', 'user.nick', 'z'])",
      'HOME_DISCARDED',
      '~/.gitconfig',
    ],
  ])('fails in Python: %s', async (code, expected, place) => {
    expect(await failureOf(python(code))).toEqual({ code: expected, places: [place] });
  });

  it('says what was discarded, where to write, and what the command printed', async () => {
    await expect(bash('sort n.txt > /tmp/b && wc -l /tmp/b')).rejects.toThrow(
      /changed \/tmp\/b, and that was discarded: .*Use a path in the workspace instead\. Exit code 0, output:\n2 \/tmp\/b/,
    );
  });

  it('fails if the task names the file and a script writes it', async () => {
    const task = 'Run `sh writes-home.sh`, which makes ~/report.txt';
    expect(await failureOf(bash('sh writes-home.sh', { task }))).toEqual({
      code: 'HOME_DISCARDED',
      places: ['~/report.txt'],
    });
  });

  it.each([
    ['sh makes-caches.sh'],
    ['sh makes-caches.sh; ls -a ~ /tmp'],
    ['f=$(mktemp) && sort n.txt > $f && cat $f'],
    ['mktemp /tmp/sorted.XXXXXX'],
    ['sort -T /tmp n.txt'],
    ['TMPDIR=/tmp/ sort n.txt'],
    ['mkdir -p /tmp/w && rm -r /tmp/w'],
    ['sort n.txt > /tmp/b && wc -l /tmp/b && rm /tmp/b'],
    ['ls /tmp'],
    ['test -d ~ && echo $HOME'],
    ['git config --global --list || true'],
    ['XDG_CACHE_HOME=/tmp/caches sh -c \'mkdir -p "$XDG_CACHE_HOME/tool"\''],
  ])(
    'does not fail for files that programs create by themselves, nor for reading: %s',
    async (command) => {
      expect(await failureOf(bash(command))).toBeUndefined();
    },
  );

  it('learns which places are private, and again if it names one', async () => {
    const plain = await bash('cat n.txt');
    expect(plain).toMatchObject({ private_places: ['~', '/tmp', '/dev/shm'], exit_code: 0 });
    expect(plain.hint).toBeUndefined();
    expect((await bash('ls /tmp')).hint).toContain('private to each command');
    for (const path of ['/tmp/not-there', '/var/tmp/x', join(homedir(), 'x')]) {
      const { exit_code, hint } = await bash(
        `cp n.txt ${path}${path.startsWith('/tmp') ? '/x' : ''}`,
      );
      expect(exit_code).not.toBe(0);
      expect(hint).toContain('Only the workspace is kept');
    }
  });

  it('returns output, its size and the exit code of a watched command unchanged', async () => {
    const command = 'printf out; printf "err\\n\\n" >&2; touch /tmp/x; rm /tmp/x; exit 3';
    expect(await bash(command)).toMatchObject({
      exit_code: 3,
      stdout: 'out',
      stderr: 'err\n\n',
      stdout_bytes: 3,
      stderr_bytes: 5,
      truncated: false,
    });
    const words = { argv: ['printf', '%s|', '/tmp/x', '\\n', '*', "a 'b'"] };
    const { stdout } = await scratch.ask<ProcessResult>(terminal, words, changes());
    expect(stdout).toBe("/tmp/x|\\n|*|a 'b'|");
    const none = scratch.ask(terminal, { argv: ['no-such-program', '/tmp/x'] }, changes());
    await expect(none).rejects.toThrow(/no program "no-such-program"/);
  });

  it('writes to the workspace, wherever that is', async () => {
    await bash(`cp n.txt '${scratch.workspace}/copy.txt'`, {}, 'write');
    expect(readFileSync(join(scratch.workspace, 'copy.txt'), 'utf8')).toBe('b\na\n');
  });
});

describe.runIf(hasLandlock)('a command at level B', () => {
  it('fails if it writes to its home by name', async () => {
    const { private_places } = await bash('cat n.txt', changes(levelB()));
    expect(private_places).toEqual(['~']);
    expect(await failureOf(bash('echo x > ~/notes.txt', changes(levelB())))).toEqual({
      code: 'HOME_DISCARDED',
      places: ['~/notes.txt'],
    });
  });
});
