import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch } from '../../src/runtime/process/launch.ts';
import { findFailings } from '../../src/runtime/sandbox/find/verdict.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import { selfTest, selfTests } from '../../src/runtime/sandbox/self-test.ts';
import { ATTRIBUTE_TEST_PROGRAM } from '../../src/runtime/sandbox/self-test-program.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-attributes-'));
  writeFileSync(join(folder, 'sdk.cjs'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Calls for memory that no limit counts, and for memory, semaphores and queues of other programs. */
const messageCalls = [
  ...['MAP_GROWSDOWN', 'shmget', 'shmat', 'shmctl', 'semget', 'semop', 'semtimedop', 'semctl'],
  ...['msgget', 'msgsnd', 'msgrcv', 'msgctl', 'mq_open', 'mq_unlink', 'mq_timedsend'],
  ...['mq_timedreceive', 'mq_notify', 'mq_getsetattr'],
];

/** A file of the person, which the capsule can name and not open. */
const victim = () => {
  const path = join(folder, 'victim');
  writeFileSync(path, 'x', { mode: 0o600 });
  return path;
};

/** What a Python program prints as a capsule. Its arguments are a file of the person, and the id of a process. */
async function runPython(program: string, sandbox = levelB()): Promise<string> {
  const dir = join(folder, 'capsule');
  mkdirSync(dir);
  const child = await launch(
    sandbox.forCapsule({
      argv: ['python3', '-IS', '-c', program, victim(), String(process.pid)],
      dir,
      sdkPath: join(folder, 'sdk.cjs'),
      isShipped: true,
      cpuSec: 10,
    }),
  );
  child.stdin.end();
  let said = '';
  for await (const text of child.stdout) said += String(text);
  return said.trim();
}

describe.runIf(hasLandlock)('a capsule at level B', () => {
  it('is refused every system call for attributes, limits of others, the clock, growing memory and messages', async () => {
    const before = statSync(victim());
    const found = JSON.parse(await runPython(ATTRIBUTE_TEST_PROGRAM));
    expect(Object.keys(found).length).toBeGreaterThan(15);
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, 'EPERM'])));
    const { mode, uid } = statSync(join(folder, 'victim'));
    expect({ mode, uid }).toEqual({ mode: before.mode, uid: before.uid });
  });

  it('has no capabilities, also if Capstan runs as root', async () => {
    const program = `
import ctypes
sets = (ctypes.c_uint32 * 6)()
ctypes.CDLL(None).capget((ctypes.c_uint32 * 2)(0x20080522, 0), sets)
print(list(sets))
`;
    expect(await runPython(program)).toBe('[0, 0, 0, 0, 0, 0]');
  });

  it('may lower its own limits, and read those of others', async () => {
    const program = `
import resource, os, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
print(len(resource.prlimit(int(sys.argv[2]), resource.RLIMIT_NOFILE)))
`;
    expect(await runPython(program)).toBe('2');
  });

  it('is reported by the self-test if it can create one of them', async () => {
    const sandbox = levelB();
    const found = await selfTest(sandbox, 'capsule', { isThorough: true });
    expect(found).toMatchObject({ attributes: 'EPERM', priority: 'EPERM', calls: 'EPERM' });
    const open = { ...bare, level: 'B' as const };
    expect(await selfTest(open, 'capsule', { isThorough: true })).toMatchObject({
      ...{ attributes: 'done', priority: 'done', calls: 'done' },
    });
  });

  it.each([
    ['no call', 'found = {}', /^0 of \d+ were tried$/],
    ['a call that the kernel answered', "found['setxattr'] = 'ENOTSUP'", /^ENOTSUP$/],
  ])('fails the self-test with %s', async (_, line, calls) => {
    const changed = ATTRIBUTE_TEST_PROGRAM.replace('print(', `${line}\nprint(`);
    const swap = (word: string) => (word === ATTRIBUTE_TEST_PROGRAM ? changed : word);
    const sandbox = levelB();
    const other: Sandbox = {
      ...sandbox,
      forCapsule: ({ argv: [program, ...args], ...request }) =>
        sandbox.forCapsule({ ...request, argv: [program, ...args.map(swap)] }),
    };
    const found = await selfTest(other, 'capsule', { isThorough: true });
    expect(found.calls).toMatch(calls);
    expect(findFailings('B', 'capsule', found)).toEqual([selfTests.calls]);
  });
});

describe.runIf(hasBubblewrap)('a capsule at level A', () => {
  it('is refused leases, watches, requests to network interfaces, growing memory and messages', async () => {
    const found = JSON.parse(await runPython(ATTRIBUTE_TEST_PROGRAM, levelA()));
    const names = ['F_SETLEASE', 'inotify_init', 'SIOCGIFCONF', 'FS_IOC_SETFLAGS'];
    for (const name of [...names, ...messageCalls])
      expect(found).toMatchObject({ [name]: 'EPERM' });
  });
});
