import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Launched, launch } from '../src/runtime/launch.ts';
import { linuxCandidates } from '../src/runtime/sandbox/levels/linux.ts';
import type { Sandbox } from '../src/runtime/sandbox/sandbox.ts';
import { median } from './cpu-time.ts';
import type { BenchOptions, Row } from './row.ts';

const sdkPath = join(import.meta.dirname, '../dist/capsule-sdk.cjs');

/** What a capsule does before its first word. */
const capsule = `require(process.env.CAPSTAN_SDK); process.stdout.write('up\\n');`;
/** Ready for anybody's code: the SDK is loaded, and the code comes as one line. */
const primed = `
require(process.env.CAPSTAN_SDK);
process.stdout.write(String(process.memoryUsage.rss()));
process.stdin.once('data', (text) => new Function('require', JSON.parse(text))(require));
`;

interface Setup {
  readonly dir: string;
  readonly sandbox: Sandbox;
}

const start = ({ dir, sandbox }: Setup, file: string): Promise<Launched> =>
  launch(sandbox.forCapsule({ argv: ['node', file], dir, sdkPath, isShipped: false, cpuSec: 60 }));

/** Milliseconds from an act to the next word of a process. */
async function untilWord({ stdout }: Launched, act: () => void): Promise<number> {
  const startedMs = performance.now();
  act();
  await once(stdout, 'data');
  return performance.now() - startedMs;
}

async function coldMs(setup: Setup): Promise<number> {
  const startedMs = performance.now();
  const child = await start(setup, 'capsule.cjs');
  await once(child.stdout, 'data');
  const takenMs = performance.now() - startedMs;
  child.kill('SIGKILL');
  return takenMs;
}

interface HandOff {
  readonly takenMs: number;
  readonly residentMb: number;
}

async function handOff(setup: Setup): Promise<HandOff> {
  const child = await start(setup, 'primed.cjs');
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const takenMs = await untilWord(child, () => child.stdin.write(`${JSON.stringify(capsule)}\n`));
  child.kill('SIGKILL');
  return { takenMs, residentMb: Number(said.toString()) / 1_024 ** 2 };
}

/** What a process that is kept ready would save, and what it holds meanwhile: none is kept (docs/security.md). */
export async function measureWarmPool({ smoke }: BenchOptions): Promise<Row[]> {
  const sandbox =
    process.platform === 'linux'
      ? linuxCandidates([]).find(({ level }) => level === 'A')?.sandbox
      : undefined;
  if (sandbox === undefined) return [];
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-bench-')));
  writeFileSync(join(dir, 'capsule.cjs'), capsule);
  writeFileSync(join(dir, 'primed.cjs'), primed);
  const cold: number[] = [];
  const warm: HandOff[] = [];
  try {
    for (let round = 0; round <= (smoke ? 5 : 31); round += 1) {
      const [coldOne, warmOne] = [await coldMs({ dir, sandbox }), await handOff({ dir, sandbox })];
      if (round === 0) continue;
      cold.push(coldOne);
      warm.push(warmOne);
    }
    const residentMb = median(warm.map((one) => one.residentMb));
    return [
      {
        what: 'code handed to a sandboxed process that was kept ready (tried, not used)',
        goal: 1,
        value: median(warm.map(({ takenMs }) => takenMs)),
        unit: 'ms',
        detail: `a capsule at level A needs ${median(cold).toFixed(1)} ms to its first word; one kept ready holds ${residentMb.toFixed(0)} MB`,
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
