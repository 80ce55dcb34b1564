import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, messageOf } from '../contract/errors.ts';
import type { MemoryItem } from '../contract/wire/coordinator-messages.ts';
import { failPoint } from '../db/fail-point.ts';
import type { Db } from '../db/open-database.ts';
import { toFtsQuery } from '../db/sql/fts-query.ts';

const MAX_ITEMS = 1_000;
/** In characters. */
export const MAX_TEXT_LENGTH = 4_000;
const MATCHES = 20;
const RECENT = 10;

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

/** A memory update of an attempt. */
interface NewMemory {
  readonly text: string;
  /** Identifies an update (attempt and position), so that applying it twice has no effect. */
  readonly source: string;
  readonly workspace: string;
  readonly runId: string;
  /** Whether it was written after its run had read content that the user did not name. */
  readonly isUntrusted: boolean;
}

export interface Recalled {
  /** Oldest first. */
  readonly items: readonly MemoryItem[];
  /** Number of other texts that could be recalled in this workspace. */
  readonly leftOut: number;
}

interface RecallOptions {
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  readonly maxTokens: number;
}

/** A person's changes of an item. */
interface MemoryChange {
  /** At most 4,000 characters. The person's text counts as trusted. */
  readonly text?: string | undefined;
  /** Null: recalled in all workspaces. */
  readonly workspace?: string | null | undefined;
  /** Whether the person confirms the unchanged text. */
  readonly isConfirmed?: boolean | undefined;
}

export type Memory = ReturnType<typeof openMemory>;

/**
 * Opens the memory of one capsule. A missing file is created with mode 0600. Its functions throw as this one.
 *
 * @throws AppError `DATABASE_UNREADABLE`.
 */
export function openMemory(path: string) {
  const db = open(path);
  const rows = naming(path, () => memoryRows(db));
  const now = () => new Date().toISOString();

  const keepOne = ({ text, source, workspace, runId, isUntrusted }: NewMemory) => {
    const cut = text.trim().slice(0, MAX_TEXT_LENGTH);
    if (cut === '') return;
    const { changes, lastInsertRowid } = rows.insert.run({
      source,
      text: cut,
      created_at: now(),
      workspace,
      run_id: runId,
      is_untrusted: isUntrusted ? 1 : 0,
    });
    if (changes > 0) rows.insertText.run(lastInsertRowid, cut);
  };
  const keep = db.transaction((updates: readonly NewMemory[]) => {
    for (const update of updates) keepOne(update);
    for (const id of rows.overflow.all(MAX_ITEMS)) {
      rows.deleteText.run(id);
      rows.delete.run(id);
    }
  });
  const forgetOne = db.transaction((id: number): boolean => {
    if (rows.empty.run(id).changes === 0) return false;
    rows.deleteText.run(id);
    return true;
  });
  const changeOne = db.transaction((id: number, change: MemoryChange): boolean => {
    const item = rows.find.get(id);
    if (!item) return false;
    const { text = item.text, workspace = item.workspace } = change;
    const isTrusted = change.text !== undefined || change.isConfirmed === true;
    rows.change.run({ id, text, workspace, is_untrusted: isTrusted ? 0 : item.is_untrusted });
    if (text === item.text) return true;
    rows.deleteText.run(id);
    rows.insertText.run(id, text);
    return true;
  });

  return {
    /** Stores new updates. Over 1,000 items, the oldest are deleted. Texts are cut at 4,000 characters. */
    remember(updates: readonly NewMemory[]): void {
      failPoint('remember');
      naming(path, () => keep.immediate(updates));
      failPoint('remembered');
    },
    /**
     * The items that fit a task in a workspace: the best matches of its words, then the most recent ones, within
     * `maxTokens` (four characters a token).
     */
    recall(task: string, { workspace, maxTokens }: RecallOptions): Recalled {
      const query = toFtsQuery(task);
      return naming(path, () => {
        const found = [
          ...(query === '' ? [] : rows.matching.all({ query, workspace, limit: MATCHES })),
          ...rows.recent.all({ workspace, limit: RECENT }),
        ];
        const items = chooseWithin(found, maxTokens)
          .sort((a, b) => a.id - b.id)
          .map(({ text, created_at }) => ({ text, created_at }));
        return { items, leftOut: (rows.count.get({ workspace }) ?? 0) - items.length };
      });
    },
    /** Everything, newest first. */
    list: (): StoredMemory[] => naming(path, () => rows.all.all()),
    /** Undefined if there is no such item. */
    find: (id: number) => naming(path, () => rows.find.get(id)),
    /** @returns Whether the item exists. */
    change: (id: number, change: MemoryChange) =>
      naming(path, () => changeOne.immediate(id, change)),
    /** Overwrites the text. @returns Whether the item existed. Its row remains, so that the same update is not applied again. */
    forget: (id: number) => naming(path, () => forgetOne.immediate(id)),
    close: () => void db.close(),
  };
}

/** Maximum tokens of memory in a request. */
export const MEMORY_TOKENS = 1_000;

/** The memories of a capsule that fit a task. `home` is the folder of its memory. */
export const recallMemory = (
  home: string,
  task: string,
  { workspace, maxTokens = MEMORY_TOKENS }: Partial<RecallOptions> & { workspace: string },
): Recalled =>
  readMemory(join(home, 'memory.db'), { items: [], leftOut: 0 }, (memory) =>
    memory.recall(task, { workspace, maxTokens }),
  );

/** The number of items of a capsule. */
export const countMemories = (path: string): number =>
  readMemory(path, 0, (memory) => memory.list().length);

/** A missing memory is not created. */
function readMemory<T>(path: string, missing: T, read: (memory: Memory) => T): T {
  if (!existsSync(path)) return missing;
  const memory = openMemory(path);
  try {
    return read(memory);
  } finally {
    memory.close();
  }
}

/** The items that fit, in the given order, each text once. Items that are too long are skipped. */
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
      prepareFile(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Adds the file to storage failures, so that they do not count as failures of the main database. */
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
const SCHEMA = `
  CREATE TABLE memories (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL UNIQUE,
    text TEXT,
    created_at TEXT NOT NULL,
    workspace TEXT,
    run_id TEXT,
    is_untrusted INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE VIRTUAL TABLE memory_texts USING fts5 (text, tokenize = 'porter unicode61');
  INSERT INTO memory_texts (memory_texts, rank) VALUES ('secure-delete', 1);
  PRAGMA user_version = 1;
`;

/** Creates the tables. Deleted texts are overwritten with zeros, in the index too. */
function prepareFile(db: Db): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('secure_delete = ON');
  const isMade = () => db.pragma('user_version', { simple: true }) === 1;
  if (isMade()) return;
  const make = db.transaction(() => {
    if (isMade()) return;
    const columns = db.pragma('table_info(memories)') as readonly unknown[];
    if (columns.length > 0) throw new Error('a development version wrote it (schema 0)');
    db.exec(SCHEMA);
  });
  make.immediate();
}

/** Prepares the statements. */
function memoryRows(db: Db) {
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
