import type { Db } from '../../db/open-database.ts';
import type { Embedder } from '../../embeddings/embedder.ts';
import type { PartKind } from './index/search-document.ts';

/** Most neighbours that sqlite-vec returns for one query. More vectors need several queries. */
const MAX_NEIGHBOURS = 4_096;

/** The similarity of one part of a document, or of a mean of its parts, to a query. */
export interface NearPart {
  readonly documentId: number;
  readonly kind: PartKind | 'mean';
  readonly label: string;
  readonly cosine: number;
}

/** The parts of these documents, in the order of the documents, without texts that have no known word. */
export type FindNearParts = (
  documentIds: readonly number[],
  query: Float32Array,
) => readonly NearPart[];

interface PartRow extends Omit<NearPart, 'cosine'> {
  readonly vectorId: number;
}

/**
 * Prepares the comparison of queries with the current vectors of one embedder. A zero query is similar to nothing.
 *
 * @param table Its table of vectors.
 */
export function prepareNearParts(
  db: Db,
  { name, version }: Embedder,
  table: string,
): FindNearParts {
  const parts = db.prepare<[string, string, string], PartRow>(`
    SELECT p.document_id AS documentId, p.kind, p.label, v.id AS vectorId FROM search_parts AS p
    JOIN search_vectors AS v ON v.text_hash = p.text_hash AND v.embedder = ? AND v.version = ?
    WHERE p.document_id IN (SELECT value FROM json_each(?)) ORDER BY p.document_id, p.position`);
  const nearest = db
    .prepare<[Float32Array, number, string], [vectorId: number, distance: number]>(`
      SELECT rowid, distance FROM ${table}
      WHERE embedding MATCH ? AND k = ? AND rowid IN (SELECT value FROM json_each(?))`)
    .raw();

  const cosinesOf = (vectorIds: readonly number[], query: Float32Array) => {
    const cosines = new Map<number, number>();
    for (let at = 0; at < vectorIds.length; at += MAX_NEIGHBOURS) {
      const some = vectorIds.slice(at, at + MAX_NEIGHBOURS);
      for (const [id, distance] of nearest.all(query, some.length, JSON.stringify(some)))
        cosines.set(id, 1 - distance);
    }
    return cosines;
  };
  return db.transaction<FindNearParts>((documentIds, query) => {
    if (query.every((value) => value === 0)) return [];
    const rows = parts.all(name, version, JSON.stringify(documentIds));
    const cosines = cosinesOf([...new Set(rows.map(({ vectorId }) => vectorId))], query);
    const near: NearPart[] = [];
    for (const { documentId, kind, label, vectorId } of rows) {
      const cosine = cosines.get(vectorId);
      if (cosine !== undefined) near.push({ documentId, kind, label, cosine });
    }
    return near;
  });
}
