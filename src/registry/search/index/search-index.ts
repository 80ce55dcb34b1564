import type { Db } from '../../../db/open-database.ts';
import { isEmptyWord, wordsOf } from '../../../db/sql/fts-query.ts';
import type { Embedder } from '../../../embeddings/embedder.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { groupByScript, type PartKind, type SearchDocument } from './search-document.ts';
import { type Embedded, type NearPart, openSearchStore, type SearchStore } from './search-store.ts';

/** About how many texts are embedded and written at a time, so that other work is not blocked for long. */
const TEXTS_A_STEP = 100;

/** Default number of hits of a search. */
const MAX_HITS = 20;

/**
 * The weights of words relative to cosines: of the share of the query's best score, which ranks, and of the share of all
 * of its words, which shows whether anything matches. Measured: docs/routing.md.
 */
const SHARE_WEIGHT = 0.1;
const COVERAGE_WEIGHT = 0.4;

/**
 * The best score by words counts in full only if it reaches this share of the possible score, so that common words alone
 * don't decide.
 */
const FULL_SHARE_COVERAGE = 0.1;

/** The lowest cosine at which a task is similar to a corrected one, and the weight of an identical one. */
const LIKE = 0.6;
const CORRECTION_WEIGHT = 0.3;

const MAX_WORDS = 64;
const MAX_WORDS_HELD = 4_096;

/** The weight of common words, which still help to recognise a way of asking. */
const EMPTY_WORD_WEIGHT = 0.5;

/** FTS5's `k1`: no document gets more for a word than `idf · (k1 + 1)`. */
const MAX_PER_IDF = 1.2 + 1;

/** How well one document matches a query. Scores of different embedders are not comparable. */
export interface Hit {
  /** The owner of the document. */
  readonly owner: string;
  /** `½ (best + mean) + 0.1 · bm25 + 0.4 · coverage + 0.3 · correction`, the terms below. */
  readonly score: number;
  /** Cosine of the best part, and of the normalised mean of all parts (of those in the query's script, if there are several). */
  readonly best: number;
  readonly mean: number;
  /** 0 to 1: share of the best BM25 that this query reached among these documents, or of a tenth of what it could have. */
  readonly bm25: number;
  /** 0 to 1: share of the BM25 that a document with all words of the query could have. */
  readonly coverage: number;
  /** −1 to 1: similarity to a task that a correction gave to it (or, below zero, took from it). */
  readonly correction: number;
  /** Label of the best part. */
  readonly part: string;
}

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

export type SearchIndex = ReturnType<typeof openSearchIndex>;

/**
 * Opens the index of one embedder. Each search reads the current rows of the database.
 *
 * @throws AppError `EMBEDDER_UNAVAILABLE` if sqlite-vec can't be loaded.
 */
export function openSearchIndex(db: Db, embedder: Embedder) {
  const store = openSearchStore(db, embedder);
  let ids: ReadonlyMap<string, number> = new Map();
  let words: ReturnType<typeof createWordScores> | undefined;
  let heldState = '';

  return {
    /**
     * Indexes these documents, and searches only them from now on. Texts that this embedder has embedded before, in any
     * document, are not embedded again.
     */
    async hold(
      documents: readonly SearchDocument[],
      onProgress?: (progress: IndexProgress) => void,
    ): Promise<void> {
      const found = store.find(documents);
      const missing = documents.filter(({ owner }) => !found.has(owner));
      for (let done = 0; done < missing.length; ) {
        onProgress?.({ done, total: missing.length });
        const step = stepFrom(missing, done);
        // Another process may replace them at any time. The current ones are searched.
        for (const [owner, id] of store.add(await embed(embedder, store, step)))
          found.set(owner, id);
        done += step.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (missing.length > 0) {
        onProgress?.({ done: missing.length, total: missing.length });
        store.dropUnused();
      }
      const state = documents.map(({ owner, hash }) => `${owner} ${hash}`).join('\n');
      if (state !== heldState) words = undefined;
      [ids, heldState] = [found, state];
    },
    /** The best of these documents, best first. All of them must be held. */
    async search(text: string, owners: readonly string[], most = MAX_HITS): Promise<Hit[]> {
      const [vector = new Float32Array()] = await embedder.embed([text]);
      words ??= createWordScores(store, new Set(ids.values()));
      const searched = owners.flatMap((owner) => {
        const id = ids.get(owner);
        return id === undefined ? [] : [{ owner, id }];
      });
      const searchedIds = searched.map(({ id }) => id);
      return rank(searched, store.near(searchedIds, vector), words(text)).slice(0, most);
    },
  };
}

function rank(
  searched: readonly { readonly owner: string; readonly id: number }[],
  near: readonly NearPart[],
  { bm25, ceiling }: ReturnType<ReturnType<typeof createWordScores>>,
): Hit[] {
  const partsOf = new Map<number, NearPart[]>(searched.map(({ id }) => [id, []]));
  for (const part of near) partsOf.get(part.documentId)?.push(part);
  const best = Math.max(0, ...searched.map(({ id }) => bm25.get(id) ?? 0));
  const top = Math.max(FULL_SHARE_COVERAGE * ceiling, best, Number.MIN_VALUE);
  const hits = searched.map(({ owner, id }): Hit => {
    const words = bm25.get(id) ?? 0;
    const terms = {
      ...termsOf(partsOf.get(id) ?? []),
      bm25: words / top,
      coverage: words / Math.max(ceiling, Number.MIN_VALUE),
    };
    return { owner, score: scoreOf(terms), ...terms };
  });
  return hits.sort((a, b) => b.score - a.score);
}

const scoreOf = ({ best, mean, bm25, coverage, correction }: Omit<Hit, 'owner' | 'score'>) =>
  (best + mean) / 2 +
  SHARE_WEIGHT * bm25 +
  COVERAGE_WEIGHT * coverage +
  CORRECTION_WEIGHT * correction;

/** All zero if the document or the query has no known word. */
function termsOf(parts: readonly NearPart[]): Pick<Hit, 'best' | 'mean' | 'correction' | 'part'> {
  const nearest = (...kinds: readonly NearPart['kind'][]) =>
    parts
      .filter(({ kind }) => kinds.includes(kind))
      .reduce<NearPart | undefined>((a, b) => (a && a.cosine >= b.cosine ? a : b), undefined);
  const best = nearest('part', 'corrected');
  const likenessTo = (kind: PartKind) => likeness(nearest(kind)?.cosine ?? 0);
  return {
    best: best?.cosine ?? 0,
    mean: nearest('mean')?.cosine ?? 0,
    correction: likenessTo('corrected') - likenessTo('against'),
    part: best?.label ?? '',
  };
}

/** Rises slowly, so that only an almost identical task counts in full. */
const likeness = (cosine: number): number => Math.max(0, (cosine - LIKE) / (1 - LIKE)) ** 2;

function stepFrom(documents: readonly SearchDocument[], start: number): readonly SearchDocument[] {
  let [end, texts] = [start, 0];
  while (end < documents.length && texts < TEXTS_A_STEP) {
    texts += documents[end]?.parts.length ?? 0;
    end += 1;
  }
  return documents.slice(start, end);
}

async function embed(
  embedder: Embedder,
  store: SearchStore,
  documents: readonly SearchDocument[],
): Promise<Embedded[]> {
  const texts = new Map(
    documents.flatMap(({ parts }) => parts.map(({ text }) => [sha256(text), text] as const)),
  );
  const vectors = store.vectorsOf([...texts.keys()]);
  const fresh = [...texts].filter(([hash]) => !vectors.has(hash));
  const made = await embedder.embed(fresh.map(([, text]) => text));
  for (const [i, [hash]] of fresh.entries())
    vectors.set(hash, made[i]?.some((value) => value !== 0) ? made[i] : undefined);
  return documents.map((document) => {
    const means = groupByScript(document.parts).map((group) => {
      const own = group.flatMap(({ text }) => vectors.get(sha256(text)) ?? []);
      return own.length === 0 ? undefined : meanOf(own);
    });
    return { document, vectors, means };
  });
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (vector[i] ?? 0);
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
}

interface WordHits {
  readonly bm25: readonly (readonly [documentId: number, bm25: number])[];
  /** As in FTS5. */
  readonly idf: number;
}

/**
 * Scores texts word by word: FTS5's BM25 is a sum over words, so the scores of each word are kept while the documents stay
 * the same. `bm25`: of these documents, by their ids. `ceiling`: of a document with all of the words.
 */
function createWordScores(store: SearchStore, documentIds: ReadonlySet<number>) {
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

  return (text: string) => {
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
