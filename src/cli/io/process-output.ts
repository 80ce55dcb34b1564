import { once } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';

/** Streams opened after a write would have blocked. All later output goes through them, to keep the order. */
const opened = new Map<1 | 2, NodeJS.WriteStream>();

/** Descriptors whose reader has closed. */
const closed = new Set<1 | 2>();

/**
 * Writes to stdout (1) or stderr (2) synchronously, since opening Node's stream takes longer than writing the answer.
 * A closed pipe or terminal is ignored, so that `capstan … | head` ends without an error.
 */
export function writeOut(fd: 1 | 2, text: string): void {
  const stream = opened.get(fd);
  if (stream) return void stream.write(text);
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') openStream(fd).write(rest);
    else if (code === 'EPIPE' || code === 'EIO') closed.add(fd);
    else throw error;
  }
}

/** Node's stream buffers when a non-blocking pipe is full. */
function openStream(fd: 1 | 2): NodeJS.WriteStream {
  const stream = fd === 1 ? process.stdout : process.stderr;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  opened.set(fd, stream);
  return stream;
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
    await Promise.race([
      once(stdout, 'drain', { signal }),
      once(stdout, 'close', { signal }),
    ]).catch(() => undefined);
    ended.abort();
  }
  return !stdout.destroyed;
}
