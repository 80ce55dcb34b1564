import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { HandlerContext } from '../../runtime/capsule/sdk.ts';

/** A temporary workspace and a handler's context over it, with the two tools that analysts use. */
export interface Workspace {
  readonly dir: string;
  readonly write: (path: string, content: string) => void;
  readonly read: (path: string) => string;
  readonly context: (task: string, options?: { chunkBytes?: number }) => HandlerContext;
  readonly remove: () => void;
}

/** Makes a workspace; `remove` deletes it. */
export function createWorkspace(): Workspace {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-analyst-'));
  return {
    dir,
    write: (path, content) => writeFileSync(join(dir, path), content),
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    context: (task, { chunkBytes } = {}) => contextOf(dir, task, chunkBytes ?? 4_000_000),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function contextOf(dir: string, task: string, chunkBytes: number): HandlerContext {
  const call = async (tool: string, args: Record<string, unknown>): Promise<unknown> => {
    if (tool === 'sql_query') return query(dir, args);
    if (args['operation'] === 'write') return write(dir, args);
    return read(dir, args, chunkBytes);
  };
  const partial = {
    task,
    input: {},
    results: [],
    memory: [],
    call,
    progress: () => undefined,
    remember: () => undefined,
    artifact: () => undefined,
  };
  return partial as unknown as HandlerContext;
}

function write(dir: string, { path, content }: Record<string, unknown>): unknown {
  writeFileSync(join(dir, String(path)), String(content));
  return { path, bytes: Buffer.byteLength(String(content)), sha256: '', created: true };
}

function read(
  dir: string,
  { path, from_line: from = 1, max_bytes: max }: Record<string, unknown>,
  chunkBytes: number,
): unknown {
  const all = readText(join(dir, String(path)));
  const lines = all.split(/(?<=\n)/);
  const limit = Math.min(Number(max ?? chunkBytes), chunkBytes);
  let at = Number(from) - 1;
  let content = '';
  while (
    at < lines.length &&
    (content === '' || content.length + (lines[at]?.length ?? 0) <= limit)
  ) {
    content += lines[at];
    at += 1;
  }
  const isDone = at >= lines.length;
  return {
    path,
    content,
    bytes: all.length,
    truncated: !isDone,
    ...(isDone ? {} : { next_line: at + 1 }),
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw Object.assign(new Error(`file_io failed: ${(error as Error).message}`), {
      name: 'ToolError',
      code: 'TOOL_FAILED',
    });
  }
}

function query(
  dir: string,
  { database, sql, params = [], max_rows: maxRows = 500 }: Record<string, unknown>,
): unknown {
  const db = new Database(join(dir, String(database)), { readonly: true, fileMustExist: true });
  try {
    const statement = db.prepare(String(sql)).raw();
    const rows = statement.all(...(params as unknown[])) as unknown[][];
    const columns = statement.columns().map(({ name }) => name);
    return {
      columns,
      rows: rows.slice(0, Number(maxRows)),
      truncated: rows.length > Number(maxRows),
    };
  } finally {
    db.close();
  }
}
