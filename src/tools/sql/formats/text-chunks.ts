import { isAscii } from 'node:buffer';
import { fstatSync, readSync } from 'node:fs';
import { tryOr } from '../../../platform/try-or.ts';

export type Encoding = 'utf-8' | 'utf-8 with BOM' | 'utf-16le' | 'utf-16be' | 'latin-1';

/** One open file of a request. */
export interface SourceFile {
  readonly fd: number;
  /** As people see it, relative to the workspace. */
  readonly shown: string;
}

/** A file that can't be read in its format. The message names the file and, if known, the line. */
export class FileProblem extends Error {
  constructor(file: string, problem: string, line?: number) {
    super(line === undefined ? `"${file}": ${problem}` : `"${file}", line ${line}: ${problem}`);
  }
}

const CHUNK_BYTES = 1024 * 1024;
const LOOK_BYTES = 4_096;

const marks: readonly (readonly [Buffer, Encoding])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8 with BOM'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/** The encoding by the byte order mark or by the positions of NUL bytes in a UTF-16 text; else UTF-8, or Latin-1 if it is not. */
export function findEncoding(file: SourceFile): Encoding {
  const encoding = markedEncoding(file);
  return encoding.startsWith('utf-8') && !isWholeUtf8(file) ? 'latin-1' : encoding;
}

function isWholeUtf8(file: SourceFile): boolean {
  const readAll = () => {
    for (const _ of textChunks(file, 'utf-8'));
    return true;
  };
  return tryOr(readAll, false);
}

function markedEncoding({ fd, shown }: SourceFile): Encoding {
  const start = Buffer.alloc(LOOK_BYTES);
  const head = start.subarray(0, readSync(fd, start, 0, LOOK_BYTES, 0));
  const mark = marks.find(([bytes]) => head.subarray(0, bytes.length).equals(bytes));
  if (mark) return mark[1];
  const nulsAt = (parity: number) =>
    head.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const [even, odd] = [nulsAt(0), nulsAt(1)];
  if (even + odd === 0) return 'utf-8';
  if (even === 0 && odd * 4 > head.length) return 'utf-16le';
  if (odd === 0 && even * 4 > head.length) return 'utf-16be';
  throw new FileProblem(shown, NUL_BYTES);
}

const NUL_BYTES = 'it has NUL bytes, so it is not text';

/**
 * The text of a file in pieces of about 1 MiB.
 *
 * @param size Bytes to read. Default: all.
 * @throws FileProblem if it is not text.
 */
export function* textChunks(
  file: SourceFile,
  encoding: Encoding,
  size = fstatSync(file.fd).size,
): Generator<string> {
  const decode = decoderOf(file, encoding);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; at < size; ) {
    const read = readSync(file.fd, buffer, 0, CHUNK_BYTES, at);
    if (read === 0) break;
    at += read;
    const text = decode(buffer.subarray(0, read), at < size);
    if (text !== '') yield text;
  }
}

function decoderOf({ shown }: SourceFile, encoding: Encoding) {
  const isUtf16 = encoding.startsWith('utf-16');
  const decoder = new TextDecoder(encoding.replace(/ with BOM$|-(?=1$)/, ''), {
    fatal: encoding !== 'latin-1',
  });
  // Until there is another character, no decoder is needed.
  let isPlain = !isUtf16;
  return (bytes: Buffer, stream: boolean): string => {
    if (!isUtf16 && bytes.includes(0)) throw new FileProblem(shown, NUL_BYTES);
    isPlain &&= isAscii(bytes);
    if (isPlain) return bytes.toString('latin1');
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw new FileProblem(shown, `it is not valid ${encoding.toUpperCase()}`);
    }
  };
}
