import { fstatSync } from 'node:fs';
import type { QueryProcess } from './query-process.ts';
import type { SqlRequest } from './sql-protocol.ts';

/** How long a process waits for the next query of its files, in milliseconds. */
const IDLE_MS = 2_000;
/** A process that has worked longer, in milliseconds, is not used again: its limit of processor time is that of its first query. */
const MAX_BUSY_MS = 2_000;

/** By attempt, the process that waits, and the key of the files that it has loaded. */
const idle = new WeakMap<object, { readonly process: QueryProcess; readonly files: string }>();

/** A key of the files of a request: another one if they are read differently or have changed. */
export function keyOfFiles({ database, tables }: SqlRequest, fds: readonly number[]): string {
  const states = fds.map((fd) => {
    const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  });
  return JSON.stringify([database, tables, states]);
}

/** The process of an attempt that has loaded these files and waits. */
export function takeIdle(attempt: object, files: string): QueryProcess | undefined {
  const found = idle.get(attempt);
  if (found?.files !== files || !found.process.isRunning()) return undefined;
  idle.delete(attempt);
  return found.process;
}

/** Keeps a process for the next query of the attempt, or ends it. */
export function keepIdle(attempt: object, files: string, process: QueryProcess): void {
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
