import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/hooks/run-command.ts';
import { launch } from '../../src/runtime/process/launch.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, hasLandlock, hasPrlimit, levelA, levelB } from './sandboxes.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

/** It comes first: at level none, every later process inherits the limit of this one. */
it.runIf(hasPrlimit)('a hook writes no core file', async () => {
  const limits = await runCommand(['bash', '-c', 'ulimit -Sc; ulimit -Hc'], {
    ...{ input: '', ending: new AbortController().signal },
    ...{ searchPath: '/usr/bin:/bin', home: scratch.workspace },
  });
  expect(limits).toBe('0\n0');
});

/** Soft and hard. */
const coreLimits = (limits: string) => /^Max core file size +(\S+) +(\S+)/m.exec(limits)?.slice(1);

const levels: readonly (readonly [string, boolean, () => Sandbox])[] = [
  ['A', hasBubblewrap, levelA],
  ['B', hasLandlock, levelB],
  ['none', hasPrlimit, () => bare],
];

describe.each(levels)('a command at level %s', (_, isThere, sandboxOf) => {
  it.runIf(isThere)("writes no core file, and can't change that", async () => {
    const given = { argv: ['bash', '-c', 'ulimit -Sc; ulimit -Hc; ulimit -c unlimited'] };
    const result = await scratch.ask<ProcessResult>(terminal, given, { sandbox: sandboxOf() });
    expect(result.stdout).toBe('0\n0\n');
    // Without a sandbox, root may raise it.
    if (sandboxOf() !== bare) expect(result.exit_code).not.toBe(0);
  });
});

const capsuleLevels = levels.filter(([level]) => level !== 'B');

it.each(capsuleLevels)(
  'a capsule at level %s writes no core file',
  async (_, isThere, sandboxOf) => {
    if (!isThere) return;
    const code = "process.stdout.write(require('fs').readFileSync('/proc/self/limits', 'utf8'))";
    const plan = sandboxOf().forCapsule({
      argv: ['node', '-e', code],
      dir: scratch.workspace,
      sdkPath: '/dev/null',
      isShipped: false,
      cpuSec: 10,
    });
    const capsule = await launch(plan);
    expect(coreLimits(await text(capsule.stdout))).toEqual(['0', '0']);
    await capsule.exited;
  },
);
