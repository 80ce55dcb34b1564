import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { AppError, messageOf } from '../../../contract/errors.ts';
import type { SpawnPlan } from '../../../runtime/sandbox/sandbox.ts';
import { builtScript } from '../../built-script.ts';
import { failure, type ToolCall, throwIfAborted } from '../../define/call.ts';
import { holdGroup, signalGroup } from '../../process/end-processes.ts';
import type { Answered, SqlAnswer, SqlRequest, SqlResult } from './sql-protocol.ts';

/** Limit of the answer, in bytes: the rows, and a file of up to 64 MiB. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
/** Memory limit of a query, in bytes: SQL functions can create values of any length. */
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;
/** Processor time in addition to the time limit of the call, in seconds. */
const CPU_START_SEC = 10;
const MAX_STDERR_CHARS = 2_000;

/**
 * Runs one query in its own process, which is killed at the deadline: nothing else can stop a query.
 *
 * @param fds Open files. In the process they are the descriptors 3, 4, …, which the request names.
 * @throws AppError `TOOL_FAILED`, `TOOL_TIMED_OUT`, `CANCELLED`.
 */
export async function askSqlProcess(
  request: SqlRequest,
  fds: readonly number[],
  call: ToolCall,
): Promise<SqlFindings> {
  throwIfAborted(call);
  const database = request.change ? undefined : request.database?.path;
  const child = start(planOf(database, fds, call), fds);
  const said = collect(child);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify(request));
  const release = child.pid === undefined ? () => {} : holdGroup(child.pid);
  await ended(child, call).finally(release);
  const { answer, content } = parseAnswer(said, call);
  if (!answer.ok) throw failure(call, answer.problem);
  return { result: answer.result, content };
}

export interface SqlFindings {
  readonly result: SqlResult;
  /** The result as a file, or the changed database; empty if neither was requested. */
  readonly content: Buffer;
}

/**
 * @param database The database of a query, which SQLite opens by its path.
 * @throws AppError `TOOL_FAILED` if it can't be isolated.
 */
function planOf(database: string | undefined, fds: readonly number[], call: ToolCall): SpawnPlan {
  const script = builtScript('sql-child.cjs', call.tool);
  try {
    return call.context.sandbox.forQuery({
      script,
      reads: [engineOf(script), ...(database === undefined ? [] : filesOf(database))],
      fds,
      memoryBytes: MAX_MEMORY_BYTES,
      cpuSec: CPU_START_SEC + call.context.timeoutMs / 1_000,
    });
  } catch (error) {
    throw failure(call, `it can't be isolated: ${messageOf(error)}`, error);
  }
}

/** The folder of SQLite's native part. */
const engineOf = (script: string): string =>
  dirname(createRequire(script).resolve('better-sqlite3/package.json'));

/** A database and the files that SQLite keeps beside it. */
const filesOf = (path: string): string[] =>
  ['', '-wal', '-shm', '-journal']
    .map((ending) => path + ending)
    .filter((name) => existsSync(name));

/** The descriptors of the files belong to the caller; the others were opened for the process. */
function start(
  { argv: [program, ...args], env, cwd, fds }: SpawnPlan,
  files: readonly number[],
): ChildProcess {
  try {
    return spawn(program, args, {
      env,
      cwd,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', ...fds],
    });
  } finally {
    for (const fd of fds) if (!files.includes(fd)) closeSync(fd);
  }
}

interface Said {
  stdout(): Buffer;
  stderr(): string;
}

function collect(child: ChildProcess): Said {
  const stdout: Buffer[] = [];
  let bytes = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) signalGroup(child.pid, 'SIGKILL');
    else stdout.push(chunk);
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  return { stdout: () => Buffer.concat(stdout), stderr: () => stderr };
}

function ended(child: ChildProcess, call: ToolCall): Promise<void> {
  const { signal, timeoutMs } = call.context;
  return new Promise((resolve, reject) => {
    const stop = (reason: AppError) => {
      signalGroup(child.pid, 'SIGKILL');
      settle();
      reject(reason);
    };
    const onAbort = () => stop(new AppError('CANCELLED', { what: 'A call of sql_query' }));
    const timer = setTimeout(
      () => stop(new AppError('TOOL_TIMED_OUT', { tool: 'sql_query', timeoutMs })),
      timeoutMs,
    );
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort);
    child.once('error', (error) => {
      settle();
      reject(failure(call, `its process can't be started: ${messageOf(error)}`, error));
    });
    child.once('close', () => {
      settle();
      resolve();
    });
  });
}

function parseAnswer(said: Said, call: ToolCall): Answered {
  try {
    const bytes = said.stdout();
    const end = bytes.indexOf('\n');
    const answer = JSON.parse(bytes.toString('utf8', 0, Math.max(end, 0))) as SqlAnswer;
    return { answer, content: bytes.subarray(end + 1) };
  } catch (error) {
    const words = said.stderr().trim();
    const why = /memory|allocation/i.test(words) ? 'it needs too much memory' : words.slice(-500);
    throw failure(call, `the query ended without an answer: ${why || 'it was killed'}`, error);
  }
}
