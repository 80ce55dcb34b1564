import { isEmptyWord, wordsOf } from '../../db/sql/fts-query.ts';
import type { SearchStore } from './index/search-store.ts';

const MAX_WORDS = 64;
const MAX_WORDS_HELD = 4_096;

/** The weight of common words, which still help to recognise a way of asking. */
const EMPTY_WORD_WEIGHT = 0.5;

/** FTS5's `k1`: no document gets more for a word than `idf · (k1 + 1)`. */
const MAX_PER_IDF = 1.2 + 1;

/** BM25 of documents for one text, by their ids, and the most that a document with all of its words could have. */
export interface WordScores {
  readonly bm25: ReadonlyMap<number, number>;
  readonly ceiling: number;
}

interface WordHits {
  readonly bm25: readonly (readonly [documentId: number, bm25: number])[];
  /** As in FTS5. */
  readonly idf: number;
}

/**
 * Scores texts word by word: FTS5's BM25 is a sum over words, so the scores of each word are kept while the documents stay
 * the same.
 *
 * @param documentIds The documents to score.
 */
export function createWordScores(store: SearchStore, documentIds: ReadonlySet<number>) {
  const held = new Map<string, WordHits>();
  let documents: number | undefined;

  const hitsOf = (word: string): WordHits => {
    const known = held.get(word);
    if (known) return known;
    const rows = store.withWord(word);
    documents ??= store.countDocuments();
    const idf = Math.log((documents - rows.length + 0.5) / (rows.length + 0.5));
    const bm25 = rows.filter(([id]) => documentIds.has(id));
    const hits = { bm25, idf: Math.max(idf, 1e-6) };
    if (held.size >= MAX_WORDS_HELD) held.clear();
    held.set(word, hits);
    return hits;
  };

  return (text: string): WordScores => {
    const bm25 = new Map<number, number>();
    let ceiling = 0;
    for (const word of wordsOf(text).slice(0, MAX_WORDS)) {
      const weight = isEmptyWord(word) ? EMPTY_WORD_WEIGHT : 1;
      const hits = hitsOf(word);
      ceiling += weight * hits.idf * MAX_PER_IDF;
      for (const [id, value] of hits.bm25)
        bm25.set(id, (bm25.get(id) ?? 0) + weight * Math.max(0, value));
    }
    return { bm25, ceiling };
  };
}
