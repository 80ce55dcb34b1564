interface InputLimits {
  readonly maxBytes: number;
  readonly tooLong: string;
  /** Time for the whole input, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number;
  /** The time limit is only for the first byte. Default: false. */
  readonly isFirstByte?: boolean;
  readonly tooLate?: string;
  readonly fail: (problem: string) => Error;
}

/** Reads a stream to its end. @throws What `fail` makes of `tooLong` and `tooLate`. */
export async function readInput(
  input: NodeJS.ReadableStream,
  { maxBytes, tooLong, timeoutMs, isFirstByte = false, tooLate = '', fail }: InputLimits,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const stop = () => (input as NodeJS.ReadStream).destroy?.(fail(tooLate));
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs);
  try {
    for await (const given of input) {
      if (isFirstByte) clearTimeout(timer);
      const part = Buffer.from(given as string);
      bytes += part.length;
      if (bytes > maxBytes) throw fail(tooLong);
      parts.push(part);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(parts);
}
