const LF = 0x0a;
const NUMBER_SIGN = 0x23;
const PRIME = 16_777_619;
const START = 0x811c9dc5 | 0;
/** Keeps `##ing` and `ing` apart. */
const START_INNER = Math.imul(START ^ NUMBER_SIGN, PRIME);
const LONGEST_WORD = 100;
const MAX_WORDS_HELD = 4_096;

/** Greedy look-up of a word's pieces. */
export interface WordPieces {
  readonly size: number;
  /** Piece ids of one word; none where it is over 100 characters or can't be matched to its end. */
  idsOf(word: string): readonly number[];
}

/**
 * Indexes a vocabulary file: piece i on line i, UTF-8, `##` before what goes on inside a word.
 *
 * An open hash over the file's own bytes, since 30,000 strings in a Map cost 10 ms and 8 MB at every start. The hash
 * of a prefix grows byte by byte, so that one pass over a word gives the hashes of all its prefixes.
 */
export function indexWordPieces(vocabulary: Buffer): WordPieces {
  const starts = findLines(vocabulary);
  const size = starts.length - 1;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(size, 1) * 2)) - 1;
  const slots = fillSlots(vocabulary, starts, mask);

  function isPiece(id: number, word: Buffer, from: number, to: number): boolean {
    const start = starts[id] ?? 0;
    const end = (starts[id + 1] ?? 0) - 1;
    const prefix = innerPrefix(vocabulary, start, end);
    if (prefix > 0 !== from > 0 || end - start - prefix !== to - from) return false;
    return word.compare(vocabulary, start + prefix, end, from, to) === 0;
  }

  function find(word: Buffer, from: number, to: number, hash: number): number {
    for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot] ?? -1;
      if (id === -1 || isPiece(id, word, from, to)) return id;
    }
  }

  /** The longest piece that `word` goes on with at `from`: its id and where it ends, or undefined. */
  function longest(word: Buffer, from: number): { id: number; to: number } | undefined {
    const hashes = new Int32Array(word.length - from);
    let hash = from > 0 ? START_INNER : START;
    for (let at = from; at < word.length; at++) {
      hash = Math.imul(hash ^ (word[at] ?? 0), PRIME);
      hashes[at - from] = hash;
    }
    for (let to = word.length; to > from; to--) {
      const id = find(word, from, to, hashes[to - from - 1] ?? 0);
      if (id !== -1) return { id, to };
    }
    return undefined;
  }

  function split(text: string): readonly number[] {
    if (text.length > LONGEST_WORD && [...text].length > LONGEST_WORD) return [];
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
    size,
    idsOf(word) {
      const before = known.get(word);
      if (before) return before;
      const ids = split(word);
      if (known.size >= MAX_WORDS_HELD) known.clear();
      known.set(word, ids);
      return ids;
    },
  };
}

/** Where each line starts; one entry more than there are lines, as if the last one ended in LF. */
function findLines(text: Buffer): Int32Array {
  const starts = [0];
  for (let at = 0; at < text.length; at++) if (text[at] === LF) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length + 1);
  return Int32Array.from(starts);
}

/** Piece ids by the hash (FNV-1a, 32 bit) of their bytes; −1 where a slot is free. */
function fillSlots(vocabulary: Buffer, starts: Int32Array, mask: number): Int32Array {
  const slots = new Int32Array(mask + 1).fill(-1);
  for (let id = 0; id < starts.length - 1; id++) {
    const start = starts[id] ?? 0;
    const end = (starts[id + 1] ?? 0) - 1;
    const prefix = innerPrefix(vocabulary, start, end);
    let hash = prefix > 0 ? START_INNER : START;
    for (let at = start + prefix; at < end; at++)
      hash = Math.imul(hash ^ (vocabulary[at] ?? 0), PRIME);
    let slot = spread(hash) & mask;
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = id;
  }
  return slots;
}

/** 2 where the piece goes on inside a word (`##ing`), else 0. */
const innerPrefix = (vocabulary: Buffer, start: number, end: number): 0 | 2 =>
  end - start > 2 && vocabulary[start] === NUMBER_SIGN && vocabulary[start + 1] === NUMBER_SIGN
    ? 2
    : 0;

const spread = (hash: number): number => hash ^ (hash >>> 15);
