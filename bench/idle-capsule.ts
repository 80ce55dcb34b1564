import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capsuleEnvironment } from '../src/runtime/capsule-environment.ts';
import type { CoordinatorRequest } from '../src/runtime/protocol.ts';
import { median } from './cpu-time.ts';
import type { Row } from './row.ts';

const sdkPath = join(import.meta.dirname, '../dist/capsule-sdk.cjs');

/** A capsule in the middle of its work: it has asked for something, and waits for the answer. */
const entrypoint = `
const { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => ({ wait: (context) => context.call('file_io', { operation: 'list', path: '.' }, 'waiting') }) });
`;

const request: CoordinatorRequest = {
  type: 'coordinator_request',
  protocol: 1,
  session_id: 's',
  run_id: 'r',
  subtask_id: '1',
  attempt: 1,
  task: 'wait',
  context: { run_task: 'wait', memory: [], results: [] },
  artifacts: [],
  config: {
    capsule_id: 'waiting',
    task_kind: 'wait',
    mode: 'handler',
    system_prompt: '',
    tool_registry: [],
    model: false,
    max_steps: 1,
  },
};

const CAPSULES = 8;

/** Pages that are this process's alone, in MB of 1,024² bytes. */
function privateMb({ pid }: ChildProcess): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const pages = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)];
  return pages.reduce((sum, [, kb]) => sum + Number(kb), 0) / 1_024;
}

/** Memory of a capsule process that waits, eight of them alive. Linux only: elsewhere there is no row. */
export async function measureIdleCapsule(): Promise<Row[]> {
  if (process.platform !== 'linux') return [];
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  writeFileSync(join(dir, 'entrypoint.cjs'), entrypoint);
  const capsules = Array.from({ length: CAPSULES }, () =>
    spawn(process.execPath, ['entrypoint.cjs'], {
      cwd: dir,
      env: capsuleEnvironment(sdkPath),
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  try {
    for (const { stdin } of capsules) stdin.write(`${JSON.stringify(request)}\n`);
    await Promise.all(capsules.map(({ stdout }) => once(stdout, 'data')));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const each = capsules.map(privateMb);
    return [
      {
        what: 'idle capsule process, private memory',
        goal: 6.5,
        gate: 8,
        value: median(each),
        unit: 'MB',
        detail: `${CAPSULES} alive, ${Math.min(...each).toFixed(1)} to ${Math.max(...each).toFixed(1)} MB`,
      },
    ];
  } finally {
    for (const capsule of capsules) capsule.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
}
