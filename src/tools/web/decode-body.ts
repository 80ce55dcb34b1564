import { once } from 'node:events';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** Encodings that are asked for and undone. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** Servers may encode twice; more is an attack. */
const MAX_ENCODINGS = 2;

export interface Body {
  readonly content: Buffer;
  /** Decoded bytes seen; all of them where `isWhole`. */
  readonly bytes: number;
  /** False where reading ended at the limit for counting. */
  readonly isWhole: boolean;
}

export interface BodyLimits {
  /** Most that is kept, in bytes, decoded. */
  readonly keepBytes: number;
  /** Most that is read and counted, in bytes, decoded: a small answer may unpack to any size. */
  readonly countBytes: number;
}

/**
 * Reads a body, undoing its `Content-Encoding`, within fixed memory.
 *
 * @throws Error where the encoding is unknown or the content is not what it says.
 */
export async function readBody(
  stream: Readable,
  encoding: string | undefined,
  limits: BodyLimits,
): Promise<Body> {
  const decoded = (await decodersOf(encoding, stream)).reduce<Readable>((from, to) => {
    from.once('error', (error) => to.destroy(error));
    return from.pipe(to);
  }, stream);
  const parts: Buffer[] = [];
  let bytes = 0;
  let kept = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      const part = chunk.subarray(0, limits.keepBytes - kept);
      if (part.length > 0) parts.push(part);
      kept += part.length;
      if (bytes > limits.countBytes)
        return { content: Buffer.concat(parts), bytes, isWhole: false };
    }
    return { content: Buffer.concat(parts), bytes, isWhole: true };
  } finally {
    stream.destroy();
    decoded.destroy();
  }
}

async function decodersOf(encoding = '', stream: Readable): Promise<Transform[]> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_ENCODINGS) throw new Error(`the answer is encoded ${names.length} times`);
  const outermost = names.at(-1);
  if (outermost === 'deflate' && !(await startsAsZlib(stream))) names[names.length - 1] = 'raw';
  return names.reverse().map(decoderFor);
}

/** Some servers send `deflate` without the header that it should have (RFC 1950). */
async function startsAsZlib(stream: Readable): Promise<boolean> {
  await once(stream, 'readable');
  const chunk = stream.read() as Buffer | null;
  if (chunk === null) return true;
  stream.unshift(chunk);
  return ((chunk[0] ?? 0) & 0x0f) === 8;
}

function decoderFor(name: string): Transform {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    case 'raw':
      return createInflateRaw();
    default:
      throw new Error(`the encoding "${name}" of the answer is unknown`);
  }
}
