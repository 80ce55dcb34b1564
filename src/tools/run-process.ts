import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { AppError, messageOf } from '../errors.ts';
import { bare } from '../runtime/sandbox/bare.ts';
import { findProtected, type ProtectedPath } from '../runtime/sandbox/find-protected.ts';
import type { Sandbox, SpawnPlan } from '../runtime/sandbox/sandbox.ts';
import { type BoundedOutput, createBoundedOutput } from './bounded-output.ts';
import { CALL_MARK, endMarked, holdGroup, signalGroup } from './end-processes.ts';
import { readOnlyHint, takeAwayMade } from './process-hint.ts';
import { assertGoingOn, codeOf, failure, type Reach } from './reach.ts';
import { sandboxFailure } from './sandbox-failure.ts';
import { searchPathFor } from './search-path.ts';
import type { Access } from './tool.ts';
import { takeTurn } from './workspace-turns.ts';

/** Most that is kept of one stream, in bytes. */
const MAX_STREAM_BYTES = 256 * 1024;
/** From SIGTERM to SIGKILL, in milliseconds. */
const GRACE_MS = 1_000;
/** How long a pipe may stay open once its process is gone, in milliseconds. */
const DRAIN_MS = 500;
const MAX_TAIL_CHARS = 2_000;

export interface ProcessRequest {
  /** Program and arguments; no shell looks at them. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute, and bound to the folder that was checked where the system allows it. */
  readonly cwd: string;
  /** The path that `cwd` really has. */
  readonly folder: string;
  /** What it may do to the workspace, where there is a sandbox. */
  readonly access: Access;
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
}

/** How a process ended and what it said. A non-zero exit code is a result like any other. */
export interface ProcessResult {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_bytes: number;
  readonly stderr_bytes: number;
  readonly truncated: boolean;
  readonly duration_ms: number;
  /** What may have kept it from its work. */
  readonly hint?: string;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs one process to its end in the sandbox of the call, in a group, a home and a temporary folder of its own. Nothing
 * of it is left when this returns or throws. One that may write has the workspace to itself, where there is a sandbox.
 *
 * @throws AppError `TOOL_FAILED` where it can't be started, `TOOL_TIMED_OUT`, `CANCELLED`.
 */
export async function runProcess(request: ProcessRequest, reach: Reach): Promise<ProcessResult> {
  assertGoingOn(reach);
  const sandbox = reach.context.sandbox ?? bare;
  if (sandbox.level === 'none') return runIn(sandbox, undefined, request, reach);
  const endTurn = await takeTurn(request.access, reach);
  try {
    const covered = await findCovered(request, reach);
    return await runIn(sandbox, covered, request, reach);
  } finally {
    endTurn();
  }
}

/** @throws AppError `TOOL_FAILED` where something would be left open. */
function findCovered({ access }: ProcessRequest, reach: Reach): Promise<readonly ProtectedPath[]> {
  const { workspace, isProtected } = reach.context;
  return findProtected({ workspace, access, isProtected }).catch((error: unknown) => {
    throw notIsolated(error, reach);
  });
}

const notIsolated = (error: unknown, reach: Reach): AppError =>
  failure(reach, `it can't be isolated: ${messageOf(error)}`, error);

async function runIn(
  sandbox: Sandbox,
  covered: readonly ProtectedPath[] | undefined,
  request: ProcessRequest,
  reach: Reach,
): Promise<ProcessResult> {
  // A sealed sandbox has its own; nothing that is started in one outlives it.
  const scratch = sandbox.level === 'A' ? '' : await mkdtemp(join(tmpdir(), 'capstan-call-'));
  try {
    const startedMs = performance.now();
    const ground = { sandbox, scratch, covered: covered ?? [], mark: randomUUID() };
    const { end, outputs } = await live(ground, request, reach);
    const taken =
      covered && request.access === 'write' ? await takeAwayMade(covered, reach) : undefined;
    if (end.stoppedBy !== undefined)
      throw stopFailure(end.stoppedBy, { ...outputs, hint: taken }, request, reach);
    const failed = sandboxFailure(end.exitCode, outputs.stderr.text(), { sandbox, reach });
    if (failed !== undefined) throw failed;
    const result = resultOf(end, outputs, performance.now() - startedMs);
    const hint = request.access === 'read' ? readOnlyHint(result, sandbox) : taken;
    return hint === undefined ? result : { ...result, hint };
  } finally {
    if (scratch !== '') await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** From its start to the end of all that it started. */
async function live(
  ground: Ground,
  request: ProcessRequest,
  reach: Reach,
): Promise<{ readonly end: End; readonly outputs: Outputs }> {
  const plan = planOf(request, ground, reach);
  const child = start(plan, reach);
  const letGo = child.pid === undefined ? () => {} : holdGroup(child.pid);
  try {
    const outputs = outputsOf(child, reach);
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.stdin ?? '');
    const end = await ended(child, request, reach);
    await drained(child);
    return { end, outputs };
  } finally {
    signalGroup(child.pid, 'SIGKILL');
    letGo();
    if (!plan.isSealed) await endMarked(ground.mark);
  }
}

interface Ground {
  readonly sandbox: Sandbox;
  readonly covered: readonly ProtectedPath[];
  readonly scratch: string;
  readonly mark: string;
}

/** Processor time of each process, beyond the time of the call: several threads may work at once. */
const CPU_PER_TIME = 4;

/** @throws AppError `TOOL_FAILED` where it can't be isolated. */
function planOf(
  { argv, cwd, folder, access, timeoutMs }: ProcessRequest,
  { sandbox, scratch, covered, mark }: Ground,
  reach: Reach,
): SpawnPlan {
  const { context } = reach;
  try {
    return sandbox.forTool({
      argv,
      access,
      scratch,
      workspace: context.workspace,
      cwd: sandbox.level === 'none' ? cwd : folder,
      searchPath: searchPathFor(context),
      variables: sandbox.level === 'A' ? {} : { [CALL_MARK]: mark },
      cpuSec: 10 + (CPU_PER_TIME * timeoutMs) / 1_000,
      covered,
    });
  } catch (error) {
    throw notIsolated(error, reach);
  }
}

/** Nothing that the coordinator has in its environment reaches the process. */
function start({ argv: [program, ...args], cwd, env, fds }: SpawnPlan, reach: Reach): Child {
  try {
    return spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', ...fds],
    }) as Child;
  } catch (error) {
    throw failure(reach, startProblem(program, error), error);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

interface Outputs {
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

function outputsOf(child: Child, { context }: Reach): Outputs {
  const maxBytes = Math.min(MAX_STREAM_BYTES, Math.floor(context.maxOutputBytes / 2));
  const stdout = createBoundedOutput(maxBytes);
  const stderr = createBoundedOutput(maxBytes);
  child.stdout.on('data', stdout.take).on('error', () => undefined);
  child.stderr.on('data', stderr.take).on('error', () => undefined);
  return { stdout, stderr };
}

interface End {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stoppedBy: 'timeout' | 'abort' | undefined;
}

/** Resolves when the process itself is gone; a timeout or an abort ends its whole group first. */
function ended(child: Child, { argv, timeoutMs }: ProcessRequest, reach: Reach): Promise<End> {
  const { signal: abort } = reach.context;
  return new Promise((resolve, reject) => {
    let stoppedBy: End['stoppedBy'];
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (by: 'timeout' | 'abort') => {
      if (stoppedBy !== undefined) return;
      stoppedBy = by;
      signalGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    const onAbort = () => stop('abort');
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      abort.removeEventListener('abort', onAbort);
    };
    abort.addEventListener('abort', onAbort);
    if (abort.aborted) onAbort();
    child.once('error', (error) => {
      settle();
      reject(failure(reach, startProblem(argv[0], error), error));
    });
    child.once('exit', (exitCode, signal) => {
      settle();
      resolve({ exitCode, signal, stoppedBy });
    });
  });
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

/** What stays behind in the group holds the pipes open: it is ended, and what it had said is read. */
async function drained(child: Child): Promise<void> {
  signalGroup(child.pid, 'SIGKILL');
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

function stopFailure(
  by: 'timeout' | 'abort',
  { stdout, stderr, hint }: Outputs & { readonly hint: string | undefined },
  { timeoutMs }: ProcessRequest,
  { tool }: Reach,
): AppError {
  if (by === 'abort') return new AppError('CANCELLED', { what: `A call of ${tool}` });
  const output = `${stdout.text()}${stderr.text()}`.slice(-MAX_TAIL_CHARS);
  const told = hint === undefined ? output : `${output}\n${hint}`;
  return new AppError('TOOL_TIMED_OUT', { tool, timeoutMs, output: told });
}

function resultOf(end: End, { stdout, stderr }: Outputs, durationMs: number): ProcessResult {
  return {
    exit_code: end.exitCode,
    signal: end.signal,
    stdout: stdout.text(),
    stderr: stderr.text(),
    stdout_bytes: stdout.bytes(),
    stderr_bytes: stderr.bytes(),
    truncated: stdout.truncated() || stderr.truncated(),
    duration_ms: Math.round(durationMs),
  };
}
