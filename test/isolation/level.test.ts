import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertIsolation, isolationNotices } from '../../src/app/wiring/isolation.ts';
import {
  type Candidate,
  candidates,
  clearIsolationCache,
  findIsolation,
} from '../../src/runtime/sandbox/find/find-isolation.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import { nodePermission } from '../../src/runtime/sandbox/levels/node-permission.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let cacheDir: string;
beforeEach(() => {
  cacheDir = mkdtempSync(join(tmpdir(), 'capstan-cache-'));
});
afterEach(() => rmSync(cacheDir, { recursive: true, force: true }));

const find = (all: readonly Candidate[]) =>
  findIsolation({ cacheDir, readable: [], candidates: all });
const candidate = (sandbox: Sandbox, level = sandbox.level): Candidate => ({
  level,
  sandbox: { ...sandbox, level },
  problem: '',
});
const missing = (level: Candidate['level'], problem: string): Candidate => ({
  level,
  sandbox: undefined,
  problem,
});

describe('the level of isolation', () => {
  it.runIf(hasBubblewrap)('is A if bubblewrap works', async () => {
    expect(await find([candidate(levelA())])).toMatchObject({ level: 'A' });
  });

  it.runIf(hasLandlock)('is B if bubblewrap is missing, and says so', async () => {
    const found = await find([missing('A', 'bubblewrap is not installed'), candidate(levelB())]);
    expect(found).toMatchObject({ level: 'B', reason: 'A: bubblewrap is not installed' });
  });

  it('is C if only Node is there', async () => {
    const all = [
      missing('A', 'x'),
      missing('B', 'y'),
      candidate(nodePermission({ prlimit: undefined })),
    ];
    expect(await find(all)).toMatchObject({ level: 'C', reason: 'A: x; B: y' });
  });

  it('is never the claim of a sandbox: one that contains nothing is skipped', async () => {
    const found = await find([candidate(bare, 'A'), candidate(bare, 'B')]);
    expect(found.level).toBe('none');
    expect(found.reason).toMatch(
      /^A: a test process could read a file of yours outside, .*; B: a test/,
    );
  });

  it('skips a program that fails to start, and uses its message as the reason', async () => {
    const broken: Sandbox = {
      ...bare,
      forCapsule: () => ({
        argv: ['/bin/sh', '-c', 'echo "bwrap: No permissions to create new namespace" >&2; exit 1'],
        cwd: '/',
        env: {},
        fds: [],
        isSealed: true,
      }),
    };
    expect((await find([candidate(broken, 'A')])).reason).toBe(
      'A: bwrap: No permissions to create new namespace',
    );
  });

  it.each([
    ['was killed', 'kill -9 $$', 'it was ended by SIGKILL'],
    ['was killed inside its sandbox', 'exit 137', 'it was ended by signal 9'],
    ['said nothing', 'exit 1', 'it gave no answer'],
    [
      'had no memory',
      'echo "bwrap: Creating new namespace failed: Cannot allocate memory" >&2; exit 1',
      'bwrap: Creating new namespace failed: Cannot allocate memory',
    ],
  ])('has no result if a test %s: the next start repeats it', async (_, script, why) => {
    const breaking: Sandbox = {
      ...bare,
      forCapsule: () => ({
        argv: ['/bin/sh', '-c', script],
        cwd: '/',
        env: {},
        fds: [],
        isSealed: false,
      }),
    };
    const permission = candidate(nodePermission({ prlimit: undefined }));
    // No reading tool is tried at level C, which could do more than it must.
    const first = await find([candidate({ ...breaking, level: 'C' }), permission]);
    expect(first.reason).toBe(
      `C: its test was interrupted (${why}) and is repeated at the next start`,
    );
    expect(existsSync(join(cacheDir, 'isolation.json'))).toBe(false);
  });

  it('is remembered under the same circumstances, and tried again once it is forgotten', async () => {
    const permission = candidate(nodePermission({ prlimit: undefined }));
    expect((await find([permission])).level).toBe('C');
    let tries = 0;
    const counting = candidate({
      ...nodePermission({ prlimit: undefined }),
      forCapsule(request) {
        tries += 1;
        return nodePermission({ prlimit: undefined }).forCapsule(request);
      },
    });
    expect((await find([counting])).level).toBe('C');
    expect(tries).toBe(0);
    clearIsolationCache(cacheDir);
    await find([counting]);
    expect(tries).toBe(1);
  });

  it('is tested again if the cached result belongs to other circumstances, or is invalid', async () => {
    const path = join(cacheDir, 'isolation.json');
    for (const text of ['{"key":"elsewhere","level":"A","reason":"x"}', 'no document']) {
      writeFileSync(path, text);
      expect((await find([candidate(nodePermission({ prlimit: undefined }))])).level).toBe('C');
      expect(JSON.parse(readFileSync(path, 'utf8')).level).toBe('C');
    }
  });

  it('names the missing programs on every system', () => {
    expect(candidates([], 'linux').map(({ level }) => level)).toEqual(['A', 'B', 'C']);
    expect(candidates([], 'darwin').map(({ level }) => level)).toEqual(['A', 'C']);
    expect(candidates([], 'win32')[0]?.problem).toContain('WSL 2');
  });
});

describe('a run', () => {
  const at = (level: Sandbox['level'], reason = 'as it is') => ({ level, reason, sandbox: bare });
  const refusal = (wanted: 'auto' | 'A' | 'B' | 'C', level: Sandbox['level'], before?: string) => {
    try {
      assertIsolation({ isolation: wanted }, at(level), before);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it.each([
    ['A', 'A', undefined],
    ['A', 'B', 'ISOLATION_REFUSED'],
    ['B', 'A', undefined],
    ['C', 'none', 'ISOLATION_REFUSED'],
    ['auto', 'C', undefined],
    ['auto', 'none', 'ISOLATION_MISSING'],
  ] as const)('that wants %s if there is %s ends with %s', (wanted, level, code) => {
    expect(refusal(wanted, level)).toBe(code);
  });

  it('never continues at a lower level than it started with', () => {
    expect(refusal('auto', 'B', 'A: held')).toBe('ISOLATION_REFUSED');
    expect(refusal('auto', 'A', 'B: x')).toBeUndefined();
    expect(refusal('auto', 'C', 'none: asked for')).toBeUndefined();
  });

  it('names missing programs at the start, and nothing otherwise', () => {
    expect(isolationNotices(at('A'))).toEqual([]);
    expect(isolationNotices(at('C', 'A: no bwrap'))[0]).toMatch(
      /^Isolation level C: .*\(A: no bwrap\)/,
    );
  });
});

describe('level C', () => {
  const permission = nodePermission({ prlimit: undefined });
  const request = { argv: ['node', 'main.cjs'] as const, dir: '/', sdkPath: '/', cpuSec: 1 };

  it('runs only code that ships with Capstan, and no programs', () => {
    expect(() => permission.forCapsule({ ...request, isShipped: false })).toThrow(
      'ships with Capstan',
    );
    expect(() =>
      permission.forCapsule({ ...request, argv: ['python3', 'main.py'], isShipped: true }),
    ).toThrow('ships with Capstan');
    expect(() => permission.forTool({} as never)).toThrow('level C');
  });
});
