import Database from 'better-sqlite3';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import type { LoadedTable } from '../files/load-files.ts';
import { quoteName } from '../files/table-loader.ts';
import { MAX_DATABASE_BYTES, type SqlFindings, type SqlRequest } from '../process/sql-protocol.ts';
import { withBooleans } from '../query/boolean-literals.ts';
import { type DatabaseFile, hardened, journalMode, readContent } from '../query/query-database.ts';
import { tableReport } from '../query/table-report.ts';
import { runStatements } from './run-statements.ts';

/** Opens a copy of the database in memory; an empty one if the database does not exist. */
export const openCopy = (file: DatabaseFile | undefined): Database.Database =>
  hardened(new Database(file === undefined ? ':memory:' : readContent(file.fd)));

/** Performs the statements of a request on the copy, and returns its new content. */
export function changeCopy(
  db: Database.Database,
  request: SqlRequest,
  tables: readonly LoadedTable[],
): SqlFindings {
  for (const { name } of tables) keepFromChanges(db, name);
  const ran = runStatements(db, { ...request, sql: withBooleans(request.sql, tables) });
  const content = contentOf(db, request.database);
  if (content.length > MAX_DATABASE_BYTES)
    throw new Error('the database would be larger than 64 MiB');
  const isPreview = request.change === 'preview';
  const result = { ...ran, ...tableReport(tables) };
  return { result, content: isPreview ? Buffer.from(sha256(content)) : content };
}

/** The table of a file hides a table of the database with the same name: rows written to it would be lost. */
function keepFromChanges(db: Database.Database, name: string): void {
  const problem = `"${name}" is the table of a file, which is only read; the table of the database is main.${name}`;
  for (const event of ['INSERT', 'UPDATE', 'DELETE']) {
    db.exec(
      `CREATE TEMP TRIGGER ${quoteName(`capstan_keep_${event}_${name}`)} BEFORE ${event} ON temp.${quoteName(name)}
       BEGIN SELECT RAISE(ABORT, '${problem}'); END`,
    );
  }
}

/** A copy in memory has no write-ahead log. The journal mode of the file is restored. */
function contentOf(db: Database.Database, file: DatabaseFile | undefined): Buffer {
  const content = db.serialize();
  if (file !== undefined && content.length > 0)
    journalMode.of(file.fd).copy(content, journalMode.at);
  return content;
}
