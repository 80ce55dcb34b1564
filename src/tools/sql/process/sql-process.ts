import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { tryOr } from '../../../platform/try-or.ts';
import { type Launched, launch } from '../../../runtime/process/launch.ts';
import type { SpawnPlan } from '../../../runtime/sandbox/sandbox.ts';
import { builtScript } from '../../built-script.ts';
import {
  failing,
  failure,
  inTime,
  orAborted,
  type ToolCall,
  throwIfAborted,
} from '../../define/call.ts';
import type { SqlAnswer, SqlFindings, SqlRequest } from './sql-protocol.ts';

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
  const plan = planOf(database, fds, call);
  const launched = launch({ ...plan, keptFds: fds });
  const child = await launched.catch(failing(call, "its process can't be started"));
  return inTime(call, async (signal) => {
    const stop = () => child.kill('SIGKILL');
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    child.stdin.on('error', () => undefined).end(JSON.stringify(request));
    // A process that was not found may hold the pipes open.
    const { stdout, stderr } = await orAborted(outputOf(child), signal);
    signal.throwIfAborted();
    return findingsIn(stdout, stderr.trim(), call);
  });
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
    return failing(call, "it can't be isolated")(error);
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

async function outputOf(child: Launched) {
  const stdout: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) child.kill('SIGKILL');
    else stdout.push(chunk);
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  const closed = [child.stdout, child.stderr].map((pipe) => once(pipe, 'close'));
  await Promise.all([child.exited, ...closed]);
  return { stdout: Buffer.concat(stdout), stderr };
}

function findingsIn(bytes: Buffer, stderr: string, call: ToolCall): SqlFindings {
  const end = bytes.indexOf('\n');
  const line = bytes.toString('utf8', 0, Math.max(end, 0));
  const answer = tryOr(() => JSON.parse(line) as SqlAnswer, undefined);
  if (answer?.ok) return { result: answer.result, content: bytes.subarray(end + 1) };
  if (answer) throw failure(call, answer.problem);
  const why = /memory|allocation/i.test(stderr) ? 'it needs too much memory' : stderr.slice(-500);
  throw failure(call, `the query ended without an answer: ${why || 'it was killed'}`);
}
