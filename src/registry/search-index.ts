import { load } from 'sqlite-vec';
import { toFtsQuery } from '../db/fts-query.ts';
import type { Db } from '../db/open-database.ts';
import type { Embedder } from '../embeddings/embedder.ts';
import { AppError, messageOf } from '../errors.ts';
import type { SearchDocument } from './search-document.ts';

/**
 * Neighbours that are asked for, of the parts and of the means: each costs some microseconds. What is farther counts as
 * far as the last of them.
 */
const NEIGHBOURS = 40;

/** Label of the row that is the mean of a document's parts. */
const MEAN = '';

/** Documents kept that no registry has used lately: other projects' capsules, earlier texts of these. */
const MAX_DOCUMENTS = 20_000;

/** How well one document meets a query. Scores of different embedders are not comparable. */
export interface Hit {
  readonly hash: string;
  /** `½ (best part + mean) + 0.15 · bm25 / best bm25`, the terms below. */
  readonly score: number;
  /** Cosine of the best part, and of the normalised mean of all parts. */
  readonly best: number;
  readonly mean: number;
  /** 0 to 1: share of the best BM25 that this query reached among these documents. */
  readonly bm25: number;
  /** Label of the best part. */
  readonly part: string;
}

export interface SearchIndex {
  /** Makes sure that these documents are indexed. Embeds only what this embedder has not embedded before. */
  add(documents: readonly SearchDocument[]): Promise<void>;
  /** These documents by their score, best first. All must have been added. */
  search(text: string, hashes: readonly string[]): Promise<Hit[]>;
}

/**
 * Opens the index of one embedder in the database: full text in FTS5 (Porter's stems), one vector a part and one for
 * their mean in sqlite-vec, in a table of the embedder's own, so that vectors of different embedders never mix.
 *
 * @throws AppError `EMBEDDER_UNAVAILABLE` where sqlite-vec can't be loaded.
 */
export function openSearchIndex(db: Db, embedder: Embedder): SearchIndex {
  loadVectors(db);
  const vectors = vectorTable(embedder);
  db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${vectors} USING vec0(
    embedding float[${embedder.dimensions}] distance_metric=cosine, document_id INTEGER, is_mean BOOLEAN, +part TEXT)`);
  const statements = prepare(db, vectors);
  const ids = new Map<string, number>();

  /** Looks the documents up; those that lack a row or vectors of this embedder are returned. */
  const findMissing = (documents: readonly SearchDocument[]): SearchDocument[] => {
    const hashes = JSON.stringify(documents.map(({ hash }) => hash));
    const known = statements.known.all(vectors, hashes);
    for (const { hash, id } of known) ids.set(hash, id);
    if (known.some(({ used_on }) => used_on !== today())) statements.use.run(today(), hashes);
    return documents.filter(({ hash }) => !ids.has(hash));
  };

  const insertOne = ({ document, rows }: Embedded) => {
    const text = document.parts.map((part) => part.text).join('\n');
    const isNew = statements.insert.run(document.hash, today()).changes > 0;
    const id = Number(statements.idOf.get(document.hash));
    if (isNew) statements.insertText.run(id, text);
    for (const { label, vector } of rows) {
      statements.insertVector.run(toBlob(vector), BigInt(id), label === MEAN ? 1n : 0n, label);
    }
    statements.mark.run(id, vectors);
    ids.set(document.hash, id);
  };
  /** Another process may have added some of them meanwhile. */
  const insert = db.transaction((embedded: readonly Embedded[]) => {
    const missing = new Set(findMissing(embedded.map(({ document }) => document)));
    for (const one of embedded) if (missing.has(one.document)) insertOne(one);
    dropUnused(db);
  });

  return {
    async add(documents) {
      const missing = findMissing(documents);
      if (missing.length === 0) return;
      const embedded: Embedded[] = [];
      for (const document of missing) embedded.push(await embed(embedder, document));
      insert.immediate(embedded);
    },
    async search(text, hashes) {
      const wanted = new Map(hashes.map((hash) => [ids.get(hash) ?? -1, hash]));
      const list = JSON.stringify([...wanted.keys()]);
      const [vector = new Float32Array(embedder.dimensions)] = await embedder.embed([text]);
      const blob = vector.some((value) => value !== 0) ? toBlob(vector) : undefined;
      const nearest = (isMean: bigint): Neighbour[] =>
        blob ? statements.neighbours.all(blob, NEIGHBOURS, isMean, list) : [];
      const texts = matchTexts(statements, text).filter(({ id }) => wanted.has(id));
      return fuse(wanted, { parts: nearest(0n), means: nearest(1n), texts });
    },
  };
}

function matchTexts(statements: ReturnType<typeof prepare>, text: string): TextMatch[] {
  const query = toFtsQuery(text);
  return query === '' ? [] : statements.texts.all(query);
}

interface Neighbour {
  readonly id: number;
  readonly part: string;
  readonly distance: number;
}

interface TextMatch {
  readonly id: number;
  readonly bm25: number;
}

interface Matches {
  /** Nearest first. */
  readonly parts: readonly Neighbour[];
  readonly means: readonly Neighbour[];
  readonly texts: readonly TextMatch[];
}

function fuse(wanted: ReadonlyMap<number, string>, { parts, means, texts }: Matches): Hit[] {
  const bests = new Map<number, Neighbour>();
  for (const neighbour of parts) if (!bests.has(neighbour.id)) bests.set(neighbour.id, neighbour);
  const meanCosines = new Map(means.map(({ id, distance }) => [id, 1 - distance]));
  const bm25s = new Map(texts.map(({ id, bm25 }) => [id, bm25]));
  const top = Math.max(...bm25s.values(), Number.MIN_VALUE);
  const hits = [...wanted].map(([id, hash]): Hit => {
    const nearest = bests.get(id);
    const best = nearest ? 1 - nearest.distance : farthest(parts);
    const mean = meanCosines.get(id) ?? farthest(means);
    const bm25 = Math.max(0, bm25s.get(id) ?? 0) / top;
    const score = (best + mean) / 2 + 0.15 * bm25;
    return { hash, score, best, mean, bm25, part: nearest?.part ?? '' };
  });
  return hits.sort((a, b) => b.score - a.score);
}

/** The most that the cosine of what is not among the neighbours can be. */
const farthest = (neighbours: readonly Neighbour[]): number =>
  neighbours.length < NEIGHBOURS ? 0 : 1 - (neighbours.at(-1)?.distance ?? 1);

interface Embedded {
  readonly document: SearchDocument;
  readonly rows: readonly { readonly label: string; readonly vector: Float32Array }[];
}

async function embed(embedder: Embedder, document: SearchDocument): Promise<Embedded> {
  const vectors = await embedder.embed(document.parts.map(({ text }) => text));
  const rows = document.parts.map(({ label }, i) => ({ label, vector: vectors[i] }));
  const known = rows.flatMap(({ label, vector }) =>
    vector?.some((value) => value !== 0) ? [{ label, vector }] : [],
  );
  if (known.length === 0) return { document, rows: [] };
  const mean = meanOf(known.map(({ vector }) => vector));
  return { document, rows: [...known, { label: MEAN, vector: mean }] };
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (const [i, value] of vector.entries()) mean[i] = (mean[i] ?? 0) + value;
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
}

/** A name made of the embedder's, which is text from outside: letters and digits alone reach the SQL. */
function vectorTable({ name, version, dimensions }: Embedder): string {
  const safe = `${name}_${version}_${dimensions}`.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return `search_vectors_${safe.slice(0, 100)}`;
}

/** Days are enough to tell what is in use: at most one write a day. */
const today = (): string => new Date().toISOString().slice(0, 10);

const toBlob = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

function prepare(db: Db, vectors: string) {
  return {
    known: db.prepare<[string, string], { hash: string; id: number; used_on: string }>(`
      SELECT hash, id, used_on FROM search_documents
      WHERE id IN (SELECT document_id FROM search_embeddings WHERE vectors = ?)
        AND hash IN (SELECT value FROM json_each(?))`),
    use: db.prepare<[string, string]>(
      'UPDATE search_documents SET used_on = ? WHERE hash IN (SELECT value FROM json_each(?))',
    ),
    insert: db.prepare<[string, string]>(
      'INSERT OR IGNORE INTO search_documents (hash, used_on) VALUES (?, ?)',
    ),
    idOf: db.prepare<[string], number>('SELECT id FROM search_documents WHERE hash = ?').pluck(),
    insertText: db.prepare<[number, string]>(
      'INSERT INTO search_texts (rowid, text) VALUES (?, ?)',
    ),
    insertVector: db.prepare<[Buffer, bigint, bigint, string]>(
      `INSERT INTO ${vectors} (embedding, document_id, is_mean, part) VALUES (?, ?, ?, ?)`,
    ),
    mark: db.prepare<[number, string]>(
      'INSERT OR IGNORE INTO search_embeddings (document_id, vectors) VALUES (?, ?)',
    ),
    neighbours: db.prepare<[Buffer, number, bigint, string], Neighbour>(`
      SELECT document_id AS id, part, distance FROM ${vectors}
      WHERE embedding MATCH ? AND k = ? AND is_mean = ?
        AND document_id IN (SELECT value FROM json_each(?))
      ORDER BY distance`),
    texts: db.prepare<[string], TextMatch>(
      'SELECT rowid AS id, -bm25(search_texts) AS bm25 FROM search_texts WHERE search_texts MATCH ?',
    ),
  };
}

/** Deletes what was unused for longest where there are too many documents; vectors of every embedder go with them. */
function dropUnused(db: Db): void {
  const old = db
    .prepare<[number], { id: number; tables: string | null }>(
      `SELECT id, (SELECT json_group_array(vectors) FROM search_embeddings WHERE document_id = id) AS tables
       FROM search_documents ORDER BY used_on DESC, id DESC LIMIT -1 OFFSET ?`,
    )
    .all(MAX_DOCUMENTS);
  for (const { id, tables } of old) {
    for (const table of JSON.parse(tables ?? '[]') as string[]) {
      if (/^search_vectors_\w+$/.test(table)) {
        db.prepare(`DELETE FROM ${table} WHERE document_id = ?`).run(BigInt(id));
      }
    }
    db.prepare('DELETE FROM search_texts WHERE rowid = ?').run(id);
    db.prepare('DELETE FROM search_documents WHERE id = ?').run(id);
  }
}

function loadVectors(db: Db): void {
  try {
    load(db);
  } catch (error) {
    throw new AppError(
      'EMBEDDER_UNAVAILABLE',
      {
        embedder: 'sqlite-vec',
        problem: messageOf(error),
        fix: "Install Capstan again with its optional packages (without npm's --omit=optional).",
      },
      { cause: error },
    );
  }
}
