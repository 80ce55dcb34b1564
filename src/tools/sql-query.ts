import { readSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import * as z from 'zod';
import { failure, type ToolCall } from './call.ts';
import { type Opened, openFile } from './paths.ts';
import { sqlProblem } from './sql-guard.ts';
import { askSqlProcess } from './sql-process.ts';
import { defineTool } from './tool.ts';

const param = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);

const args = () =>
  z.strictObject({
    database: z.string().min(1).max(4_096).describe('A SQLite file in the workspace.'),
    sql: z
      .string()
      .min(1)
      .max(100_000)
      .describe('One statement that reads: SELECT, WITH, VALUES, EXPLAIN. Tables: sqlite_master.'),
    params: z
      .union([z.array(param()).max(1_000), z.record(z.string(), param())])
      .default([])
      .describe('Values for `?` in order, or for `:name`.'),
    max_rows: z.int().min(1).max(10_000).default(500).describe('Most rows that are given.'),
  });

/** What every SQLite file begins with. */
const MAGIC = Buffer.from('SQLite format 3\0');
export const sqlQuery = defineTool({
  name: 'sql_query',
  description:
    'Asks a SQLite database of the workspace; it can only read. Integers beyond 2^53 come as text, a BLOB as {"$blob_bytes": n}.',
  args,
  operation: ({ database, sql }) => ({
    name: 'sql_query.read',
    tier: 0,
    repeatability: 'pure',
    paths: [{ path: database, access: 'read' }],
    target: `${database}: ${sql.trim().replace(/\s+/g, ' ').slice(0, 200)}`,
  }),
  async perform({ database, sql, params, max_rows: maxRows }, context) {
    const call: ToolCall = { tool: 'sql_query', context };
    const problem = sqlProblem(sql);
    if (problem !== undefined) throw failure(call, problem);
    using file = await openFile(database, call);
    await assertDatabase(file, database, call);
    const maxBytes = context.maxOutputBytes;
    const request = { path: file.path, sql, params, maxRows, maxBytes };
    return { result: await askSqlProcess(request, file.fd, call) };
  },
});

async function assertDatabase(file: Opened, shown: string, call: ToolCall): Promise<void> {
  if (file.bytes === 0) throw failure(call, `"${shown}" is empty: no database was written to it`);
  const buffer = Buffer.alloc(MAGIC.length);
  readSync(file.fd, buffer, 0, MAGIC.length, 0);
  if (!buffer.equals(MAGIC)) throw failure(call, `"${shown}" is no SQLite database`);
  await Promise.all(companions.map((ending) => assertPlain(file.path, ending, call)));
}

/** Files beside a database that SQLite opens by their names. */
const companions = ['-wal', '-shm', '-journal'] as const;

/** A link in such a place would make SQLite read, or make, a file somewhere else. */
async function assertPlain(database: string, ending: string, call: ToolCall): Promise<void> {
  const stats = await lstat(`${database}${ending}`).catch(() => undefined);
  if (stats === undefined || (stats.isFile() && stats.nlink === 1)) return;
  throw failure(
    call,
    `the file with the ending ${ending} beside the database is a link, or no file`,
  );
}
