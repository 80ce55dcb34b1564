import { once } from 'node:events';
import type { Launched } from './launch.ts';

const MAX_STDERR_CHARS = 2_000;

interface Limits {
  /** Of stdout. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Gives a process its input and returns what it printed until it ended: stdout, and the end of stderr. It is killed at a limit.
 *
 * @throws Error if it was aborted, once the process has exited.
 */
export async function wholeOutput(child: Launched, input: string, { maxBytes, signal }: Limits) {
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  const stdout: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) kill();
    else stdout.push(chunk);
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  child.stdin.on('error', () => undefined).end(input);
  // A process that was not found may hold the pipes open.
  const closed = [child.stdout, child.stderr].map((pipe) => once(pipe, 'close', { signal }));
  try {
    await Promise.all(closed);
  } finally {
    await child.exited;
  }
  return { exit: await child.exited, stdout: Buffer.concat(stdout), stderr };
}
