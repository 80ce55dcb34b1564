import { existsSync, fstatSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { tryOr } from '../../../platform/try-or.ts';
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
import { createSpool, type Spool } from '../../files/spool.ts';
import { type QueryProcess, startQueryProcess } from './query-process.ts';
import type { SqlAnswer, SqlRequest, SqlResult } from './sql-protocol.ts';

/** Memory limit of a query, in bytes: SQL functions can create values of any length. */
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;
/** Processor time in addition to the time limit of the call, in seconds. */
const CPU_START_SEC = 10;

/**
 * Runs one query in a process of its own, which is killed at the deadline: nothing else can stop a query. A process that
 * has just loaded the same files for the same attempt is used again.
 *
 * @param fds Open files. In the process they are the descriptors 3, 4, …, which the request names.
 * @param content Gets the result as a file, or the changed database or its SHA-256, if requested.
 * @throws AppError `TOOL_FAILED`, `TOOL_TIMED_OUT`, `CANCELLED`.
 */
export async function askSqlProcess(
  request: SqlRequest,
  fds: readonly number[],
  call: ToolCall,
  content: Spool = createSpool(0),
): Promise<SqlResult> {
  throwIfAborted(call);
  const attempt = mayWait(request) ? call.context.attempt : undefined;
  const files = keyOfFiles(request, fds);
  const waiting = attempt && takeIdle(attempt, files);
  const child = waiting ?? (await startChild(request, fds, call));
  return inTime(call, async (signal) => {
    signal.addEventListener('abort', child.kill);
    if (signal.aborted) child.kill();
    // A process that was not found may hold the pipes open.
    const answer = await orAborted(child.ask(request, content), signal);
    signal.throwIfAborted();
    if (attempt) keepIdle(attempt, files, child);
    else child.end();
    return resultIn(answer, child.errors(), call);
  });
}

/** An open database would keep its write-ahead log beside it when its program ends. */
const mayWait = ({ change, database }: SqlRequest): boolean =>
  change === undefined && !(database && existsSync(`${database.path}-wal`));

function startChild({ change, database }: SqlRequest, fds: readonly number[], call: ToolCall) {
  const plan = planOf(change ? undefined : database?.path, fds, call);
  return startQueryProcess(plan, fds).catch(failing(call, "its process can't be started"));
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

function resultIn(text: string | undefined, errors: string, call: ToolCall): SqlResult {
  const answer = tryOr(() => JSON.parse(text ?? '') as SqlAnswer, undefined);
  if (answer?.ok) return answer.result;
  if (answer) throw failure(call, answer.problem);
  const why = /memory|allocation/i.test(errors) ? 'it needs too much memory' : errors.slice(-500);
  throw failure(call, `the query ended without an answer: ${why || 'it was killed'}`);
}

/** How long a process waits for the next query of its files, in milliseconds. */
const IDLE_MS = 2_000;
/** A process that has worked longer, in milliseconds, is not used again: its limit of processor time is that of its first query. */
const MAX_BUSY_MS = 2_000;

/** By attempt, the process that waits, and the key of the files that it has loaded. */
const idle = new WeakMap<object, { readonly process: QueryProcess; readonly files: string }>();

/** A key of the files of a request: another one if they are read differently or have changed. */
function keyOfFiles({ database, tables }: SqlRequest, fds: readonly number[]): string {
  const states = fds.map((fd) => {
    const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  });
  return JSON.stringify([database, tables, states]);
}

/** The process of an attempt that has loaded these files and waits. */
function takeIdle(attempt: object, files: string): QueryProcess | undefined {
  const found = idle.get(attempt);
  if (found?.files !== files || !found.process.isRunning()) return undefined;
  idle.delete(attempt);
  return found.process;
}

/** Keeps a process for the next query of the attempt, or ends it. */
function keepIdle(attempt: object, files: string, process: QueryProcess): void {
  if (process.busyMs() > MAX_BUSY_MS) {
    process.end();
    return;
  }
  idle.get(attempt)?.process.end();
  const kept = { process, files };
  idle.set(attempt, kept);
  setTimeout(() => {
    if (idle.get(attempt) !== kept) return;
    idle.delete(attempt);
    process.end();
  }, IDLE_MS).unref();
}
