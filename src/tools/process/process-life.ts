import { StringDecoder } from 'node:string_decoder';
import { type AppError, messageOf } from '../../contract/errors.ts';
import { codeOf } from '../../platform/try-or.ts';
import { type Launched, launch } from '../../runtime/process/launch.ts';
import { killNamespace } from '../../runtime/process/process-tree.ts';
import type { SpawnPlan } from '../../runtime/sandbox/sandbox.ts';
import { failure, type ToolCall } from '../define/call.ts';
import type { Spool } from '../files/spool.ts';
import { createBoundedOutput } from './bounded-output.ts';
import { type Excess, maxMemoryBytes, watchProcesses } from './process-watch.ts';

/** Limit of each kept output stream, in bytes. */
const MAX_STREAM_BYTES = 256 * 1024;
/** From SIGTERM to SIGKILL, in milliseconds. */
const GRACE_MS = 1_000;
/** How long a pipe may stay open after its process has ended, in milliseconds. */
const DRAIN_MS = 500;

interface ProcessLife {
  readonly plan: SpawnPlan;
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** Gets all of stdout, of which the result then shows only a part. */
  readonly spool?: Spool | undefined;
}

/**
 * Runs one process. When this returns or throws, all processes that it started have ended.
 *
 * @throws AppError `TOOL_FAILED` if it can't be started.
 */
export async function runToEnd(
  life: ProcessLife,
  call: ToolCall,
): Promise<{ readonly end: End; readonly outputs: Outputs }> {
  const spec = { ...life.plan, isFromPath: true, isBounded: true };
  const child = await launch(spec).catch(({ cause }: Error) => {
    throw failure(call, startProblem(life.plan.argv[0], cause), cause);
  });
  const outputs = outputsOf(child, life, call);
  child.stdin.on('error', () => undefined).end(life.stdin ?? '');
  const end = await ended(child, life, call);
  await drained(child);
  return { end, outputs };
}

export type Outputs = ReturnType<typeof outputsOf>;

function outputsOf(child: Launched, { spool }: ProcessLife, { context }: ToolCall) {
  const maxBytes = Math.min(MAX_STREAM_BYTES, context.maxOutputBytes);
  const stdout = createBoundedOutput(maxBytes);
  const stderr = createBoundedOutput(maxBytes);
  if (spool) child.stdout.on('data', spool.add);
  for (const [stream, output] of [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const) {
    const decoder = new StringDecoder();
    stream
      .on('data', (chunk: Buffer) => {
        output.take(chunk);
        context.onOutput?.(decoder.write(chunk));
      })
      .on('error', () => undefined);
  }
  return { stdout, stderr };
}

/** `Excess`: its processes were too many, or used too much memory together. */
export type StoppedBy = 'timeout' | 'abort' | Excess;

export interface End {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stoppedBy: StoppedBy | undefined;
}

/** Resolves when the process itself has ended. After a timeout or an abort, all that it started has ended, too. */
async function ended(child: Launched, life: ProcessLife, call: ToolCall): Promise<End> {
  const { signal: abort, maxMemoryBytes: maxBytes = maxMemoryBytes() } = call.context;
  let stoppedBy: End['stoppedBy'];
  let killTimer: NodeJS.Timeout | undefined;
  const kill = () => {
    child.kill('SIGKILL');
    void child.group?.end();
  };
  const stop = (by: StoppedBy) => {
    if (stoppedBy !== undefined) return;
    stoppedBy = by;
    killTimer = setTimeout(kill, askToEnd(child, life.plan, by) ? GRACE_MS : 0);
  };
  const onAbort = () => stop('abort');
  const timer = setTimeout(() => stop('timeout'), life.timeoutMs);
  const endWatch = watchProcesses(child.pid, child.group, maxBytes, stop);
  abort.addEventListener('abort', onAbort);
  if (abort.aborted) onAbort();
  const { exitCode = null, signal = null } = await child.ended;
  endWatch();
  clearTimeout(timer);
  clearTimeout(killTimer);
  abort.removeEventListener('abort', onAbort);
  await child.exited;
  return { exitCode, signal, stoppedBy };
}

/** Asks the process to end. False if there is nothing to wait for: it must stop now, or the sandbox passes on no signal. */
function askToEnd(child: Launched, { isSealed }: SpawnPlan, by: StoppedBy): boolean {
  if (isSealed) return killNamespace(child.pid);
  if (by !== 'timeout' && by !== 'abort') return false;
  child.kill('SIGTERM');
  return true;
}

const startProblem = (program: string, error: unknown): string =>
  startProblems[codeOf(error) ?? '']?.(program) ??
  `"${program}" can't be started: ${messageOf(error)}`;

const startProblems: Readonly<Record<string, (program: string) => string>> = {
  ENOENT: (program) => `there is no program "${program}" in the folders of PATH`,
  EACCES: (program) => `"${program}" is not executable`,
  E2BIG: () => 'the arguments are too long; write them to a file first',
};

/** The message of the shell that starts a program whose private folders are watched. */
const shellProblem = /^sh: (?:line )?\d+: exec: (.*): not found/;
const sandboxProblem = /^(?:failed to execute|execvp) (.*): No such file or directory$/;

/**
 * The error if the sandbox could not start the program; undefined if it did.
 *
 * @param hint What is known about a program that was not found.
 */
export function sandboxFailure(
  exitCode: number | null,
  stderr: string,
  hint: string | undefined,
  call: ToolCall,
): AppError | undefined {
  if (exitCode === 0) return undefined;
  const problem = call.context.sandbox.findProblem(stderr) ?? shellProblem.exec(stderr)?.[0];
  if (problem === undefined) return undefined;
  const missing = shellProblem.exec(problem) ?? sandboxProblem.exec(problem);
  if (missing === null) return failure(call, `it can't be isolated: ${problem}`);
  const cause = Object.assign(new Error(problem), { code: 'ENOENT' });
  const found = startProblem(missing[1] ?? '', cause);
  return failure(call, hint === undefined ? found : `${found}. ${hint}`, cause);
}

/** Waits until all output is read. A process that was not found may hold the pipes open. */
async function drained(child: Launched): Promise<void> {
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
