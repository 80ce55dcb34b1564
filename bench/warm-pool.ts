import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Launched, launch } from '../src/runtime/launch.ts';
import { linuxCandidates } from '../src/runtime/sandbox/linux.ts';
import type { Sandbox } from '../src/runtime/sandbox/sandbox.ts';
import { median } from './cpu-time.ts';
import type { BenchOptions, Row } from './row.ts';

const launcher = join(import.meta.dirname, '../bin/capstan.js');
const sdkPath = join(import.meta.dirname, '../dist/capsule-sdk.cjs');

/** What a capsule does before its first word. */
const capsule = `require(process.env.CAPSTAN_SDK); process.stdout.write('up\\n');`;
/** Ready for anybody's code: the SDK is loaded, and the code comes as one line. */
const primed = `
require(process.env.CAPSTAN_SDK);
process.stdout.write('primed\\n');
process.stdin.once('data', (text) => new Function('require', JSON.parse(text))(require));
`;

interface Ground {
  readonly dir: string;
  readonly sandbox: Sandbox;
}

const start = ({ dir, sandbox }: Ground, file: string): Promise<Launched> =>
  launch(sandbox.forCapsule({ argv: ['node', file], dir, sdkPath, isShipped: false, cpuSec: 60 }));

/** Milliseconds from an act to the next word of a process. */
async function untilWord({ stdout }: Launched, act: () => void): Promise<number> {
  const startedMs = performance.now();
  act();
  await once(stdout, 'data');
  return performance.now() - startedMs;
}

async function coldMs(ground: Ground): Promise<number> {
  const startedMs = performance.now();
  const child = await start(ground, 'capsule.cjs');
  await once(child.stdout, 'data');
  const takenMs = performance.now() - startedMs;
  child.kill('SIGKILL');
  return takenMs;
}

async function handOffMs(ground: Ground): Promise<number> {
  const child = await start(ground, 'primed.cjs');
  await once(child.stdout, 'data');
  const takenMs = await untilWord(child, () => child.stdin.write(`${JSON.stringify(capsule)}\n`));
  child.kill('SIGKILL');
  return takenMs;
}

/** A whole run, beside whose start a process is made ready or not: milliseconds on the clock. */
async function runMs(ground: Ground, isPriming: boolean): Promise<number> {
  const { dir } = ground;
  const args = ['run', '--provider', 'offline', '--dangerously-no-isolation', '--quiet'];
  const env = { PATH: process.env['PATH'] ?? '', CAPSTAN_HOME: join(dir, '.home') };
  const startedMs = performance.now();
  const run = spawn(process.execPath, [launcher, ...args, 'Count the lines of notes.txt'], {
    ...{ cwd: dir, env, stdio: 'ignore', timeout: 60_000 },
  });
  const beside = isPriming ? await start(ground, 'primed.cjs') : undefined;
  await once(run, 'exit');
  const takenMs = performance.now() - startedMs;
  beside?.kill('SIGKILL');
  return takenMs;
}

/** What processes that are kept ready would save at most, and what it would cost to make them ready: none is kept. */
export async function measureWarmPool({ smoke }: BenchOptions): Promise<Row[]> {
  const sandbox =
    process.platform === 'linux'
      ? linuxCandidates([]).find(({ level }) => level === 'A')?.sandbox
      : undefined;
  if (sandbox === undefined) return [];
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-bench-')));
  writeFileSync(join(dir, 'capsule.cjs'), capsule);
  writeFileSync(join(dir, 'primed.cjs'), primed);
  writeFileSync(join(dir, 'notes.txt'), 'one\ntwo\n');
  const ground = { dir, sandbox };
  const taken = { cold: [], handOff: [], alone: [], beside: [] } as Record<string, number[]>;
  try {
    for (let round = 0; round <= (smoke ? 3 : 21); round += 1) {
      const found = {
        cold: await coldMs(ground),
        handOff: await handOffMs(ground),
        alone: await runMs(ground, false),
        beside: await runMs(ground, true),
      };
      if (round > 0) for (const [name, ms] of Object.entries(found)) taken[name]?.push(ms);
    }
    const {
      cold = NaN,
      handOff = NaN,
      alone = NaN,
      beside = NaN,
    } = Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, median(all)]));
    return [
      {
        what: 'code handed to a process that was kept ready (tried, not used)',
        goal: 1,
        value: handOff,
        unit: 'ms',
        detail: `a capsule at level A needs ${cold.toFixed(1)} ms to its first word; making one ready beside a run takes ${(beside - alone).toFixed(1)} of its ${alone.toFixed(0)} ms`,
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
