import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { tryOr } from '../../platform/try-or.ts';

const LF = 0x0a;

/** First number of an index file, which changes with its layout. */
const LAYOUT = 0x57504932;
const HEAD = 2;

/** The pieces of a vocabulary, for binary search in the file's own bytes: a Map costs 10 ms and 8 MB at every start. */
export interface PieceIndex {
  /** Where each line starts; one entry more than there are lines, as if the last one ended in LF. */
  readonly starts: Int32Array;
  /** Piece ids, in the order of the pieces' bytes. */
  readonly sorted: Int32Array;
}

/** Indexes a vocabulary file: piece i on line i, UTF-8, with the prefix `##` for pieces inside a word. */
export function indexPieces(vocabulary: Buffer): PieceIndex {
  const starts = findLines(vocabulary);
  // In Latin-1, the order of texts is that of their bytes.
  const lines = vocabulary.toString('latin1').split('\n', starts.length - 1);
  const ids = new Map(lines.map((line, id) => [line, id]));
  const sorted = Int32Array.from(lines.toSorted(), (line) => ids.get(line) ?? 0);
  return { starts, sorted };
}

/** An index as a file: layout, bytes of the vocabulary, starts, sorted ids (int32, LE). */
export function packIndex(vocabulary: Buffer): Buffer {
  const { starts, sorted } = indexPieces(vocabulary);
  const numbers = [LAYOUT, vocabulary.length, ...starts, ...sorted];
  const file = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) file.writeInt32LE(number, at * 4);
  return file;
}

/** Reads an index file, which the build wrote. Undefined if there is none for this vocabulary. */
export function readIndex(path: string, vocabulary: Buffer): PieceIndex | undefined {
  const file = tryOr(() => readFileSync(path), undefined);
  if (!file || endianness() !== 'LE' || file.length % 4 !== 0 || file.byteOffset % 4 !== 0)
    return undefined;
  const numbers = new Int32Array(file.buffer, file.byteOffset, file.length / 4);
  const [layout, bytes] = numbers;
  const size = (numbers.length - HEAD - 1) / 2;
  if (layout !== LAYOUT || bytes !== vocabulary.length || !Number.isInteger(size)) return undefined;
  return {
    starts: numbers.subarray(HEAD, HEAD + size + 1),
    sorted: numbers.subarray(HEAD + size + 1),
  };
}

function findLines(text: Buffer): Int32Array {
  const starts = [0];
  for (let at = 0; at < text.length; at++) if (text[at] === LF) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length + 1);
  return Int32Array.from(starts);
}
