import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, messageOf } from '../contract/errors.ts';
import type { MemoryItem } from '../contract/protocol.ts';
import { failPoint } from '../db/fail-point.ts';
import { toFtsQuery } from '../db/fts-query.ts';
import type { Db } from '../db/open-database.ts';

const MAX_ITEMS = 1_000;
const MAX_TEXT_LENGTH = 4_000;
const MATCHES = 20;
const RECENT = 10;

/** What one attempt asked to remember. */
export interface NewMemory {
  readonly text: string;
  /** Tells one update from every other (attempt and position), so that applying it twice changes nothing. */
  readonly source: string;
}

export interface StoredMemory extends MemoryItem {
  readonly id: number;
  readonly source: string;
}

/** The memory of one capsule. Its functions throw AppError `DATABASE_UNREADABLE`. */
export interface Memory {
  /** Keeps what is new; over 1,000 items the oldest go. Texts are cut at 4,000 characters. */
  remember(updates: readonly NewMemory[]): void;
  /**
   * What fits a task: what matches its words best, then what is most recent, as long as it stays within `maxTokens`
   * (four characters a token). Oldest first.
   */
  recall(task: string, bound: { readonly maxTokens: number }): MemoryItem[];
  /** Everything, newest first. */
  list(): StoredMemory[];
  /** @returns Whether there was such an item. Its update stays known, so it does not come back. */
  forget(id: number): boolean;
  close(): void;
}

/**
 * Opens one capsule's `memory.db`, made with mode 0600 where it is missing.
 *
 * @throws AppError `DATABASE_UNREADABLE`.
 */
export function openMemory(path: string): Memory {
  const db = open(path);
  const statements = prepare(db);
  const now = () => new Date().toISOString();

  const keep = db.transaction((updates: readonly NewMemory[]) => {
    for (const { text, source } of updates) {
      const cut = text.trim().slice(0, MAX_TEXT_LENGTH);
      if (cut === '') continue;
      const { changes, lastInsertRowid } = statements.insert.run(source, cut, now());
      if (changes > 0) statements.insertText.run(lastInsertRowid, cut);
    }
    for (const id of statements.overflow.all(MAX_ITEMS)) {
      statements.deleteText.run(id);
      statements.delete.run(id);
    }
  });
  const forgetOne = db.transaction((id: number): boolean => {
    if (statements.empty.run(id).changes === 0) return false;
    statements.deleteText.run(id);
    return true;
  });

  return {
    remember(updates) {
      failPoint('remember');
      naming(path, () => keep.immediate(updates));
      failPoint('remembered');
    },
    recall(task, { maxTokens }) {
      const query = toFtsQuery(task);
      const found = naming(path, () => [
        ...(query === '' ? [] : statements.matching.all(query, MATCHES)),
        ...statements.recent.all(RECENT),
      ]);
      return chooseWithin(found, maxTokens)
        .sort((a, b) => a.id - b.id)
        .map(({ text, created_at }) => ({ text, created_at }));
    },
    list: () => naming(path, () => statements.recent.all(MAX_ITEMS)),
    forget: (id) => naming(path, () => forgetOne.immediate(id)),
    close: () => void db.close(),
  };
}

/** How many items a capsule remembers; a memory that is not there yet is not made for that. */
export function countMemories(path: string): number {
  if (!existsSync(path)) return 0;
  const memory = openMemory(path);
  try {
    return memory.list().length;
  } finally {
    memory.close();
  }
}

/** The items that fit, in the order given, each text once; one that is too long does not stop the shorter ones after it. */
function chooseWithin(items: readonly StoredMemory[], maxTokens: number): StoredMemory[] {
  const chosen = new Map<string, StoredMemory>();
  let tokens = 0;
  for (const item of items) {
    const cost = Math.ceil(item.text.length / 4);
    if (chosen.has(item.text) || tokens + cost > maxTokens) continue;
    chosen.set(item.text, item);
    tokens += cost;
  }
  return [...chosen.values()];
}

function open(path: string): Db {
  return naming(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const isNew = !existsSync(path);
    const db = new Database(path, { timeout: 5_000 });
    try {
      if (isNew) chmodSync(path, 0o600);
      db.pragma('trusted_schema = OFF');
      db.exec(schema);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** A failure names the file: it must not count as one of the database of all runs. */
function naming<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new AppError(
      'DATABASE_UNREADABLE',
      { path, problem: messageOf(error) },
      { cause: error },
    );
  }
}

/** A forgotten item keeps its row, without its text. */
const schema = `
  CREATE TABLE IF NOT EXISTS memories (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL UNIQUE,
    text TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE IF NOT EXISTS memory_texts USING fts5 (text, tokenize = 'porter unicode61');
`;

function prepare(db: Db) {
  const columns = 'memories.id, memories.source, memories.text, memories.created_at';
  return {
    insert: db.prepare<[string, string, string]>(
      'INSERT OR IGNORE INTO memories (source, text, created_at) VALUES (?, ?, ?)',
    ),
    insertText: db.prepare<[number | bigint, string]>(
      'INSERT INTO memory_texts (rowid, text) VALUES (?, ?)',
    ),
    empty: db.prepare<[number]>(
      'UPDATE memories SET text = NULL WHERE id = ? AND text IS NOT NULL',
    ),
    delete: db.prepare<[number]>('DELETE FROM memories WHERE id = ?'),
    deleteText: db.prepare<[number]>('DELETE FROM memory_texts WHERE rowid = ?'),
    overflow: db
      .prepare<[number], number>('SELECT id FROM memories ORDER BY id DESC LIMIT -1 OFFSET ?')
      .pluck(),
    matching: db.prepare<[string, number], StoredMemory>(`
      SELECT ${columns} FROM memory_texts JOIN memories ON memories.id = memory_texts.rowid
      WHERE memory_texts MATCH ? ORDER BY bm25(memory_texts) LIMIT ?`),
    recent: db.prepare<[number], StoredMemory>(
      `SELECT ${columns} FROM memories WHERE text IS NOT NULL ORDER BY id DESC LIMIT ?`,
    ),
  };
}
