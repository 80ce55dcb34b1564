import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, race } from '../measure/cpu-time.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');
const task = 'Count the lines of notes.txt';
/** Without a sandbox: the processor time of a PID namespace is not counted for its parent. */
const flags = ['--provider', 'offline', '--dangerously-no-isolation', '--quiet'];
const argv = [process.execPath, launcher, 'run', ...flags, task];

function makeWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const notes = Array.from({ length: 200 }, (_, at) => `note ${at}`);
  writeFileSync(join(folder, 'notes.txt'), `${notes.join('\n')}\n`);
  return { folder, env: { CAPSTAN_HOME: join(folder, '.home') } };
}

/** Resident memory, in MB of 1,024² bytes. Undefined: the process has ended. */
function residentMb(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1_024;
  } catch {
    return undefined;
  }
}

const hasChild = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '';

/** The memory of the process just before it started its first child. */
async function residentBeforeCapsule(workspace: ReturnType<typeof makeWorkspace>): Promise<number> {
  const [file = '', ...rest] = argv;
  const env = { PATH: process.env['PATH'] ?? '', ...workspace.env };
  const run = spawn(file, rest, { cwd: workspace.folder, env, stdio: 'ignore', timeout: 60_000 });
  const ended = once(run, 'exit');
  const pid = run.pid ?? 0;
  let last = 0;
  while (run.exitCode === null && run.signalCode === null) {
    const now = residentMb(pid);
    if (now === undefined || Number.isNaN(now) || hasChild(pid)) break;
    last = now;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  return last;
}

/**
 * A run as a person starts it: a new process, one subtask that needs no model, with existing compiled code and
 * database.
 */
export async function measureWholeRun({ smoke }: BenchOptions): Promise<Row[]> {
  const workspace = makeWorkspace();
  try {
    const { empty, run } = race(
      {
        empty: { argv: [process.execPath, '-e', '0'] },
        run: { argv, env: workspace.env, cwd: workspace.folder },
      },
      smoke ? 1 : 11,
    );
    const cold: Row = {
      what: 'cold offline run of one handler subtask, without isolation (× `node -e 0`)',
      goal: 8,
      gate: 10,
      value: run.cpuMs / empty.cpuMs,
      unit: '×',
      detail: `${run.cpuMs.toFixed(0)} ms CPU, ${run.wallMs.toFixed(0)} ms on the clock, capsule included`,
    };
    if (process.platform !== 'linux') return [cold];
    const each: number[] = [];
    for (let round = 0; round < (smoke ? 1 : 7); round++) {
      each.push(await residentBeforeCapsule(workspace));
    }
    const memory: Row = {
      what: 'resident memory of `capstan run` before its first capsule',
      goal: 68,
      gate: 80,
      value: median(each),
      unit: 'MB',
      detail: `${Math.min(...each).toFixed(1)} to ${Math.max(...each).toFixed(1)} MB`,
    };
    return [cold, memory];
  } finally {
    rmSync(workspace.folder, { recursive: true, force: true });
  }
}
