import type { Db } from '../db/open-database.ts';

/** One stored item. */
export interface StoredMemory {
  readonly id: number;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** Identifies an update (attempt and position), so that applying it twice has no effect. */
  readonly source: string;
  /** The folder that it is recalled in: absolute, symbolic links resolved. Null: in all. */
  readonly workspace: string | null;
  /** The run that wrote it; null if it is older than this column. */
  readonly run_id: string | null;
  /** 1: written after its run had read content that the user did not name. */
  readonly is_untrusted: 0 | 1;
}

/** A forgotten item keeps its row, without its text. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS memories (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL UNIQUE,
    text TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE IF NOT EXISTS memory_texts USING fts5 (text, tokenize = 'porter unicode61');
`;

const VERSION_1 = `
  ALTER TABLE memories ADD COLUMN workspace TEXT;
  ALTER TABLE memories ADD COLUMN run_id TEXT;
  ALTER TABLE memories ADD COLUMN is_untrusted INTEGER NOT NULL DEFAULT 0;
  INSERT INTO memory_texts (memory_texts, rank) VALUES ('secure-delete', 1);
  PRAGMA user_version = 1;
`;

/** Creates or upgrades the tables. Deleted texts are overwritten with zeros, in the index too. */
export function prepareFile(db: Db): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('secure_delete = ON');
  if (versionOf(db) === 1) return;
  const upgrade = db.transaction(() => {
    db.exec(SCHEMA);
    if (versionOf(db) === 0) db.exec(VERSION_1);
  });
  upgrade.immediate();
}

const versionOf = (db: Db) => db.pragma('user_version', { simple: true });

/** Prepares the statements. */
export function memoryRows(db: Db) {
  const columns = `memories.id, source, memories.text, created_at, workspace, run_id, is_untrusted`;
  const here = '(workspace IS NULL OR workspace = @workspace)';
  return {
    insert: db.prepare<[Omit<StoredMemory, 'id'>]>(`
      INSERT OR IGNORE INTO memories (source, text, created_at, workspace, run_id, is_untrusted)
      VALUES (@source, @text, @created_at, @workspace, @run_id, @is_untrusted)`),
    insertText: db.prepare<[number | bigint, string]>(
      'INSERT INTO memory_texts (rowid, text) VALUES (?, ?)',
    ),
    empty: db.prepare<[number]>(
      'UPDATE memories SET text = NULL WHERE id = ? AND text IS NOT NULL',
    ),
    change: db.prepare<[Pick<StoredMemory, 'id' | 'text' | 'workspace' | 'is_untrusted'>]>(`
      UPDATE memories SET text = @text, workspace = @workspace, is_untrusted = @is_untrusted
      WHERE id = @id`),
    delete: db.prepare<[number]>('DELETE FROM memories WHERE id = ?'),
    deleteText: db.prepare<[number]>('DELETE FROM memory_texts WHERE rowid = ?'),
    overflow: db
      .prepare<[number], number>('SELECT id FROM memories ORDER BY id DESC LIMIT -1 OFFSET ?')
      .pluck(),
    matching: db.prepare<[{ query: string; workspace: string; limit: number }], StoredMemory>(`
      SELECT ${columns} FROM memory_texts JOIN memories ON memories.id = memory_texts.rowid
      WHERE memory_texts MATCH @query AND ${here} ORDER BY bm25(memory_texts) LIMIT @limit`),
    recent: db.prepare<[{ workspace: string; limit: number }], StoredMemory>(`
      SELECT ${columns} FROM memories WHERE text IS NOT NULL AND ${here}
      ORDER BY id DESC LIMIT @limit`),
    count: db
      .prepare<[{ workspace: string }], number>(
        `SELECT count(DISTINCT text) FROM memories WHERE text IS NOT NULL AND ${here}`,
      )
      .pluck(),
    all: db.prepare<[], StoredMemory>(
      `SELECT ${columns} FROM memories WHERE text IS NOT NULL ORDER BY id DESC`,
    ),
    find: db.prepare<[number], StoredMemory>(
      `SELECT ${columns} FROM memories WHERE id = ? AND text IS NOT NULL`,
    ),
  };
}
