import { spawnSync } from 'node:child_process';

/** One program, and the environment that it adds to a clean one. */
export interface Program {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** One start, until the process ends: user and system time of the process and all awaited children, and wall time. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Starts per sample: the shell counts whole milliseconds. */
const BATCH = 3;

/** `NODE_EXTRA_CA_CERTS` makes every start of Node three times as slow, independent of Capstan. */
const cleanEnvironment = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  LANG: 'C.UTF-8',
});

const script = `TIMEFORMAT='%R %U %S'; time for _ in $(seq ${BATCH}); do "$@" >/dev/null 2>&1 || exit 99; done`;

function measure({ argv, env, cwd }: Program): Cost {
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...argv], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...cleanEnvironment(), ...env },
    ...(cwd && { cwd }),
  });
  const [wall = NaN, user = NaN, system = NaN] = stderr.trim().split(/\s+/).map(Number);
  if (status !== 0 || Number.isNaN(system)) {
    throw new Error(`${argv.join(' ')} failed (exit code ${status}): ${stderr}`);
  }
  return { cpuMs: ((user + system) * 1_000) / BATCH, wallMs: (wall * 1_000) / BATCH };
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
};

/** Runs all programs in turn, `rounds` times after one warm-up round, and returns the median of each. */
export function race<Name extends string>(
  programs: Readonly<Record<Name, Program>>,
  rounds: number,
): Record<Name, Cost> {
  const names = Object.keys(programs) as Name[];
  const samples = new Map<Name, Cost[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const cost = measure(programs[name]);
      if (round > 0) samples.get(name)?.push(cost);
    }
  }
  const medians = names.map((name) => {
    const costs = samples.get(name) ?? [];
    const cpuMs = median(costs.map((cost) => cost.cpuMs));
    return [name, { cpuMs, wallMs: median(costs.map((cost) => cost.wallMs)) }] as const;
  });
  return Object.fromEntries(medians) as Record<Name, Cost>;
}
