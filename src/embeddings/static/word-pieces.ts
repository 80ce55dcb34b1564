import { indexPieces, type PieceIndex } from './piece-index.ts';

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
