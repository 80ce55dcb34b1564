import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';

const LF = 0x0a;
const NUMBER_SIGN = 0x23;
const PRIME = 16_777_619;
const START = 0x811c9dc5 | 0;
/** Keeps `##ing` and `ing` apart. */
const START_INNER = Math.imul(START ^ NUMBER_SIGN, PRIME);

/** First number of an index file, which changes with its layout. */
const LAYOUT = 0x57504931;
const HEAD = 4;

/**
 * The positions of a vocabulary's pieces: an open-addressing hash table over the file's own bytes, since 30,000 strings in a Map cost 10 ms
 * and 8 MB at every start.
 */
export interface PieceIndex {
  /** Where each line starts; one entry more than there are lines, as if the last one ended in LF. */
  readonly starts: Int32Array;
  /** Piece ids by the hash of their bytes; −1 for a free slot. The length is a power of two. */
  readonly slots: Int32Array;
}

/** Indexes a vocabulary file: piece i on line i, UTF-8, with the prefix `##` for pieces inside a word. */
export function indexPieces(vocabulary: Buffer): PieceIndex {
  const starts = findLines(vocabulary);
  return { starts, slots: fillSlots(vocabulary, starts) };
}

/** An index as a file: layout, bytes of the vocabulary, number of starts, number of slots, starts, slots (int32, LE). */
export function packIndex(vocabulary: Buffer): Buffer {
  const { starts, slots } = indexPieces(vocabulary);
  const numbers = [LAYOUT, vocabulary.length, starts.length, slots.length, ...starts, ...slots];
  const file = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) file.writeInt32LE(number, at * 4);
  return file;
}

/** Reads an index file, which the build wrote. Undefined if there is none for this vocabulary. */
export function readIndex(path: string, vocabulary: Buffer): PieceIndex | undefined {
  if (endianness() !== 'LE') return undefined;
  let file: Buffer;
  try {
    file = readFileSync(path);
  } catch {
    return undefined;
  }
  if (file.length % 4 !== 0 || file.byteOffset % 4 !== 0) return undefined;
  const numbers = new Int32Array(file.buffer, file.byteOffset, file.length / 4);
  const [layout, bytes, starts = 0, slots = 0] = numbers;
  const isOurs = layout === LAYOUT && bytes === vocabulary.length;
  if (!isOurs || numbers.length !== HEAD + starts + slots) return undefined;
  return {
    starts: numbers.subarray(HEAD, HEAD + starts),
    slots: numbers.subarray(HEAD + starts),
  };
}

/** The initial hash (FNV-1a, 32 bit), for the start of a word or its inside. */
export const initialHash = (isInner: boolean): number => (isInner ? START_INNER : START);

/** The hash after one more byte. */
export const extendHash = (hash: number, byte: number): number => Math.imul(hash ^ byte, PRIME);

/** The first slot of a hash. */
export const slotOf = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask;

/** 2 if the piece is inside a word (`##ing`), else 0. */
export const innerPrefix = (vocabulary: Buffer, start: number, end: number): 0 | 2 =>
  end - start > 2 && vocabulary[start] === NUMBER_SIGN && vocabulary[start + 1] === NUMBER_SIGN
    ? 2
    : 0;

function findLines(text: Buffer): Int32Array {
  const starts = [0];
  for (let at = 0; at < text.length; at++) if (text[at] === LF) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length + 1);
  return Int32Array.from(starts);
}

function fillSlots(vocabulary: Buffer, starts: Int32Array): Int32Array {
  const size = starts.length - 1;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(size, 1) * 2)) - 1;
  const slots = new Int32Array(mask + 1).fill(-1);
  for (let id = 0; id < size; id++) {
    const start = starts[id] ?? 0;
    const end = (starts[id + 1] ?? 0) - 1;
    const prefix = innerPrefix(vocabulary, start, end);
    let hash = initialHash(prefix > 0);
    for (let at = start + prefix; at < end; at++) hash = extendHash(hash, vocabulary[at] ?? 0);
    let slot = slotOf(hash, mask);
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = id;
  }
  return slots;
}
