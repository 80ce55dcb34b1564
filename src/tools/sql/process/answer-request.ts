import type { Database } from 'better-sqlite3';
import { changeCopy, openCopy } from '../change/change-copy.ts';
import { type LoadedTable, loadFiles } from '../files/load-files.ts';
import { withBooleans } from '../query/boolean-literals.ts';
import { collectRows, columnsOf, toJson } from '../query/collect-rows.ts';
import { planOutput } from '../query/original-text.ts';
import { openQueryDatabase } from '../query/query-database.ts';
import { resultFile } from '../query/result-file.ts';
import { problemOf } from '../query/schema-hint.ts';
import { addFunctions } from '../query/sql-functions.ts';
import { tableReport } from '../query/table-report.ts';
import type { SqlAnswer, SqlFindings, SqlRequest } from './sql-protocol.ts';

const FIRST_ROWS = 5;
const NONE = Buffer.alloc(0);

interface Loaded {
  readonly db: Database;
  readonly tables: readonly LoadedTable[];
}

/** Keeps the opened database and the tables of files from one request to the next. */
export interface Memory {
  loaded?: Loaded;
}

/**
 * Answers one request: the answer, and the content of the saved file or the changed database (empty if there is none).
 *
 * @param memory For requests that name the same files and change nothing. Default: nothing is kept.
 */
export function answerTo(
  request: SqlRequest,
  memory?: Memory,
): { answer: SqlAnswer; content: Buffer } {
  let db = memory?.loaded?.db;
  try {
    const { database, change } = request;
    db ??= change ? openCopy(database) : openQueryDatabase(database);
    const loaded = memory?.loaded ?? load(db, request);
    if (memory && !change) memory.loaded = loaded;
    const { result, content } = (change ? changeCopy : ask)(db, request, loaded.tables);
    return { answer: { ok: true, result }, content };
  } catch (error) {
    return { answer: { ok: false, problem: problemOf(error, db) }, content: NONE };
  } finally {
    if (!memory?.loaded) db?.close();
  }
}

function load(db: Database, request: SqlRequest): Loaded {
  addFunctions(db);
  assertFreeNames(db, request);
  const isOnly = !request.database && !request.change;
  return { db, tables: loadFiles(db, request.tables, isOnly ? 'main' : 'temp') };
}

/** A temporary table would hide one of the database. */
function assertFreeNames(db: Database, { tables }: SqlRequest): void {
  const find = db.prepare<[string]>('SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE');
  const taken = tables.find(({ name }) => find.get(name) !== undefined);
  if (taken === undefined) return;
  throw new Error(`the database has a table "${taken.name}" already; give the file another name`);
}

function ask(db: Database, request: SqlRequest, tables: readonly LoadedTable[]): SqlFindings {
  const { saveAs } = request;
  db.pragma('query_only = ON');
  const sql = withBooleans(request.sql, tables);
  const statement = db.prepare<unknown[], unknown[]>(sql);
  if (!statement.reader || !statement.readonly) {
    throw new Error(
      'only statements that read and change nothing are allowed; one that changes the database needs write access',
    );
  }
  const { rows: found, respelled } = planOutput(db, sql, statement, tables);
  const report = { ...(respelled.length > 0 && { respelled }), ...tableReport(tables) };
  if (saveAs === undefined) {
    const columns = columnsOf(statement);
    const rows = collectRows(found(request.params), { columns, report }, request);
    return { result: { columns, ...rows, ...report }, content: NONE };
  }
  const columns = statement.columns().map(({ name }) => name);
  const rows: unknown[][] = [];
  let total = 0;
  const content = resultFile(found(request.params), columns, saveAs, (row) => {
    total += 1;
    if (rows.length < FIRST_ROWS) rows.push(row.map(toJson));
  });
  const truncated = total > rows.length;
  return { result: { columns, rows, total_rows: total, truncated, ...report }, content };
}
