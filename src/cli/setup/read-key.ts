import type { CommandIo } from '../command.ts';
import { usage } from '../errors/usage.ts';

/** Maximum input, in bytes. */
const MAX_BYTES = 4_096;
const MAX_WAIT_MS = 60_000;

/**
 * Reads a key from stdin, up to its end.
 *
 * @throws AppError `USAGE` if there is none, it is too long or does not come within a minute.
 */
export async function readKey(io: CommandIo): Promise<string> {
  const input = io.input ?? process.stdin;
  if (io.input === undefined && process.stdin.isTTY)
    throw wrongKey('`--key-stdin` reads a pipe. Leave it out to be asked for the key.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => {
    (input as NodeJS.ReadStream).destroy?.(wrongKey('No key came on stdin within 60 seconds.'));
  }, MAX_WAIT_MS);
  try {
    for await (const chunk of input) {
      const part = Buffer.from(chunk as string);
      chunks.push(part);
      bytes += part.length;
      if (bytes > MAX_BYTES)
        throw wrongKey(`What came on stdin is longer than ${MAX_BYTES} bytes.`);
    }
  } finally {
    clearTimeout(timer);
  }
  const key = Buffer.concat(chunks).toString('utf8').trim();
  if (key === '') throw wrongKey('Nothing came on stdin.');
  return key;
}

const wrongKey = (problem: string) => usage(problem, 'key');
