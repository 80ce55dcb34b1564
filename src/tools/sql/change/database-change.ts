import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { shownPath } from '../../../platform/files/inside.ts';
import { textOfFile, tryOr } from '../../../platform/try-or.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import type { FilePreview, ToolOutput } from '../../define/tool.ts';
import { stateAt } from '../../files/path-state.ts';
import { locate, type Opened, resolveExisting } from '../../files/paths.ts';
import { createSpool, type Spool } from '../../files/spool.ts';
import { writeFile, writtenOutput } from '../../files/write-file.ts';
import { openDatabaseFile } from '../open-database-file.ts';
import { changeProblem } from '../process/sql-guard.ts';
import { askSqlProcess } from '../process/sql-process.ts';
import { MAX_CONTENT_BYTES, MAX_DATABASE_BYTES, type SqlParams } from '../process/sql-protocol.ts';
import { openTables, type QueryFiles } from '../query-files.ts';

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
  using content = createSpool(MAX_CONTENT_BYTES);
  const { before, reads, result } = await changed(given, { change: 'preview', content }, call);
  const after = content.start(65).toString('latin1');
  if (!/^[0-9a-f]{64}$/.test(after)) throw failure(call, 'the query ended without an answer');
  return { before, after, changes: result.changes ?? [], reads };
}

/**
 * Performs the statements on a copy in memory, in one transaction, and atomically replaces the database by the copy.
 */
export async function performChange(given: ChangeRequest, call: ToolCall): Promise<ToolOutput> {
  using content = createSpool(MAX_CONTENT_BYTES);
  const { path, before, result } = await changed(given, { change: 'perform', content }, call);
  if (hashOf(content) === before)
    return { result: { path: shownPath(call.context.workspace, path), ...result } };
  const output = writtenOutput(await writeFile(path, content, call, { seen: before }), call);
  return { result: { ...output.result, ...result }, wrote: output.wrote };
}

/** Spools the changed copy, or its SHA-256. `before` is the SHA-256 of the database, or `absent`. */
async function changed(
  { database, files, sql, params, max_rows: maxRows }: ChangeRequest,
  { change, content }: { readonly change: 'preview' | 'perform'; readonly content: Spool },
  call: ToolCall,
) {
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
    change,
  };
  const result = await askSqlProcess(request, opened.fds, call, content);
  return { path, before, reads: opened.paths, result };
}

function hashOf(parts: Iterable<Buffer>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
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

/**
 * Asserts that no other program uses a database. It is replaced as a whole: changes of other programs to the old file would
 * be lost, and a journal beside it would be applied to the new one.
 *
 * @param path Absolute, symbolic links resolved.
 */
function assertIdle(path: string, shown: string, call: ToolCall): void {
  for (const ending of ['-wal', '-journal']) {
    if (!statSync(`${path}${ending}`, { throwIfNoEntry: false })?.size) continue;
    const problem = `"${shown}${ending}" has changes that are not in "${shown}" yet: a program has the database open, or ended without closing it. Close the program, or open the database with it once, then try again`;
    throw failure(call, problem);
  }
  const user = writerOf(path);
  if (user !== undefined)
    throw failure(call, `"${shown}" is open in ${user}; close that program, then try again`);
}

/** A process of this user that has the file open for writing, for people; undefined if none is found. */
function writerOf(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const others = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  const writer = others.find((pid) => hasOpen(`/proc/${pid}/fd`, path));
  const name = textOfFile(`/proc/${writer}/comm`).trim() || 'unknown';
  return writer && `another program (${name}, process ${writer})`;
}

/** The mode of a descriptor's link shows how the file was opened. */
function hasOpen(folder: string, path: string): boolean {
  const isWriter = (link: string) =>
    readlinkSync(link) === path && (lstatSync(link).mode & 0o200) !== 0;
  const fds = tryOr(() => readdirSync(folder), []);
  return fds.some((fd) => tryOr(() => isWriter(`${folder}/${fd}`), false));
}
