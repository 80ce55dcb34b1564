import {
  extendHash,
  indexPieces,
  initialHash,
  innerPrefix,
  type PieceIndex,
  slotOf,
} from './piece-index.ts';

const MAX_WORD_CHARS = 100;
const MAX_WORDS_HELD = 4_096;

/** Greedy lookup of a word's pieces. */
export interface WordPieces {
  readonly size: number;
  /** Piece ids of one word; empty if it is over 100 characters or can't be matched completely. */
  idsOf(word: string): readonly number[];
}

/**
 * Looks up words in a vocabulary. The hash of a prefix is computed byte by byte, so that one pass over a word gives the hashes of
 * all its prefixes.
 *
 * @param index Of this vocabulary. Default: it is built.
 */
export function indexWordPieces(
  vocabulary: Buffer,
  { starts, slots }: PieceIndex = indexPieces(vocabulary),
): WordPieces {
  const size = starts.length - 1;
  const mask = slots.length - 1;

  function isPiece(id: number, word: Buffer, from: number, to: number): boolean {
    const start = starts[id] ?? 0;
    const end = (starts[id + 1] ?? 0) - 1;
    const prefix = innerPrefix(vocabulary, start, end);
    if (prefix > 0 !== from > 0 || end - start - prefix !== to - from) return false;
    return word.compare(vocabulary, start + prefix, end, from, to) === 0;
  }

  function find(word: Buffer, from: number, to: number, hash: number): number {
    for (let slot = slotOf(hash, mask); ; slot = (slot + 1) & mask) {
      const id = slots[slot] ?? -1;
      if (id === -1 || isPiece(id, word, from, to)) return id;
    }
  }

  /** The longest piece of `word` at `from`: its id and its end, or undefined. */
  function longest(word: Buffer, from: number): { id: number; to: number } | undefined {
    const hashes = new Int32Array(word.length - from);
    let hash = initialHash(from > 0);
    for (let at = from; at < word.length; at++) {
      hash = extendHash(hash, word[at] ?? 0);
      hashes[at - from] = hash;
    }
    for (let to = word.length; to > from; to--) {
      const id = find(word, from, to, hashes[to - from - 1] ?? 0);
      if (id !== -1) return { id, to };
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
