import { load } from 'sqlite-vec';
import { AppError, messageOf } from '../../../contract/errors.ts';
import type { Db } from '../../../db/open-database.ts';
import type { Embedder } from '../../../embeddings/embedder.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { groupByScript, type PartKind, type SearchDocument } from './search-document.ts';

/** Maximum number of stored documents, and the days after which an unused one is deleted. */
const MAX_DOCUMENTS = 20_000;
const MAX_DAYS_UNUSED = 30;

/** A document with the vectors of its texts, by hash. A text without a known word has no vector. */
export interface Embedded {
  readonly document: SearchDocument;
  readonly vectors: ReadonlyMap<string, Float32Array | undefined>;
  /** One for each group of parts. */
  readonly means: readonly (Float32Array | undefined)[];
}

/** The similarity of one part of a document, or of a mean of its parts, to a query. */
export interface NearPart {
  readonly documentId: number;
  readonly kind: PartKind | 'mean';
  readonly label: string;
  readonly cosine: number;
}

export type SearchStore = ReturnType<typeof openSearchStore>;

/**
 * Opens the rows of one embedder: full text in FTS5 (with Porter stemming), vectors with its name and version, so that
 * vectors of different embedders never mix. sqlite-vec compares them.
 *
 * @throws AppError `EMBEDDER_UNAVAILABLE` if sqlite-vec can't be loaded.
 */
export function openSearchStore(db: Db, { name, version }: Embedder) {
  loadVectors(db);
  const statements = prepare(db);
  const dropDocuments = (ids: readonly number[]) => {
    const list = JSON.stringify(ids);
    statements.dropTexts.run(list);
    statements.drop.run(list);
  };
  const addText = ({ owner, hash, parts }: SearchDocument): number => {
    const before = statements.byOwner.get(owner);
    if (before?.hash === hash) return before.id;
    if (before) dropDocuments([before.id]);
    const { lastInsertRowid } = statements.insert.run(before?.id ?? null, owner, hash, today());
    const id = Number(lastInsertRowid);
    const said = parts.filter(({ kind }) => kind !== 'against').map(({ text }) => text);
    statements.insertText.run(id, said.join('\n'));
    for (const [position, { kind, label, text }] of parts.entries())
      statements.insertPart.run(id, position, kind, label, sha256(text));
    for (const group of groupByScript(parts).keys())
      statements.insertPart.run(id, parts.length + group, 'mean', '', meanHash({ hash }, group));
    return id;
  };
  const add = db.transaction((embedded: readonly Embedded[]) => {
    const addVector = (hash: string, vector: Float32Array | undefined) =>
      statements.insertVector.run(name, version, hash, vector ? toBlob(vector) : NO_VECTOR);
    const ids = embedded.map(({ document, vectors, means }) => {
      const id = addText(document);
      for (const { text } of document.parts) addVector(sha256(text), vectors.get(sha256(text)));
      // The first mean is written last: a document that has it is complete.
      for (const group of [...means.keys()].reverse())
        addVector(meanHash(document, group), means[group]);
      return [document.owner, id] as const;
    });
    return new Map(ids);
  });
  const dropUnused = db.transaction(() => {
    const oldest = new Date(Date.now() - MAX_DAYS_UNUSED * 86_400_000).toISOString().slice(0, 10);
    dropDocuments(statements.unused.all(oldest, MAX_DOCUMENTS));
    statements.dropOrphans.run();
  });

  return {
    /** Ids, by owner, of those documents that are stored unchanged with vectors of this embedder. */
    find(documents: readonly SearchDocument[]): Map<string, number> {
      const hashes = new Map(documents.map(({ owner, hash }) => [owner, hash]));
      const list = JSON.stringify([...hashes.keys()]);
      const known = statements.known.all(name, version, list);
      if (known.some(({ used_on }) => used_on !== today())) statements.use.run(today(), list);
      const same = known.filter(({ owner, hash }) => hashes.get(owner) === hash);
      return new Map(same.map(({ owner, id }) => [owner, id]));
    },
    /** The vectors of texts that were embedded before, by hash of the text. */
    vectorsOf(textHashes: readonly string[]): Map<string, Float32Array | undefined> {
      const known = statements.vectors.all(name, version, JSON.stringify(textHashes));
      return new Map(
        known.map(([hash, vector]) => [hash, vector.length > 0 ? fromBlob(vector) : undefined]),
      );
    },
    /**
     * Writes documents in one transaction, and keeps what another process added in the meantime. Returns the ids by owner, which
     * don't change when a document is replaced.
     */
    add: (embedded: readonly Embedded[]): ReadonlyMap<string, number> => add.immediate(embedded),
    /**
     * Deletes documents that no registry used for 30 days, the oldest if there are too many, and the vectors, of every
     * embedder, of texts that no document contains.
     */
    dropUnused: () => dropUnused.immediate(),
    /**
     * The parts of these documents, in their order, without texts that have no known word. A zero query is similar to
     * nothing.
     */
    near: (documentIds: readonly number[], query: Float32Array): readonly NearPart[] =>
      query.some((value) => value !== 0)
        ? statements.near.all(toBlob(query), name, version, JSON.stringify(documentIds))
        : [],
    /** Documents with this word, each with the word's part of its BM25. */
    withWord: (word: string): readonly (readonly [documentId: number, bm25: number])[] =>
      statements.withWord.all(`"${word}"`),
    countDocuments: () => statements.count.get() ?? 0,
  };
}

/** The key of a mean, as the hash of its text is the key of a part. The first mean has the hash of the document. */
const meanHash = ({ hash }: Pick<SearchDocument, 'hash'>, group: number): string =>
  group === 0 ? hash : `${hash} ${group}`;

/** The use of documents is stored by day, so at most one write a day. */
const today = (): string => new Date().toISOString().slice(0, 10);

/** Of a text without a known word. */
const NO_VECTOR = Buffer.alloc(0);

const toBlob = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

const fromBlob = (blob: Buffer): Float32Array => {
  const vector = new Float32Array(blob.length / 4);
  blob.copy(Buffer.from(vector.buffer));
  return vector;
};

const inList = 'IN (SELECT value FROM json_each(?))';

function prepare(db: Db) {
  return {
    known: db.prepare<
      [string, string, string],
      { owner: string; hash: string; id: number; used_on: string }
    >(`
      SELECT d.owner, d.hash, d.id, d.used_on FROM search_documents AS d
      JOIN search_vectors AS v ON v.text_hash = d.hash AND v.embedder = ? AND v.version = ?
      WHERE d.owner ${inList}`),
    use: db.prepare<[string, string]>(
      `UPDATE search_documents SET used_on = ? WHERE owner ${inList}`,
    ),
    vectors: db
      .prepare<[string, string, string], [hash: string, vector: Buffer]>(`
        SELECT text_hash, embedding FROM search_vectors
        WHERE embedder = ? AND version = ? AND text_hash ${inList}`)
      .raw(),
    near: db.prepare<[Buffer, string, string, string], NearPart>(`
      SELECT p.document_id AS documentId, p.kind, p.label, 1 - vec_distance_cosine(v.embedding, ?) AS cosine
      FROM search_parts AS p
      JOIN search_vectors AS v ON v.text_hash = p.text_hash AND v.embedder = ? AND v.version = ?
      WHERE length(v.embedding) > 0 AND p.document_id ${inList} ORDER BY p.document_id, p.position`),
    withWord: db
      .prepare<[string], [number, number]>(
        'SELECT rowid, -bm25(search_texts) FROM search_texts WHERE search_texts MATCH ?',
      )
      .raw(),
    count: db.prepare<[], number>('SELECT count(*) FROM search_documents').pluck(),
    byOwner: db.prepare<[string], { id: number; hash: string }>(
      'SELECT id, hash FROM search_documents WHERE owner = ?',
    ),
    insert: db.prepare<[number | null, string, string, string]>(
      'INSERT INTO search_documents (id, owner, hash, used_on) VALUES (?, ?, ?, ?)',
    ),
    insertText: db.prepare<[number, string]>(
      'INSERT INTO search_texts (rowid, text) VALUES (?, ?)',
    ),
    insertPart: db.prepare<[number, number, string, string, string]>(`
      INSERT INTO search_parts (document_id, position, kind, label, text_hash) VALUES (?, ?, ?, ?, ?)`),
    insertVector: db.prepare<[string, string, string, Buffer]>(`
      INSERT OR IGNORE INTO search_vectors (embedder, version, text_hash, embedding) VALUES (?, ?, ?, ?)`),
    unused: db
      .prepare<[string, number], number>(`
        SELECT id FROM search_documents WHERE used_on < ?
        UNION SELECT id FROM (SELECT id FROM search_documents ORDER BY used_on DESC, id DESC LIMIT -1 OFFSET ?)`)
      .pluck(),
    dropTexts: db.prepare<[string]>(`DELETE FROM search_texts WHERE rowid ${inList}`),
    drop: db.prepare<[string]>(`DELETE FROM search_documents WHERE id ${inList}`),
    dropOrphans: db.prepare(
      'DELETE FROM search_vectors WHERE text_hash NOT IN (SELECT text_hash FROM search_parts)',
    ),
  };
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
