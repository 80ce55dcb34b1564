import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { tryOr } from '../../platform/try-or.ts';

export const ACCEPTED_ENCODINGS = 'gzip, br';

/** Servers may encode twice; more is an attack. */
const MAX_ENCODINGS = 2;

export interface Body {
  readonly content: Buffer;
  /** Decoded bytes read; all of them if `isWhole`. */
  readonly bytes: number;
  /** False if reading stopped at `countBytes`. */
  readonly isWhole: boolean;
}

/**
 * Reads and decodes a body in bounded memory.
 *
 * @param limits In decoded bytes. `keepBytes` are kept, `countBytes` are read: a small answer may unpack to any size.
 * @throws Error if the encoding is unknown or the content is not encoded that way.
 */
export async function readBody(
  stream: Readable,
  encoding: string | undefined,
  limits: { readonly keepBytes: number; readonly countBytes: number },
): Promise<Body> {
  const decoded = decodersOf(encoding).reduce<Readable>((from, to) => {
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

/** In the order in which they are applied. */
function decodersOf(encoding = ''): Transform[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_ENCODINGS) throw new Error(`the answer is encoded ${names.length} times`);
  return names.reverse().map((name) => {
    if (name === 'gzip' || name === 'x-gzip') return createGunzip();
    if (name === 'br') return createBrotliDecompress();
    throw new Error(`the encoding "${name}" of the answer is unknown`);
  });
}

/** A declaration is looked for in the first bytes. */
const LOOK_BYTES = 4_096;

/** Decodes a body by its byte order mark, the charset of the header, a declaration at its start, or as UTF-8. */
export function decodeText(content: Buffer, contentType = ''): string {
  const label =
    markOf(content) ??
    charsetIn(contentType) ??
    charsetIn(content.toString('latin1', 0, LOOK_BYTES));
  return tryOr(() => new TextDecoder(label), new TextDecoder()).decode(content);
}

function markOf(content: Buffer): string | undefined {
  if (content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf) return 'utf-8';
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** `charset=…` of a header or a `<meta>`, `encoding="…"` of an XML declaration. */
const charsetIn = (text: string): string | undefined =>
  /(?:charset|<\?xml[^>]{0,200}encoding)\s{0,5}=\s{0,5}["']?\s{0,5}([\w.:-]{1,40})/i.exec(
    text,
  )?.[1];
