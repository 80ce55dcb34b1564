import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../contract/errors.ts';
import { killMarked } from '../../runtime/kill-marked.ts';
import { killNamespace } from '../../runtime/process-tree.ts';
import type { SpawnPlan } from '../../runtime/sandbox/sandbox.ts';
import { codeOf, failure, type ToolCall } from '../define/call.ts';
import { type BoundedOutput, createBoundedOutput } from './bounded-output.ts';
import { holdGroup, signalGroup } from './end-processes.ts';
import { type Bounded, startBounded } from './process-bound.ts';
import { type Excess, mostMemoryBytes, watchProcesses } from './process-watch.ts';

/** Most that is kept of one stream, in bytes. */
const MAX_STREAM_BYTES = 256 * 1024;
/** From SIGTERM to SIGKILL, in milliseconds. */
const GRACE_MS = 1_000;
/** How long a pipe may stay open once its process is gone, in milliseconds. */
const DRAIN_MS = 500;

export interface ProcessLife {
  readonly plan: SpawnPlan;
  /** By which its processes are found again where no sandbox holds them. */
  readonly mark: string;
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** Most that is kept of its output, in bytes. Default: what an answer may hold, 256 KiB at most. */
  readonly stdoutBytes?: number | undefined;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * One process from its start to the end of all that it started.
 *
 * @throws AppError `TOOL_FAILED` where it can't be started.
 */
export async function liveProcess(
  life: ProcessLife,
  call: ToolCall,
): Promise<{ readonly end: End; readonly outputs: Outputs }> {
  const { plan, stdin = '' } = life;
  const { child, group } = startBounded(() => start(plan, call));
  const letGo = child.pid === undefined ? () => {} : holdGroup(child.pid);
  try {
    const outputs = outputsOf(child, life, call);
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    const end = await endedWhole({ child, group }, life, call);
    await drained(child);
    return { end, outputs };
  } finally {
    letGo();
  }
}

/** Resolves when nothing that it started runs any more. */
async function endedWhole(bounded: Bounded<Child>, life: ProcessLife, call: ToolCall) {
  try {
    return await ended(bounded, life, call);
  } finally {
    await endAll(bounded, life);
  }
}

async function endAll({ child, group }: Bounded<Child>, { plan, mark }: ProcessLife) {
  signalGroup(child.pid, 'SIGKILL');
  if (group !== undefined) await group.end();
  // Without a sandbox, a process of root can have left its group.
  if (!plan.isSealed) await killMarked(mark);
}

/** Nothing that the coordinator has in its environment reaches the process. */
function start({ argv: [program, ...args], cwd, env, fds }: SpawnPlan, call: ToolCall): Child {
  try {
    return spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', ...fds],
    }) as Child;
  } catch (error) {
    throw failure(call, startProblem(program, error), error);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

export interface Outputs {
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

function outputsOf(child: Child, { stdoutBytes }: ProcessLife, { context }: ToolCall): Outputs {
  const maxBytes = Math.min(MAX_STREAM_BYTES, context.maxOutputBytes);
  const stdout = createBoundedOutput(stdoutBytes ?? maxBytes);
  const stderr = createBoundedOutput(maxBytes);
  child.stdout.on('data', stdout.take).on('error', () => undefined);
  child.stderr.on('data', stderr.take).on('error', () => undefined);
  return { stdout, stderr };
}

/** Also by its processes: they were too many, or held too much memory together. */
export type StoppedBy = 'timeout' | 'abort' | Excess;

export interface End {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stoppedBy: StoppedBy | undefined;
}

/** Resolves when the process itself is gone; a timeout or an abort ends all that it started first. */
function ended(bounded: Bounded<Child>, life: ProcessLife, call: ToolCall): Promise<End> {
  const { child, group } = bounded;
  const { signal: abort, maxMemoryBytes = mostMemoryBytes() } = call.context;
  return new Promise((resolve, reject) => {
    let stoppedBy: End['stoppedBy'];
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (by: StoppedBy) => {
      if (stoppedBy !== undefined) return;
      stoppedBy = by;
      const graceMs = askToEnd(child.pid, life.plan, by) ? GRACE_MS : 0;
      killTimer = setTimeout(() => void endAll(bounded, life), graceMs);
    };
    const onAbort = () => stop('abort');
    const timer = setTimeout(() => stop('timeout'), life.timeoutMs);
    const endWatch =
      child.pid === undefined
        ? () => {}
        : watchProcesses({ root: child.pid, group, maxBytes: maxMemoryBytes }, stop);
    const settle = () => {
      endWatch();
      clearTimeout(timer);
      clearTimeout(killTimer);
      abort.removeEventListener('abort', onAbort);
    };
    abort.addEventListener('abort', onAbort);
    if (abort.aborted) onAbort();
    child.once('error', (error) => {
      settle();
      reject(failure(call, startProblem(life.plan.argv[0], error), error));
    });
    child.once('exit', (exitCode, signal) => {
      settle();
      resolve({ exitCode, signal, stoppedBy });
    });
  });
}

/** False where there is nothing to wait for: it may not go on, or its sandbox can't pass a signal on. */
function askToEnd(pid: number | undefined, { isSealed }: SpawnPlan, by: StoppedBy): boolean {
  if (isSealed) return pid !== undefined && killNamespace(pid);
  if (by !== 'timeout' && by !== 'abort') return false;
  signalGroup(pid, 'SIGTERM');
  return true;
}

function startProblem(program: string, error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return `there is no program "${program}" in the folders of PATH`;
    case 'EACCES':
      return `"${program}" is not executable`;
    case 'E2BIG':
      return 'the arguments are too long; write them to a file first';
    default:
      return `"${program}" can't be started: ${messageOf(error)}`;
  }
}

/** What the processes had said is read. One that could not be found holds the pipes open. */
async function drained(child: Child): Promise<void> {
  const streams = [child.stdout, child.stderr];
  const closed = Promise.all(
    streams.map((stream) =>
      stream.closed ? undefined : new Promise((resolve) => stream.once('close', resolve)),
    ),
  );
  const timer = setTimeout(() => {
    for (const stream of streams) stream.destroy();
  }, DRAIN_MS);
  await closed;
  clearTimeout(timer);
}
