import { readFileSync, writeSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { changeCopy, openCopy } from '../change/change-copy.ts';
import { type LoadedTable, loadFiles } from '../files/load-files.ts';
import { withBooleans } from '../query/boolean-literals.ts';
import { boundParams } from '../query/bound-params.ts';
import { collectRows, cut, toJson } from '../query/collect-rows.ts';
import { type Output, planOutput } from '../query/original-text.ts';
import { openQueryDatabase } from '../query/query-database.ts';
import { resultFile } from '../query/result-file.ts';
import { problemOf } from '../query/schema-hint.ts';
import { addFunctions } from '../query/sql-functions.ts';
import { tableReport } from '../query/table-report.ts';
import type { Answered, ResultFormat, SqlParams, SqlRequest, SqlResult } from './sql-protocol.ts';

const MAX_NAME_CHARS = 128;
const FIRST_ROWS = 5;

main();

/**
 * The process of one query. It reads one request from stdin, and writes one line with the answer to stdout, followed by the
 * content of the saved file, if there is one.
 */
function main(): void {
  const request = JSON.parse(readFileSync(0, 'utf8')) as SqlRequest;
  const { answer, content } = answerTo(request);
  for (const bytes of [Buffer.from(`${JSON.stringify(answer)}\n`), content]) {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  }
}

const NONE = Buffer.alloc(0);

function answerTo(request: SqlRequest): Answered {
  let db: Database | undefined;
  try {
    const { database, change } = request;
    db = change ? openCopy(database) : openQueryDatabase(database);
    addFunctions(db);
    assertFreeNames(db, request);
    const isAlone = database === undefined && change === undefined;
    const tables = loadFiles(db, request.tables, isAlone ? 'main' : 'temp');
    if (change) return changeCopy(db, request, tables);
    db.pragma('query_only = ON');
    return ask(db, request, tables);
  } catch (error) {
    return { answer: { ok: false, problem: problemOf(error, db) }, content: NONE };
  } finally {
    db?.close();
  }
}

/** A temporary table would hide one of the database. */
function assertFreeNames(db: Database, { tables }: SqlRequest): void {
  const find = db.prepare<[string]>('SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE');
  const taken = tables.find(({ name }) => find.get(name) !== undefined);
  if (taken === undefined) return;
  throw new Error(`the database has a table "${taken.name}" already; give the file another name`);
}

function ask(db: Database, request: SqlRequest, tables: readonly LoadedTable[]): Answered {
  const { saveAs } = request;
  const sql = withBooleans(request.sql, tables);
  const statement = db.prepare<unknown[], unknown[]>(sql);
  if (!statement.reader || !statement.readonly) {
    throw new Error(
      'only statements that read and change nothing are allowed; one that changes the database needs write access',
    );
  }
  const columns = statement.columns().map(({ name }) => name);
  const output = planOutput(db, sql, statement, tables);
  const found = rowsOf(output, request.params);
  const { respelled } = output;
  const report = {
    ...(respelled.length > 0 && { respelled }),
    ...(tables.length > 0 && { tables: tableReport(tables) }),
  };
  if (saveAs === undefined) {
    const shown = columns.map((name) => cut(name, MAX_NAME_CHARS));
    const headBytes = Buffer.byteLength(JSON.stringify({ shown, report }));
    const result = { columns: shown, ...collectRows(found, headBytes, request), ...report };
    return { answer: { ok: true, result }, content: NONE };
  }
  return save(found, columns, saveAs, report);
}

function save(
  found: Iterable<readonly unknown[]>,
  columns: readonly string[],
  saveAs: ResultFormat,
  report: Pick<SqlResult, 'tables' | 'respelled'>,
): Answered {
  const rows: unknown[][] = [];
  let total = 0;
  const content = resultFile(found, columns, saveAs, (row) => {
    total += 1;
    if (rows.length < FIRST_ROWS) rows.push(row.map(toJson));
  });
  const about = { columns, rows, total_rows: total, truncated: total > rows.length };
  return { answer: { ok: true, result: { ...about, ...report } }, content };
}

function* rowsOf({ statement, rendered }: Output, params: SqlParams): Generator<unknown[]> {
  const rows = statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...boundParams(params));
  for (const row of rows) yield rendered(row);
}
