import { readSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import * as z from 'zod';
import type { Operation } from '../contract/operation.ts';
import { failure, type ToolCall } from './call.ts';
import { type Opened, openFile, shownPath } from './paths.ts';
import type { ResultFormat } from './sql/query/result-file.ts';
import { openTables, pathsOf, QueryFiles } from './sql/query-files.ts';
import { sqlProblem } from './sql-guard.ts';
import { askSqlProcess } from './sql-process.ts';
import { defineTool, type ToolContext, type ToolOutput } from './tool.ts';
import { writeFile } from './write-file.ts';

const param = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);
const SAVED = /\.(csv|json|jsonl|md)$/i;

const args = () =>
  z
    .strictObject({
      database: z.string().min(1).max(4_096).optional().describe('A SQLite file.'),
      files: QueryFiles()
        .default({})
        .describe(
          'Files as tables, by table name: `{"orders": "data/orders.csv", "log": "logs/*.log"}`. CSV, TSV, JSON, JSONL, key=value and access logs; the format is detected. Several files are one table with a column `file`.',
        ),
      sql: z
        .string()
        .min(1)
        .max(100_000)
        .describe(
          'One SQLite statement that reads: SELECT, WITH, VALUES, EXPLAIN, PRAGMA table_info(t). Also: median, percentile(x, 95), stddev, REGEXP.',
        ),
      params: z
        .union([z.array(param()).max(1_000), z.record(z.string(), param())])
        .default([])
        .describe('Values for `?` in order, or for `:name`.'),
      max_rows: z.int().min(1).max(10_000).default(500).describe('Most rows that are given.'),
      save_as: z
        .string()
        .max(4_096)
        .regex(SAVED, 'must end in .csv, .json, .jsonl or .md')
        .optional()
        .describe(
          'Writes all rows to this .csv, .json, .jsonl or .md file and gives the first five.',
        ),
    })
    .refine(({ database, files }) => database !== undefined || Object.keys(files).length > 0, {
      path: ['files'],
      message: 'name a database, files, or both',
    });
type Args = z.output<ReturnType<typeof args>>;

/** What every SQLite file begins with. */
const MAGIC = Buffer.from('SQLite format 3\0');
const FIRST_FD = 3;

export const sqlQuery = defineTool({
  name: 'sql_query',
  description:
    'Asks SQLite databases and data files of the workspace with one SQL statement, and joins them; it can only read. Cells keep their spelling (10.50, 007); the answer gives the types found and the cells and rows that do not fit. Integers beyond 2^53 come as text, a BLOB as {"$blob_bytes": n}.',
  args,
  cut: ({ can, hasPaths }) => ({ leaveOut: can('save') && hasPaths ? [] : ['save_as'] }),
  operation: operationOf,
  perform,
});

function operationOf({ database, files, sql, save_as: saveAs }: Args): Omit<Operation, 'tool'> {
  const reads = [
    ...(database === undefined ? [] : [{ path: database, access: 'read' } as const]),
    ...pathsOf(files),
  ];
  const names = reads.map(({ path }) => path).join(', ');
  const target = `${names}: ${sql.trim().replace(/\s+/g, ' ').slice(0, 200)}`;
  if (saveAs === undefined)
    return { name: 'sql_query.read', tier: 0, repeatability: 'pure', paths: reads, target };
  return {
    name: 'sql_query.save',
    tier: 1,
    repeatability: 'idempotent',
    paths: [...reads, { path: saveAs, access: 'write' }],
    target: `${saveAs} from ${target}`,
  };
}

async function perform(given: Args, context: ToolContext): Promise<ToolOutput> {
  const call: ToolCall = { tool: 'sql_query', context };
  const { database, files, sql, params, max_rows: maxRows, save_as: saveAs } = given;
  const problem = sqlProblem(sql);
  if (problem !== undefined) throw failure(call, problem);
  using file = database === undefined ? undefined : await openDatabaseFile(database, call);
  using opened = await openTables(files, FIRST_FD + (file ? 1 : 0), call);
  const request = {
    database: file && { path: file.path, fd: FIRST_FD },
    tables: opened.tables,
    ...{ sql, params, maxRows, maxBytes: context.maxOutputBytes },
    saveAs: saveAs === undefined ? undefined : formatOf(saveAs),
  };
  const fds = [...(file ? [file.fd] : []), ...opened.fds];
  const { result, content } = await askSqlProcess(request, fds, call);
  const skipped = opened.skipped.length > 0 ? { skipped: opened.skipped.slice(0, 20) } : {};
  if (saveAs === undefined) return { result: { ...result, ...skipped } };
  const { path, bytes, sha256, created } = await writeFile(saveAs, content, call);
  const saved = { path: shownPath(context.workspace, path), bytes, sha256, created };
  return {
    result: { ...saved, ...result, ...skipped },
    wrote: [{ path, bytes, sha256 }],
  };
}

const formatOf = (path: string): ResultFormat =>
  (SAVED.exec(path)?.[1] ?? 'csv').toLowerCase() as ResultFormat;

async function openDatabaseFile(path: string, call: ToolCall): Promise<Opened> {
  const file = await openFile(path, call);
  try {
    await assertDatabase(file, path, call);
    return file;
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

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
