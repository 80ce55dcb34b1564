import { once } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Streams opened after a write would have blocked. All later output goes through them, to keep the order. */
const opened = new Map<1 | 2, NodeJS.WriteStream>();

/** Descriptors whose reader has closed. */
const closed = new Set<1 | 2>();

/**
 * Writes to stdout (1) or stderr (2) synchronously, since opening Node's stream takes longer than writing the answer.
 * A closed pipe or terminal is ignored, so that `capstan … | head` ends without an error. So is a stderr that can't be
 * written: nobody could be told, and the result of the command does not depend on it.
 */
export function writeOut(fd: 1 | 2, text: string): void {
  if (closed.has(fd)) return;
  const stream = opened.get(fd);
  if (stream) return void stream.write(text);
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') openStream(fd).write(rest);
    else close(fd, error as NodeJS.ErrnoException);
  }
}

/** Node's stream buffers when a non-blocking pipe is full. */
function openStream(fd: 1 | 2): NodeJS.WriteStream {
  const stream = fd === 1 ? process.stdout : process.stderr;
  stream.on('error', (error: NodeJS.ErrnoException) => close(fd, error));
  opened.set(fd, stream);
  return stream;
}

/** @throws If the answer is lost although somebody still reads. */
function close(fd: 1 | 2, error: NodeJS.ErrnoException): void {
  closed.add(fd);
  if (fd === 2 || error.code === 'EPIPE' || error.code === 'EIO') return;
  const problem = `The output can't be written (${error.message}).`;
  throw new Error(`${problem} What the command has done stays done.`, { cause: error });
}

/** A person may read stdout page by page. The result does not depend on stderr, which some programs never read. */
const MAX_DRAIN_MS = { 1: 10 * 60_000, 2: 5_000 } as const;

/**
 * Resolves when stdout has left this process or its reader has closed: true. False if the reader took too long. Stderr
 * gets a little more time. To be called before the process ends, which would discard what a full pipe has not taken yet.
 */
export async function outputWritten(): Promise<boolean> {
  const isWritten = await drained(1);
  await drained(2);
  return isWritten;
}

async function drained(fd: 1 | 2): Promise<boolean> {
  const stream = opened.get(fd);
  if (!stream) return true;
  const ended = new AbortController();
  const isWritten = await Promise.race([
    new Promise<boolean>((resolve) => void stream.write('', () => resolve(true))),
    sleep(MAX_DRAIN_MS[fd], false, { signal: ended.signal }),
  ]);
  ended.abort();
  return isWritten;
}

/** The columns of the terminal that stdout is. Default: 80. */
export const stdoutColumns = (): number => process.stdout.columns || 80;

/** Whether stdout (1) or stderr (2) is a regular file. */
export function isFile(fd: 1 | 2): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

/** Resolves when stdout accepts more: true, or false if its reader has closed it. */
export async function stdoutReady(): Promise<boolean> {
  if (closed.has(1)) return false;
  // Only opened if a pipe was full: a file that is written synchronously can always take more.
  const stdout = opened.get(1);
  if (!stdout) return true;
  if (stdout.writableNeedDrain && !stdout.destroyed) {
    const ended = new AbortController();
    const { signal } = ended;
    const ends = ['drain', 'close'].map((name) => once(stdout, name, { signal }));
    await Promise.race(ends).catch(() => undefined);
    ended.abort();
  }
  return !stdout.destroyed;
}
