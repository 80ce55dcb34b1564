import { isAscii, isUtf8 } from 'node:buffer';
import { fstatSync, readSync } from 'node:fs';
import { FileProblem } from '../files/file-problem.ts';

export type Encoding = 'utf-8' | 'utf-8 with BOM' | 'utf-16le' | 'utf-16be' | 'latin-1';

/** One open file of a request. */
export interface SourceFile {
  readonly fd: number;
  /** As people see it, relative to the workspace. */
  readonly shown: string;
}

/** The bytes are not UTF-8 from some place on: the file is to be read again as Latin-1. */
export class NotUtf8 extends Error {}

const CHUNK_BYTES = 1024 * 1024;
const LOOK_BYTES = 4_096;

const marks: readonly (readonly [Buffer, Encoding])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8 with BOM'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/** The encoding by the byte order mark, else by where the NUL bytes of a UTF-16 text are, else UTF-8. */
export function findEncoding({ fd, shown }: SourceFile): Encoding {
  const start = Buffer.alloc(LOOK_BYTES);
  const head = start.subarray(0, readSync(fd, start, 0, LOOK_BYTES, 0));
  const mark = marks.find(([bytes]) => head.subarray(0, bytes.length).equals(bytes));
  if (mark) return mark[1];
  const { even, odd } = countNuls(head);
  if (even + odd === 0) return 'utf-8';
  if (even === 0 && odd * 4 > head.length) return 'utf-16le';
  if (odd === 0 && even * 4 > head.length) return 'utf-16be';
  throw new FileProblem(shown, 'it holds NUL bytes, so it is not text');
}

function countNuls(bytes: Buffer): { readonly even: number; readonly odd: number } {
  let even = 0;
  let odd = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  return { even, odd };
}

/**
 * The text of a file in pieces of about 1 MiB.
 *
 * @throws NotUtf8, FileProblem where NUL bytes show that it is not text.
 */
export function* textChunks(file: SourceFile, encoding: Encoding): Generator<string> {
  const decode = decoders[encoding](file);
  const skipped = encoding === 'utf-8 with BOM' ? 3 : 0;
  const size = fstatSync(file.fd).size;
  let rest = Buffer.alloc(0);
  for (let at = skipped; at < size; ) {
    const buffer = Buffer.allocUnsafe(rest.length + CHUNK_BYTES);
    rest.copy(buffer);
    const read = readSync(file.fd, buffer, rest.length, CHUNK_BYTES, at);
    if (read === 0) break;
    at += read;
    const bytes = buffer.subarray(0, rest.length + read);
    const isLast = at >= size;
    const { text, used } = decode(bytes, isLast);
    rest = Buffer.from(bytes.subarray(used));
    if (text !== '') yield text;
  }
}

interface Decoded {
  readonly text: string;
  /** Bytes of whole characters; the others are given again with what follows. */
  readonly used: number;
}

type Decode = (bytes: Buffer, isLast: boolean) => Decoded;

const utf8 =
  ({ shown }: SourceFile): Decode =>
  (bytes, isLast) => {
    if (bytes.includes(0)) throw new FileProblem(shown, 'it holds NUL bytes, so it is not text');
    if (isAscii(bytes)) return { text: bytes.toString('latin1'), used: bytes.length };
    const used = isLast ? bytes.length : wholeCharacters(bytes);
    const whole = bytes.subarray(0, used);
    if (!isUtf8(whole)) throw new NotUtf8();
    return { text: whole.toString('utf8'), used };
  };

/** Where the last character of UTF-8 that may be cut begins. */
function wholeCharacters(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at -= 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return at;
  }
  return bytes.length;
}

const utf16 =
  (label: string) =>
  ({ shown }: SourceFile): Decode => {
    const decoder = new TextDecoder(label, { fatal: true });
    return (bytes, isLast) => {
      try {
        return { text: decoder.decode(bytes, { stream: !isLast }), used: bytes.length };
      } catch {
        throw new FileProblem(shown, `it is not valid ${label.toUpperCase()}`);
      }
    };
  };

const latin1 = ({ shown }: SourceFile): Decode => {
  const decoder = new TextDecoder('latin1');
  return (bytes) => {
    if (bytes.includes(0)) throw new FileProblem(shown, 'it holds NUL bytes, so it is not text');
    return { text: decoder.decode(bytes), used: bytes.length };
  };
};

const decoders: Readonly<Record<Encoding, (file: SourceFile) => Decode>> = {
  'utf-8': utf8,
  'utf-8 with BOM': utf8,
  'utf-16le': utf16('utf-16le'),
  'utf-16be': utf16('utf-16be'),
  'latin-1': latin1,
};
