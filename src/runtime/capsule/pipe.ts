import { writeSync } from 'node:fs';

const LF = 0x0a;

/**
 * Reads lines of the coordinator from stdin. They are not bounded here, because the coordinator bounds them.
 *
 * @param onEnd Called when the coordinator has closed stdin.
 */
export function readLines(onLine: (line: string) => void, onEnd: () => void): void {
  let parts: Buffer[] = [];
  process.stdin.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      parts.push(chunk.subarray(start, end));
      const line = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      parts = [];
      start = end + 1;
      onLine(String(line));
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  process.stdin.on('error', onEnd);
  process.stdin.on('end', onEnd);
}

/** Writes one message as one line, synchronously: `process.stdout` may lose the last line at an exit. */
export function writeLine(message: unknown): void {
  let rest = Buffer.from(`${JSON.stringify(message)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSome(rest));
}

function writeSome(bytes: Buffer): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EAGAIN') {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      return 0;
    }
    process.exit(1);
  }
}

/** Redirects `console` to stderr, because a line on stdout that is not a message counts against the capsule. */
export function logToStderr(): void {
  const { console } = globalThis;
  console.log = console.info = console.debug = console.error;
}

/** Writes the stack trace of an unexpected exception to stderr. */
export function reportCrash(error: unknown): void {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeSync(2, `${trace}\n`);
}
