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
import { type Excess, maxMemoryBytes, watchProcesses } from './process-watch.ts';

/** Limit of each kept output stream, in bytes. */
const MAX_STREAM_BYTES = 256 * 1024;
/** From SIGTERM to SIGKILL, in milliseconds. */
const GRACE_MS = 1_000;
/** How long a pipe may stay open after its process has ended, in milliseconds. */
const DRAIN_MS = 500;

interface ProcessLife {
  readonly plan: SpawnPlan;
  /** A mark in the environment, to find its processes if no sandbox contains them. */
  readonly mark: string;
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** Limit of the kept output, in bytes. Default: the size limit of a result, at most 256 KiB. */
  readonly stdoutBytes?: number | undefined;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs one process. When this returns or throws, all processes that it started have ended.
 *
 * @throws AppError `TOOL_FAILED` if it can't be started.
 */
export async function runToEnd(
  life: ProcessLife,
  call: ToolCall,
): Promise<{ readonly end: End; readonly outputs: Outputs }> {
  const bounded = startBounded(() => start(life.plan, call));
  const { child } = bounded;
  const release = child.pid === undefined ? () => {} : holdGroup(child.pid);
  try {
    const outputs = outputsOf(child, life, call);
    child.stdin.on('error', () => undefined);
    child.stdin.end(life.stdin ?? '');
    const ending = ended(bounded, life, call);
    await ending.catch(() => undefined);
    await endAll(bounded, life);
    const end = await ending;
    await drained(child);
    return { end, outputs };
  } finally {
    release();
  }
}

async function endAll({ child, group }: Bounded<Child>, { plan, mark }: ProcessLife) {
  signalGroup(child.pid, 'SIGKILL');
  if (group !== undefined) await group.end();
  // Without a sandbox, a process of root may have left its group.
  if (!plan.isSealed) await killMarked(mark);
}

/** The process gets nothing of this process's environment. */
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

/** `Excess`: its processes were too many, or used too much memory together. */
export type StoppedBy = 'timeout' | 'abort' | Excess;

export interface End {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stoppedBy: StoppedBy | undefined;
}

/** Resolves when the process itself has ended. After a timeout or an abort, all that it started has ended, too. */
function ended(bounded: Bounded<Child>, life: ProcessLife, call: ToolCall): Promise<End> {
  const { child, group } = bounded;
  const { signal: abort, maxMemoryBytes: maxBytes = maxMemoryBytes() } = call.context;
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
      child.pid === undefined ? () => {} : watchProcesses(child.pid, group, maxBytes, stop);
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

/** Asks the process to end. False if there is nothing to wait for: it must stop now, or the sandbox passes on no signal. */
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

/** Waits until all output is read. A process that was not found may hold the pipes open. */
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
