import { isatty } from 'node:tty';
import type { CommandArguments, CommandIo } from '../command.ts';
import { usage } from '../errors/usage.ts';

/** Maximum size of the attachment, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Timeout for the first byte: an open stdin without data must not block a CI job. */
const FIRST_BYTE_MS = 10_000;

/**
 * The text on stdin as data of the run, if `--stdin` asks for it.
 *
 * @param limits `firstByteMs`: how long to wait for the first byte. Default: 10,000.
 * @throws AppError `USAGE` if stdin is a terminal, stays silent, is longer than 1 MiB or not UTF-8.
 */
export async function attachedInput(
  { options }: CommandArguments,
  { input }: CommandIo,
  { firstByteMs = FIRST_BYTE_MS }: { readonly firstByteMs?: number } = {},
): Promise<readonly { name: string; text: string }[]> {
  if (options['stdin'] !== true) return [];
  if (input === undefined && isatty(0))
    throw wrongStdin(
      '--stdin attaches piped text, and stdin is a terminal. Pipe something: git diff | capstan run --stdin "…"',
    );
  const bytes = await readAll(input ?? process.stdin, firstByteMs);
  return [{ name: 'stdin', text: decode(bytes) }];
}

async function readAll(input: NodeJS.ReadableStream, firstByteMs: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  const silence = `--stdin: nothing came within ${firstByteMs / 1_000} s, and stdin is still open. Pipe something, or leave --stdin out.`;
  const timer = setTimeout(() => stop(input, wrongStdin(silence)), firstByteMs);
  try {
    for await (const part of input) {
      clearTimeout(timer);
      const bytes = Buffer.from(part);
      size += bytes.length;
      if (size > MAX_BYTES)
        throw wrongStdin(
          '--stdin: there is more than 1 MiB. Save it as a file and name the file in the task.',
        );
      parts.push(bytes);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(parts);
}

const stop = (input: NodeJS.ReadableStream, error: Error): void =>
  void (input as NodeJS.ReadableStream & { destroy(error: Error): void }).destroy(error);

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrongStdin(
      '--stdin: it is not UTF-8 text. Save it as a file and name the file in the task.',
    );
  }
}

const wrongStdin = (problem: string) => usage(problem, 'stdin');
