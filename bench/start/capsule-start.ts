import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSdk } from '../../scripts/build.ts';
import { repetitions } from '../measure/row.ts';

const ROUNDS = repetitions(21, 1);
const ALIVE = 8;
const sdk = join(import.meta.dirname, '../../dist/capsule-sdk.cjs');

/** Two handlers on the SDK: one responds immediately, one waits for a reply that never comes. */
const entrypoint = `
'use strict';
const { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => ({ answer: async () => 'done', wait: ({ call }) => call('read', {}, 'to wait') }) });
`;

const requestLine = (task_kind: string): string =>
  JSON.stringify({
    type: 'coordinator_request',
    protocol: 1,
    session_id: 's',
    run_id: 'r',
    subtask_id: 's1',
    attempt: 1,
    task: 'answer',
    context: { run_task: 'answer', memory: [], results: [] },
    artifacts: [],
    config: {
      capsule_id: 'starter',
      task_kind,
      mode: 'handler',
      system_prompt: '',
      tool_registry: [],
      model: false,
      max_steps: 1,
    },
  });

/** CPU time of one Node process from its start to its end, user and system, in milliseconds. */
function cpuMs(dir: string, args: string, stdin = ''): number {
  const script = `exec 3< <(printf '%s' "$REQUEST"); TIMEFORMAT='%3U %3S'; time "$NODE" ${args} <&3 >/dev/null`;
  const { stderr } = spawnSync('bash', ['--norc', '-c', script], {
    cwd: dir,
    env: { PATH: '/usr/bin:/bin', NODE: process.execPath, CAPSTAN_SDK: sdk, REQUEST: stdin },
    encoding: 'utf8',
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return (user + system) * 1_000;
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Private memory of a process, in bytes. Linux only: elsewhere NaN. */
function privateBytes({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/smaps_rollup`;
  if (!existsSync(file)) return Number.NaN;
  const kib = readFileSync(file, 'utf8').matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm);
  return [...kib].reduce((sum, match) => sum + Number(match[1]) * 1024, 0);
}

async function measureIdle(dir: string): Promise<number> {
  const children = Array.from({ length: ALIVE }, () =>
    spawn(process.execPath, ['entrypoint.cjs'], {
      cwd: dir,
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', NODE_ENV: 'production', CAPSTAN_SDK: sdk },
    }),
  );
  try {
    for (const child of children) {
      child.stdin.write(`${requestLine('wait')}\n`);
      await new Promise((resolve) => child.stdout.once('data', resolve));
    }
    await sleep(500);
    return median(children.map(privateBytes));
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

/**
 * A capsule on the SDK from its start to its response, compared with `node -e 0`: CPU time in milliseconds, medians of
 * interleaved rounds; and the private memory of one that waits for a reply, in bytes.
 */
export async function measureCapsuleStart(): Promise<{
  bare: number;
  capsule: number;
  idleBytes: number;
}> {
  await buildSdk();
  const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
  writeFileSync(join(dir, 'entrypoint.cjs'), entrypoint);
  const bare: number[] = [];
  const capsule: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(cpuMs(dir, '-e 0'));
      capsule.push(cpuMs(dir, 'entrypoint.cjs', `${requestLine('answer')}\n`));
    }
    return { bare: median(bare), capsule: median(capsule), idleBytes: await measureIdle(dir) };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const { bare, capsule, idleBytes } = await measureCapsuleStart();
  const ratio = (capsule / bare).toFixed(2);
  console.log(`node -e 0 ${bare.toFixed(1)} ms, capsule ${capsule.toFixed(1)} ms: ${ratio}x`);
  console.log(`idle capsule ${(idleBytes / 1e6).toFixed(2)} MB private`);
}
