import type { Db } from '../../../db/open-database.ts';

/** Whether each indexed document has its words and its parts. Reads only. */
export function isSearchIndexComplete(db: Db): boolean {
  const broken = db
    .prepare<[], number>(`
      SELECT EXISTS (SELECT 1 FROM search_documents WHERE id NOT IN (SELECT rowid FROM search_texts))
        OR EXISTS (SELECT 1 FROM search_documents WHERE id NOT IN (SELECT document_id FROM search_parts))
        OR EXISTS (SELECT 1 FROM search_texts WHERE rowid NOT IN (SELECT id FROM search_documents))`)
    .pluck()
    .get();
  return broken === 0;
}

/** Deletes the index of every embedder. The next `sync` of a registry builds it again. */
export function clearSearchIndex(db: Db): void {
  const clear = db.transaction(() =>
    db.exec('DELETE FROM search_texts; DELETE FROM search_documents; DELETE FROM search_vectors'),
  );
  clear.immediate();
}
