import { fstatSync, readdirSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { SqlAnswer, SqlParam, SqlParams, SqlRequest, SqlResult } from './sql-protocol.ts';

/** Largest database that is read into memory, in bytes. */
const MAX_LOADED_BYTES = 256 * 1024 * 1024;
/** Longest time for counting rows that are not given, in milliseconds. */
const COUNT_MS = 1_000;
const MAX_CELL_CHARS = 64 * 1024;
const MAX_NAME_CHARS = 128;
const MAX_SCHEMA_CHARS = 4_000;
/** Bytes 18 and 19 of the header: how the file is written and read. 2 is a write-ahead log, 1 is none. */
const JOURNAL_MODE_AT = 18;
const DATABASE_FD = 3;

main();

/**
 * The process of one query. It is killed when the query takes too long, since nothing else ends one:
 * one request on stdin, one answer on stdout.
 */
function main(): void {
  const request = JSON.parse(readFileSync(0, 'utf8')) as SqlRequest;
  const bytes = Buffer.from(JSON.stringify(answerTo(request)));
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

function answerTo(request: SqlRequest): SqlAnswer {
  let db: Database.Database | undefined;
  try {
    db = openReadonly(request.path);
    return { ok: true, result: query(db, request) };
  } catch (error) {
    return { ok: false, problem: problemOf(error, db) };
  } finally {
    db?.close();
  }
}

function openReadonly(path: string): Database.Database {
  const loaded = loadWithIdleLog(path);
  const db = loaded
    ? new Database(loaded, { readonly: true })
    : new Database(path, { readonly: true, fileMustExist: true });
  if (!loaded) assertSameFile();
  db.pragma('trusted_schema = OFF');
  db.pragma('query_only = ON');
  db.pragma('cell_size_check = ON');
  db.pragma('temp_store = MEMORY');
  return db;
}

/**
 * The content of a database that has a write-ahead log which nobody uses: reading it in place would leave
 * new files beside it. Undefined for every other one.
 */
function loadWithIdleLog(path: string): Buffer | undefined {
  const modes = Buffer.alloc(2);
  readSync(DATABASE_FD, modes, 0, 2, JOURNAL_MODE_AT);
  const { size } = fstatSync(DATABASE_FD);
  if (!modes.equals(Buffer.from([2, 2])) || size > MAX_LOADED_BYTES) return undefined;
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return undefined;
  const content = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const read = readSync(DATABASE_FD, content, at, size - at, at);
    if (read === 0) break;
    at += read;
  }
  content.fill(1, JOURNAL_MODE_AT, JOURNAL_MODE_AT + 2);
  return content;
}

/** SQLite opens by path: a link swapped since the check shows as a file that is not the checked one (Linux only). */
function assertSameFile(): void {
  if (process.platform !== 'linux') return;
  const wanted = fstatSync(DATABASE_FD, { bigint: true });
  const same = readdirSync('/proc/self/fd').some((name) => {
    const fd = Number(name);
    if (fd <= DATABASE_FD) return false;
    try {
      const { ino, dev } = fstatSync(fd, { bigint: true });
      return ino === wanted.ino && dev === wanted.dev;
    } catch {
      return false;
    }
  });
  if (!same) throw new Error('the file was exchanged while it was opened; ask again');
}

function query(db: Database.Database, request: SqlRequest): SqlResult {
  const statement = db.prepare<unknown[], unknown[]>(request.sql);
  if (!statement.reader || !statement.readonly) {
    throw new Error('only statements that read and change nothing are allowed');
  }
  const columns = statement.columns().map(({ name }) => cut(name, MAX_NAME_CHARS));
  const found = statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...bound(request.params));
  const bytes = Buffer.byteLength(JSON.stringify(columns));
  return { columns, ...collect(found, bytes, request) };
}

/** @param headBytes What the names of the columns take of the answer. */
function collect(
  found: Iterable<unknown[]>,
  headBytes: number,
  { maxRows, maxBytes }: SqlRequest,
): Omit<SqlResult, 'columns'> {
  const rows: unknown[][] = [];
  let bytes = headBytes;
  let total = 0;
  let isCut = false;
  let countUntilMs = Number.POSITIVE_INFINITY;
  for (const raw of found) {
    total += 1;
    if (!isCut) {
      const row = raw.map(toJson);
      bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
      isCut = rows.length >= maxRows || bytes > maxBytes;
      if (!isCut) rows.push(row);
      else countUntilMs = performance.now() + COUNT_MS;
    } else if (performance.now() > countUntilMs) {
      return { rows, truncated: true };
    }
  }
  return { rows, total_rows: total, truncated: isCut };
}

function bound(params: SqlParams): unknown[] {
  const toSql = (value: SqlParam) => (typeof value === 'boolean' ? Number(value) : value);
  if (Array.isArray(params)) return (params as readonly SqlParam[]).map(toSql);
  const entries = Object.entries(params).map(([name, value]) => [
    name.replace(/^[:@$]/, ''),
    toSql(value),
  ]);
  return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}

function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return { $blob_bytes: value.byteLength };
  return typeof value === 'string' ? cut(value, MAX_CELL_CHARS) : value;
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text;
}

function problemOf(error: unknown, db: Database.Database | undefined): string {
  const message = error instanceof Error ? error.message : String(error);
  if (db === undefined || !/no such (table|column)|ambiguous column/.test(message)) return message;
  return `${message}. ${schemaOf(db)}`;
}

/** What there is to ask for, in one line. */
function schemaOf(db: Database.Database): string {
  const names = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT 100",
    )
    .pluck()
    .all();
  if (names.length === 0) return 'The database has no tables';
  const columnsOf = db.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)').pluck();
  const tables = names.map((name) => `${name}(${columnsOf.all(name).join(', ')})`).join('; ');
  const shown = tables.length > MAX_SCHEMA_CHARS ? `${tables.slice(0, MAX_SCHEMA_CHARS)}…` : tables;
  return `The database has: ${shown}`;
}
