import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, hasGroups, hasLandlock, levelA, levelB } from './sandboxes.ts';

/** In milliseconds; the processes themselves run for ten times as long. */
const TIMEOUT_MS = 1_000;
const LATEST_MS = TIMEOUT_MS + 2_000;

/** Every process forks nine times: 512 processes at most, all of which use a processor. */
const bomb = (inChild: string) => `
import os, sys, time
end = time.monotonic() + 20
forks = 9
while time.monotonic() < end:
    if forks == 0: continue
    try: pid = os.fork()
    except OSError: continue
    forks -= 1
    if pid == 0: ${inChild}
os._exit(0)
`;

/**
 * Twenty chains of processes: each soon starts the next one and ends, in its own session and without its original
 * environment.
 */
const relay = `
import os, sys, time
end = float(sys.argv[2]) if len(sys.argv) > 2 else time.monotonic() + 20
lines = 0 if len(sys.argv) > 2 else 20
for _ in range(lines):
    if os.fork() == 0:
        os.setsid()
        os.execve(sys.executable, [sys.executable, __file__, sys.argv[1], str(end)], {})
while time.monotonic() < end:
    time.sleep(0.02)
    if lines: continue
    try: pid = os.fork()
    except OSError: continue
    if pid: os._exit(0)
    os.setsid()
os._exit(0)
`;

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

const levels: readonly (readonly [string, boolean, () => Sandbox])[] = [
  ['A', hasBubblewrap, levelA],
  ['B', hasLandlock && hasGroups, levelB],
  ['none', hasGroups, () => bare],
];

describe.each(levels)('at level %s, a command', (_, isThere, sandboxOf) => {
  it.runIf(isThere).each([
    ['forks without end', bomb('pass')],
    ['forks without end, each process in a session of its own', bomb('os.setsid()')],
    ['hands on to processes that soon start others and end', relay],
  ])('that %s ends with its time, and leaves no process behind', async (__, program) => {
    scratch.put('bomb.py', program);
    const mark = `${randomInt(1e9, 1e12)}`;
    const given = { argv: ['python3', 'bomb.py', mark], timeout_sec: TIMEOUT_MS / 1_000 };
    const startedMs = performance.now();
    await expect(scratch.ask(terminal, given, { sandbox: sandboxOf() })).rejects.toThrow(
      /stopped after|more processes than/,
    );
    expect(performance.now() - startedMs).toBeLessThan(LATEST_MS);
    expect(await processesWith(mark)).toEqual([]);
  });
});

it.runIf(hasGroups)('root without control groups is told which limits do not hold', () => {
  const launcher = join(import.meta.dirname, '../../bin/capstan.js');
  const hidden = 'mount -t tmpfs none /sys/fs/cgroup && exec "$0" "$@"';
  const command = [process.execPath, launcher, 'doctor', '--isolation'];
  const { stdout } = spawnSync('unshare', ['-m', 'sh', '-c', hidden, ...command], {
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: process.env['PATH'] ?? '', CAPSTAN_HOME: join(scratch.outside, 'home') },
  });
  expect(stdout).toMatch(
    /can't create control groups: a command can start more than 512 processes/,
  );
});

/**
 * Ids of the processes on this machine whose command line contains a text, in several scans: one scan can miss
 * processes that fork and exit.
 */
async function processesWith(text: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let look = 0; look < 15; look += 1) {
    await sleep(30);
    for (const pid of readdirSync('/proc')) if (commandOf(pid).includes(text)) found.add(pid);
  }
  return [...found];
}

function commandOf(pid: string): string {
  try {
    return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
  } catch {
    return '';
  }
}
