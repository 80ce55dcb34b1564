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

const MAX_WORD_CHARS = 100;
const MAX_WORDS_HELD = 4_096;
const INNER = Buffer.from('##');

export type WordPieces = ReturnType<typeof indexWordPieces>;

/**
 * Looks up the pieces of words in a vocabulary, greedily.
 *
 * @param index Of this vocabulary. Default: it is built.
 */
export function indexWordPieces(
  vocabulary: Buffer,
  { starts, sorted }: PieceIndex = indexPieces(vocabulary),
) {
  /** The id of the piece with these bytes; undefined if there is none. */
  function find(bytes: Buffer, end: number): number | undefined {
    for (let low = 0, high = sorted.length; low < high; ) {
      const middle = (low + high) >> 1;
      const id = sorted[middle] ?? 0;
      const order = vocabulary.compare(bytes, 0, end, starts[id], (starts[id + 1] ?? 0) - 1);
      if (order === 0) return id;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** The longest piece of a word at `from`: its id and its end, or undefined. */
  function longest(word: Buffer, from: number): { id: number; to: number } | undefined {
    const prefix = from > 0 ? INNER : Buffer.alloc(0);
    const bytes = Buffer.concat([prefix, word.subarray(from)]);
    for (let end = bytes.length; end > prefix.length; end--) {
      const id = find(bytes, end);
      if (id !== undefined) return { id, to: from + end - prefix.length };
    }
    return undefined;
  }

  function split(text: string): readonly number[] {
    if (text.length > MAX_WORD_CHARS && [...text].length > MAX_WORD_CHARS) return [];
    const word = Buffer.from(text);
    const ids: number[] = [];
    for (let from = 0; from < word.length; ) {
      const piece = longest(word, from);
      if (!piece) return [];
      ids.push(piece.id);
      from = piece.to;
    }
    return ids;
  }

  const known = new Map<string, readonly number[]>();
  return {
    size: sorted.length,
    /** Piece ids of one word; empty if it is over 100 characters or can't be matched completely. */
    idsOf(word: string): readonly number[] {
      const ids = known.get(word) ?? split(word);
      if (known.size >= MAX_WORDS_HELD) known.clear();
      known.set(word, ids);
      return ids;
    },
  };
}
