import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  isClosedToProcesses,
  isProtectedPath,
} from '../../src/policy/protected/protected-paths.ts';
import { ATTRIBUTE_TEST_PROGRAM } from '../../src/runtime/sandbox/self-test-program.ts';
import type { ToolContext } from '../../src/tools/define/tool.ts';
import { takeTurn } from '../../src/tools/files/workspace-turns.ts';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { pythonExec } from '../../src/tools/python-exec.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
  // What is taken away goes to the temporary folder.
  vi.stubEnv('TMPDIR', scratch.outside);
  scratch.put('notes.txt', 'one\n');
  scratch.put('.env', 'KEY=a-secret-of-the-person\n');
  scratch.put('sub/.env.local', 'KEY=another-secret\n');
  scratch.put('keys/server.pem', 'a private key\n');
  scratch.put('own/state/capstan.db', 'rows\n');
  scratch.put('home/own/keys', 'a key\n');
  writeFileSync(join(scratch.outside, 'canary'), 'outside\n');
});
afterEach(() => {
  vi.unstubAllEnvs();
  // Node can't remove names that are not UTF-8, nor paths that are too deep.
  execFileSync('sh', ['-c', 'chmod -R u+rwX "$0"; rm -rf "$0"', scratch.workspace]);
  scratch[Symbol.dispose]();
});

const changes = (sandbox = levelA()): Partial<ToolContext> => {
  const { workspace } = scratch;
  const ownDirs = [join(workspace, 'own'), join(workspace, 'home/own')];
  const facts = { ownDirs, home: homedir(), workspace, openPaths: [] };
  return {
    sandbox,
    isProtected: (path, access) => isProtectedPath(path, access, facts),
    isClosedToProcesses: (path, access) => isClosedToProcesses(path, access, facts),
    timeoutMs: 15_000,
  };
};
type Access = 'read' | 'write';
const bash = (command: string, access: Access = 'write', more: Partial<ToolContext> = {}) =>
  scratch.ask<ProcessResult>(terminal, { command, access }, { ...changes(), ...more });
const python = (code: string, access: Access = 'write', sandbox = levelA()) =>
  scratch.ask<ProcessResult>(pythonExec, { code, access }, changes(sandbox));
const file = (path: string) => join(scratch.workspace, path);
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: scratch.workspace, stdio: 'pipe' });

describe.runIf(hasBubblewrap)('a program that may only read, at level A', () => {
  it('reads the workspace', async () => {
    expect((await bash('cat notes.txt', 'read')).stdout).toBe('one\n');
  });

  it.each([
    ['makes a file', 'touch new.txt'],
    ['changes a file', 'echo two >> notes.txt'],
    ['removes a file', 'rm -f notes.txt'],
    ['changes a mode', 'chmod 777 notes.txt'],
    ['mounts it again', 'mount -o remount,rw "$PWD"'],
  ])('that %s fails, and nothing is changed', async (_, command) => {
    const { exit_code } = await bash(command, 'read');
    expect(exit_code).not.toBe(0);
    expect(readFileSync(file('notes.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(file('new.txt'))).toBe(false);
  });

  it('learns how to ask for write access, if that is why it failed', async () => {
    expect((await bash('touch new.txt', 'read')).hint).toContain('write access');
    expect((await python("open('new.txt', 'w')", 'read')).hint).toContain('write access');
    expect((await bash('cat notes.txt', 'read')).hint).toBeUndefined();
  });

  it('has an identity: programs that ask for it get a user name, a group and a home', async () => {
    const code =
      'import getpass, os, pwd, grp; print(getpass.getuser(), pwd.getpwuid(os.getuid()).pw_dir, grp.getgrgid(os.getgid()).gr_name)';
    expect((await python(code, 'read')).stdout).toBe('user /tmp/.home user\n');
    const command = `whoami; id -un; id -gn; echo $USER $LOGNAME ~user; node -p 'os.userInfo().username + os.userInfo().homedir'`;
    expect(await bash(command, 'read')).toMatchObject({
      stdout: 'user\nuser\nuser\nuser user /tmp/.home\nuser/tmp/.home\n',
      stderr: '',
    });
    expect((await bash('echo x >> /etc/passwd', 'write')).exit_code).not.toBe(0);
  });

  it('starts if the setting opens folders that the sandbox contains itself', async () => {
    for (const path of ['/etc', '/etc/passwd'])
      expect(await bash('id -un', 'read', { sandbox: levelA([path]) })).toMatchObject({
        stderr: '',
        exit_code: 0,
      });
  });

  it('reaches no program outside by a socket or a pipe in the workspace', async () => {
    const outsider = createServer((socket) => socket.end('reached')).listen(file('talk.sock'));
    await once(outsider, 'listening');
    execFileSync('mkfifo', [file('talk.pipe')]);
    const ask = `import socket; s = socket.socket(socket.AF_UNIX); s.connect('talk.sock'); print(s.recv(9))`;
    for (const sandbox of [levelA(), ...(hasLandlock ? [levelB()] : [])]) {
      const { stdout } = await scratch.ask<ProcessResult>(
        pythonExec,
        { code: ask },
        changes(sandbox),
      );
      expect(stdout).toBe('');
      expect((await bash('echo x 1<>talk.pipe', 'read', { sandbox })).exit_code).not.toBe(0);
    }
    outsider.close();
  });

  it('has its own /tmp with a limit, and leaves nothing of it', async () => {
    const name = `capstan-left-${randomInt(1e9)}`;
    await expect(bash(`echo x > /tmp/${name}`, 'read')).rejects.toThrow('discarded');
    expect(existsSync(`/tmp/${name}`)).toBe(false);
    const fill = 'head -c 300M /dev/zero > /tmp/fill; rm /tmp/fill';
    expect((await bash(fill, 'read')).stderr).toContain('No space left');
  });
});

/** Each must fail: a description, and the bash command. */
const commands: readonly (readonly [string, string])[] = [
  ['reads a protected file', 'cat .env'],
  ['reads a protected file further down', 'cat sub/.env.local'],
  ['reads a protected file after its folder was renamed', 'mv sub other; cat other/.env.local'],
  ['reads a private key', 'cat keys/server.pem'],
  ['links to a protected file', 'ln .env copy && cat copy'],
  ['moves a protected file away', 'mv .env shown; cat shown'],
  ['removes a protected file', 'rm -f .env'],
  ["lists Capstan's own folders", 'ls own/state'],
  ['reads outside by a link', 'ln -s ../outside/canary link && cat link'],
  ['reads /etc/shadow', 'cat /etc/shadow'],
  ['reads who else uses the machine', 'grep -hv ^user: /etc/passwd /etc/group'],
  ['lists the home of a person', `ls ${homedir()}`],
  ['writes /usr', 'touch /usr/bin/planted'],
  ['makes a user namespace', 'unshare -U true'],
  ['makes a mount namespace', 'unshare -Urm true'],
  ['mounts', 'mount -t tmpfs none /tmp'],
  ['connects by TCP', 'exec 3<>/dev/tcp/127.0.0.1/80'],
  ['opens a raw device', 'head -c 1 /dev/sda || head -c 1 /dev/vda'],
  ['gets rights by sudo', 'sudo -n true || su -c true'],
];

/** An id above the largest possible one: no process has it. */
const NOBODY = '4194305';

/** Memory that the limit of a process does not count. */
const uncounted: readonly (readonly [string, string, string])[] = [
  ['maps memory that grows', 'import mmap; mmap.mmap(-1, 4096, 0x122)', 'PermissionError'],
  [
    'raises the limit of its stack',
    'import resource; resource.setrlimit(resource.RLIMIT_STACK, (-1, -1))',
    'not allowed to raise',
  ],
];

/** Each must print a system error: a description, and the Python code. */
const programs: readonly (readonly [string, string, string])[] = [
  ['opens a socket', 'import socket; socket.socket()', 'PermissionError'],
  ['opens a raw socket', 'import socket; socket.socket(17, 3)', 'PermissionError'],
  ['opens a netlink socket', 'import socket; socket.socket(16, 3)', 'PermissionError'],
  ['traces', 'import ctypes; print(ctypes.CDLL(None).ptrace(0, 0, 0, 0))', '-1'],
  ['sets up io_uring', 'import ctypes; print(ctypes.CDLL(None).syscall(425, 1, 0))', '-1'],
  ['adds a key', 'import ctypes; print(ctypes.CDLL(None).syscall(250, 0, -3, 0))', '-1'],
  [
    'types into a terminal',
    "import fcntl\ntry: fcntl.ioctl(0, 0x5412, b'x')\nexcept OSError as e: print(e.errno)",
    '1',
  ],
  ['takes a lease', "import fcntl; fcntl.fcntl(open('notes.txt'), 1024, 0)", 'PermissionError'],
  ...uncounted,
  ['takes all memory', 'x = bytearray(8 << 30)', 'MemoryError'],
];

describe.runIf(hasBubblewrap)('a program that may write, at level A', () => {
  it('writes the workspace, as the person', async () => {
    expect(await bash('echo two > new.txt && cat new.txt')).toMatchObject({ stdout: 'two\n' });
    expect(readFileSync(file('new.txt'), 'utf8')).toBe('two\n');
  });

  it.each(commands)('that %s fails', async (_, command) => {
    const { exit_code, stdout } = await bash(command);
    expect(exit_code).not.toBe(0);
    expect(stdout).toBe('');
    expect(readFileSync(file('.env'), 'utf8')).toContain('a-secret');
  });

  it.each(programs)('that %s is refused', async (_, code, said) => {
    const { stdout, stderr } = await python(code);
    expect(stdout + stderr).toContain(said);
  });

  it.runIf(process.arch === 'x64')('that calls the kernel in a foreign way is killed', async () => {
    const code = 'import ctypes; print(ctypes.CDLL(None).syscall(0x40000000 | 39))';
    expect(await python(code)).toMatchObject({ exit_code: 159, stdout: '' });
  });

  it.each([
    ['changes a hook', 'echo evil > .git/hooks/pre-commit'],
    ['sets a configuration', 'git config core.fsmonitor ./evil'],
    [
      'exchanges the folder of Git',
      'mv .git .old; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
    ],
  ])('that %s leaves Git as it was', async (_, command) => {
    git('init', '-q');
    const config = readFileSync(file('.git/config'), 'utf8');
    await bash(command);
    expect(existsSync(file('.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(file('.old'))).toBe(false);
    expect(readFileSync(file('.git/config'), 'utf8')).toBe(config);
  });

  it('commits', async () => {
    git('init', '-q');
    const { exit_code, stderr } = await bash(
      'git add notes.txt && git -c user.name=a -c user.email=a@b commit -qm first && git log --oneline',
    );
    expect({ exit_code, stderr }).toEqual({ exit_code: 0, stderr: '' });
  });

  it.each([
    ['settings of an editor', '.vscode/tasks.json'],
    ['settings of Capstan', 'capstan.yaml'],
    ['a hook in a new repository', 'deep/er/.git/hooks/pre-commit'],
    ['a file of secrets', 'other/.env'],
    ['the steps of a rebase to go on with', '.git/rebase-merge/git-rebase-todo'],
    ['configuration of Mercurial', '.hg/hgrc'],
  ])('that creates %s learns that it was moved away, and so does the person', async (_, path) => {
    const notices: string[] = [];
    const notice = (text: string) => notices.push(text);
    const command = `mkdir -p "$(dirname ${path})"; echo evil > ${path}`;
    const { hint } = await bash(command, 'write', { notice });
    expect(existsSync(file(path))).toBe(false);
    expect(hint).toContain('moved out of the workspace');
    expect(notices).toEqual([hint]);
  });

  it.each([
    [
      'a link by a protected name',
      'mkdir planted; echo evil > planted/tasks.json; ln -s planted .vscode',
      '.vscode',
    ],
    [
      'settings, and exits as if its sandbox had failed',
      'mkdir .vscode; echo "bwrap: no" >&2; exit 1',
      '.vscode',
    ],
    ['settings, and goes on until it is ended', 'mkdir .vscode; sleep 60', '.vscode'],
    [
      'settings in a folder that it closes',
      'mkdir -p x/.vscode; echo 1 > x/.vscode/a; chmod 500 x/.vscode x',
      'x/.vscode',
    ],
    [
      'more of them than are hidden',
      'mkdir .vscode; for i in $(seq 1100); do : > $i.pem; done',
      '.vscode',
    ],
    ['a hook below a name that is no UTF-8', "mkdir $'\\xff' .vscode", '.vscode'],
  ])('that creates %s does not leave it behind', async (_, command, path) => {
    await bash(command, 'write', { timeoutMs: 3_000 }).catch(() => undefined);
    expect(existsSync(file(path))).toBe(false);
  });

  it("that leaves files that can't be searched fails, and no command runs until they are removed", async () => {
    const left = { code: 'PLANTED_FILES_LEFT', message: expect.stringContaining('\uFFFD') };
    await expect(bash("mkdir -p $'\\xff/.vscode' .vscode")).rejects.toMatchObject(left);
    expect(existsSync(file('.vscode'))).toBe(false);
    await expect(bash('true', 'read')).rejects.toMatchObject(left);
    execFileSync('bash', ['-c', "mv $'\\xff' named"], { cwd: scratch.workspace });
    // The clock of files ticks every few milliseconds.
    await sleep(20);
    scratch.put('mine/.idea/own.xml', 'of the person');
    expect((await bash('true', 'read')).hint).toContain('named/.vscode');
    expect(existsSync(file('named/.vscode'))).toBe(false);
    expect(existsSync(file('mine/.idea/own.xml'))).toBe(true);
    expect((await bash('true', 'read')).hint).toBeUndefined();
  });

  it('keeps a link by a protected name, and loses one that was changed to lead elsewhere', async () => {
    symlinkSync('settings', file('.idea'));
    await bash('true');
    expect(lstatSync(file('.idea')).isSymbolicLink()).toBe(true);
    await bash('ln -sfn planted .idea');
    expect(lstatSync(file('.idea'), { throwIfNoEntry: false })).toBeUndefined();
  });

  /** What one call prepares, and what the next one then tries to read: each must print nothing. */
  it.each([
    ['renames what holds Capstan', 'mv home other', 'cat home/own/keys other/own/keys'],
    ['closes a folder', 'chmod 000 sub', 'chmod 700 sub; cat sub/.env.local'],
    ['gives a folder a name that is no UTF-8', "mv sub $'\\xff'", "cat $'\\xff'/.env.local"],
    [
      'hides a folder among the objects of a repository',
      'mkdir -p x/.git/objects; mv sub x/.git/objects/ab',
      'cat x/.git/objects/ab/.env.local',
    ],
    [
      'moves a folder too deep to be named',
      'd=$(printf "%0200d" 0); p=$PWD; for i in $(seq 25); do mkdir $d; cd -P $d; done; mv "$p/sub" .',
      'd=$(printf "%0200d" 0); for i in $(seq 25); do cd -P $d; done; cat sub/.env.local',
    ],
  ])('that %s gets at nothing with its next call', async (_, first, next) => {
    await bash(first).catch(() => undefined);
    for (const access of ['read', 'write'] as const) {
      const said = await bash(next, access).catch(() => undefined);
      expect(said?.stdout ?? '').toBe('');
    }
  });

  it('waits for one that writes, which could move hidden files', async () => {
    const inTurn = async (command: string, access: Access) => {
      const { workspace } = scratch;
      const endTurn = await takeTurn(access, { workspace, signal: new AbortController().signal });
      return bash(command, access).finally(endTurn);
    };
    const moving = inTurn('for i in $(seq 400); do mv sub other; mv other sub; done', 'write');
    const reading = Array.from({ length: 4 }, () => inTurn('cat */.env.local; true', 'read'));
    const said = await Promise.all([...reading, moving]);
    expect(said.map(({ stdout }) => stdout)).toEqual(['', '', '', '', '']);
  });

  it('leaves nothing on the host for protected paths that do not exist', async () => {
    const before = readdirSync(scratch.workspace).sort();
    await bash('true');
    expect(readdirSync(scratch.workspace).sort()).toEqual(before);
  });

  it('that forks without end is bounded, and ended with its call', async () => {
    const mark = `capstan-bomb-${randomInt(1e9)}`;
    const bomb = `f() { sleep 30 & f | f & }; exec -a ${mark} bash -c "$(declare -f f); f; wait"`;
    await bash(bomb, 'write', { timeoutMs: 2_000 }).catch(() => undefined);
    expect(await survivors(mark)).toEqual([]);
  });

  it.each([
    ['leaves a grandchild in a session of its own', 'setsid sleep SECONDS & disown; exit 0'],
    ['closes every pipe and lingers', 'exec <&- >&- 2>&-; setsid sleep SECONDS & exit 0'],
    ['ignores every signal', "trap '' TERM INT HUP QUIT; sleep SECONDS; sleep SECONDS"],
  ])('that %s leaves no process behind', async (_, command) => {
    const seconds = `${randomInt(1e6, 1e9)}`;
    const wild = command.replaceAll('SECONDS', seconds);
    await bash(wild, 'write', { timeoutMs: 1_500 }).catch(() => undefined);
    expect(await survivors(seconds)).toEqual([]);
  });

  it.each([
    ['shares it', 'm = mmap.mmap(-1, 600 << 20)\nfor i in range(0, len(m), 4096): m[i] = 1'],
    [
      'writes it into files without a name',
      "fd = os.memfd_create('x')\nfor i in range(600): os.write(fd, bytes(1 << 20))",
    ],
    [
      'has it in many processes',
      "for i in range(6): os.fork() or (setattr(os, 'x', b'x' * (100 << 20)), time.sleep(60))",
    ],
    [
      'has it in page tables',
      'm = mmap.mmap(-1, 1 << 40, 0x4022, mmap.PROT_READ)\nfor i in range(0, len(m), 2 << 20): m[i]',
    ],
  ])('that uses much memory and %s is ended', async (_, code) => {
    const wanted = { code: `import mmap, os, time\n${code}\ntime.sleep(60)`, access: 'read' };
    const bounded = { ...changes(), maxMemoryBytes: 300 << 20 };
    await expect(scratch.ask(pythonExec, wanted, bounded)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      message: expect.stringContaining('more memory'),
    });
  });

  it('that starts more processes than it may is refused more, or ended', async () => {
    const code = `import os, time
try:
  for i in range(700): os.fork() or time.sleep(30)
except OSError: os._exit(0)
time.sleep(30)`;
    const ended = await python(code, 'read').then(
      ({ exit_code }) => exit_code,
      ({ message }) => message,
    );
    expect(ended === 0 || String(ended).includes('more processes than')).toBe(true);
  });

  it('gets no large segment of shared memory, which could outlive all its users', async () => {
    const code =
      'import ctypes; print([ctypes.CDLL(None).shmget(0, n, 0o1600) >= 0 for n in (4096, 65537, 1 << 32)])';
    expect((await python(code, 'read')).stdout).toBe('[True, False, False]\n');
  });

  it('is the first process that the kernel ends if memory runs out', async () => {
    expect((await bash('sleep 0.5; cat /proc/self/oom_score_adj', 'read')).stdout).toBe('1000\n');
  });

  it('names the program that is not there', async () => {
    await expect(
      scratch.ask(terminal, { argv: ['no-such-program'] }, changes()),
    ).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      message: expect.stringContaining('no-such-program'),
    });
  });
});

describe.runIf(hasLandlock)('a program at level B', () => {
  it.each([
    ['reads a protected file', 'cat .env', 'write'],
    ['reads outside', 'cat ../outside/canary', 'write'],
    ['writes where it may only read', 'touch sub/new.txt', 'read'],
    ['connects', 'exec 3<>/dev/tcp/127.0.0.1/80', 'write'],
  ] as const)('that %s fails', async (_, command, access) => {
    const { exit_code, stdout } = await bash(command, access, changes(levelB()));
    expect(exit_code).not.toBe(0);
    expect(stdout).toBe('');
  });

  it.each(uncounted)('that %s is refused', async (_, code, said) => {
    expect((await python(code, 'write', levelB())).stderr).toContain(said);
  });

  it('is refused every call for limits, memory, semaphores and queues of other programs', async () => {
    const result = await scratch.ask<ProcessResult>(
      terminal,
      { argv: ['python3', '-c', ATTRIBUTE_TEST_PROGRAM, 'notes.txt', NOBODY], access: 'write' },
      changes(levelB()),
    );
    const found = Object.entries(JSON.parse(result.stdout));
    const ofOthers = found.filter(([name]) => /^(prlimit|shm|sem|msg|mq_)/.test(name));
    expect(ofOthers.length).toBe(18);
    expect(ofOthers.filter(([, code]) => code !== 'EPERM')).toEqual([]);
  });

  it('reads and writes what is not protected', async () => {
    scratch.put('free/a.txt', 'a\n');
    const result = await bash('cat notes.txt; echo b > free/b.txt', 'write', changes(levelB()));
    expect(result).toMatchObject({ exit_code: 0, stdout: 'one\n' });
  });
});

/** Processes on this machine whose command line contains a text, after ten seconds to end. */
async function survivors(text: string): Promise<string[]> {
  let left: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    left = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(text));
    if (left.length === 0) break;
    await sleep(50);
  }
  return left;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
