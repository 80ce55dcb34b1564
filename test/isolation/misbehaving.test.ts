import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBubblewrap } from './sandboxes.ts';

/** The capsule, and how its attempt ends. */
const capsules = [
  ['prints-100-mb-without-a-newline', 'LINE_TOO_LONG'],
  ['floods-with-progress', 'CAPSULE_TIMED_OUT'],
  ['floods-with-intents', 'CAPSULE_TIMED_OUT'],
  ['floods-stderr', 'CAPSULE_TIMED_OUT'],
  ['forks-itself', 'EPERM'],
  ['spins', 'CAPSULE_TIMED_OUT'],
  ['allocates-without-end', 'CAPSULE_FELL_SILENT'],
  ['forges', 'CAPSULE_SPOKE_NONSENSE'],
  ['starts-a-shell', 'EPERM'],
  ['lingers', 'kept'],
  ['lies-about-cost', 'CAPSULE_SPOKE_NONSENSE'],
  ['ignores-every-signal', 'CAPSULE_TIMED_OUT'],
  ['closes-every-pipe', 'CAPSULE_FELL_SILENT'],
  ['closes-stdout-after-its-answer', 'kept'],
] as const;

/** Far below what they send, and above the garbage that a collector leaves for a while. */
const MAX_GROWN_BYTES = 128 * 1024 * 1024;

describe.runIf(hasBubblewrap)('a misbehaving capsule', () => {
  let found: Record<string, { outcome: string; grownBytes: number }> = {};
  beforeAll(() => {
    // Only endless ones are stopped soon.
    const names = capsules.map(
      ([name, outcome]) => `${name}=${outcome === 'CAPSULE_TIMED_OUT' ? 700 : 20_000}`,
    );
    const program = join(import.meta.dirname, 'misbehave-program.ts');
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', program, ...names], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (stdout === '') throw new Error(stderr);
    found = JSON.parse(stdout);
  });

  it.each(capsules)('that %s ends with %s, and the coordinator does not grow', (name, outcome) => {
    expect(found[name]?.outcome).toBe(outcome);
    expect(found[name]?.grownBytes).toBeLessThan(MAX_GROWN_BYTES);
  });
});
