import { existsSync } from 'node:fs';
import { failure, type ToolCall } from '../../define/call.ts';
import type { FilePreview, ToolOutput } from '../../define/tool.ts';
import { stateAt } from '../../files/path-state.ts';
import { locate, type Opened, resolveExisting, shownPath } from '../../files/paths.ts';
import { writeFile, writtenOutput } from '../../files/write-file.ts';
import { openDatabaseFile } from '../open-database-file.ts';
import { changeProblem } from '../process/sql-guard.ts';
import { askSqlProcess, type SqlFindings } from '../process/sql-process.ts';
import { MAX_DATABASE_BYTES, type SqlParams } from '../process/sql-protocol.ts';
import { openTables, type QueryFiles } from '../query-files.ts';
import { assertIdle } from './assert-idle.ts';

/** Arguments of `sql_query` with `access: "write"`. */
export interface ChangeRequest {
  readonly database: string;
  readonly files: QueryFiles;
  readonly sql: string;
  readonly params: SqlParams;
  readonly max_rows: number;
}

/** What the statements would change, tried on a copy in memory. */
export async function previewChange(given: ChangeRequest, call: ToolCall): Promise<FilePreview> {
  const { before, findings } = await changed(given, false, call);
  const { sha256 = '', changes = [] } = findings.result;
  return { before, after: sha256, changes };
}

/**
 * Performs the statements on a copy in memory, in one transaction, and atomically replaces the database by the copy.
 */
export async function performChange(given: ChangeRequest, call: ToolCall): Promise<ToolOutput> {
  const { path, before, findings } = await changed(given, true, call);
  const { sha256: _, bytes: __, ...result } = findings.result;
  const shown = shownPath(call.context.workspace, path);
  if (findings.result.sha256 === before) return { result: { path: shown, ...result } };
  const written = await writeFile(path, findings.content, call, { seen: before });
  const output = writtenOutput(written, call);
  return { result: { ...output.result, ...result }, wrote: output.wrote };
}

interface Changed {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  /** SHA-256 of the database before, or `absent`. */
  readonly before: string;
  readonly findings: SqlFindings;
}

async function changed(
  { database, files, sql, params, max_rows: maxRows }: ChangeRequest,
  wantsContent: boolean,
  call: ToolCall,
): Promise<Changed> {
  const problem = changeProblem(sql);
  if (problem !== undefined) throw failure(call, problem);
  using file = await openExisting(database, call);
  const path = file?.path ?? resolveExisting(await locate(database, 'write', call));
  assertIdle(path, database, call);
  const before = await stateAt(path);
  using opened = await openTables(files, file, call);
  const request = {
    ...opened.request,
    ...{ sql, params, maxRows, maxBytes: call.context.maxOutputBytes },
    change: { wantsContent },
  };
  return { path, before, findings: await askSqlProcess(request, opened.fds, call) };
}

/** Undefined if it does not exist or is empty: then it is created. */
async function openExisting(path: string, call: ToolCall): Promise<Opened | undefined> {
  if (!existsSync(await locate(path, 'write', call))) return undefined;
  const file = await openDatabaseFile(path, call, { mayBeEmpty: true });
  const problem = problemOf(file);
  if (problem === undefined && file.bytes > 0) return file;
  file[Symbol.dispose]();
  if (problem !== undefined) throw failure(call, `"${path}" ${problem}`);
  return undefined;
}

/** Why a database can't be changed. */
function problemOf({ bytes, links }: Opened): string | undefined {
  if (links > 1) return 'has a second name somewhere (a hard link), so it is not replaced';
  return bytes > MAX_DATABASE_BYTES
    ? 'is larger than 64 MiB; change it with the program sqlite3'
    : undefined;
}
