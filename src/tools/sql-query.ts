import * as z from 'zod';
import type { Operation } from '../contract/permissions/operation.ts';
import { failure, type ToolCall } from './define/call.ts';
import { givesByOperation } from './define/gives.ts';
import { defineTool, pathArg, type ToolContext, type ToolOutput } from './define/tool.ts';
import { createSpool } from './files/spool.ts';
import { writeFile, writtenOutput } from './files/write-file.ts';
import { type ChangeRequest, performChange, previewChange } from './sql/change/database-change.ts';
import { openDatabaseFile } from './sql/open-database-file.ts';
import { sqlProblem } from './sql/process/sql-guard.ts';
import { askSqlProcess } from './sql/process/sql-process.ts';
import { MAX_CONTENT_BYTES, type ResultFormat } from './sql/process/sql-protocol.ts';
import { openTables, pathsOf, QueryFiles } from './sql/query-files.ts';

const param = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);
const SAVED = /\.(csv|json|jsonl|md)$/i;

const READING =
  'One SQLite statement that reads: SELECT, WITH, VALUES, EXPLAIN, PRAGMA table_info(t). Also: median, percentile(x, 95), stddev, REGEXP.';
const CHANGING = 'With access "write": one or more that change, separated by `;`, all or none.';

const describe = (ability: string): string =>
  `Queries SQLite databases and data files of the workspace with one SQL statement, and joins them. ${ability} Cells keep their spelling (10.50, 007); the result has the detected types and the cells and rows that do not fit. Integers beyond 2^53 are text, a BLOB as {"$blob_bytes": n}.`;

const args = () =>
  z
    .strictObject({
      database: pathArg().optional().describe('A SQLite file.'),
      files: QueryFiles()
        .default({})
        .describe(
          'Files as tables, by table name: `{"orders": "data/orders.csv", "log": "logs/*.log"}`. CSV, TSV, JSON, JSONL, key=value, access logs and logs with levels; the format is detected. Several files are one table with a column `file`.',
        ),
      sql: z.string().min(1).max(100_000).describe(`${READING} ${CHANGING}`),
      access: z
        .enum(['read', 'write'])
        .default('read')
        .describe(
          '"write" changes the database, or creates it: INSERT, UPDATE, DELETE, CREATE, ALTER, DROP.',
        ),
      params: z
        .union([z.array(param()).max(1_000), z.record(z.string(), param())])
        .default([])
        .describe('Values for `?` in order, or for `:name`.'),
      max_rows: z
        .int()
        .min(1)
        .max(10_000)
        .default(500)
        .describe('Maximum number of returned rows.'),
      save_as: z
        .string()
        .max(4_096)
        .regex(SAVED, 'must end in .csv, .json, .jsonl or .md')
        .optional()
        .describe(
          'Writes all rows to this .csv, .json, .jsonl or .md file and returns the first five.',
        ),
    })
    .refine(({ database, files }) => database !== undefined || Object.keys(files).length > 0, {
      path: ['files'],
      message: 'name a database, files, or both',
    })
    .refine(({ access, database }) => access === 'read' || database !== undefined, {
      path: ['database'],
      message: 'access "write" changes a database: name it; files are only read',
    })
    .refine(({ access, save_as }) => access === 'read' || save_as === undefined, {
      path: ['save_as'],
      message: 'a result is saved with access "read" only; ask for it after the change',
    });
type Args = z.output<ReturnType<typeof args>>;

export const sqlQuery = defineTool({
  name: 'sql_query',
  effects: 'local',
  operations: ['read', 'save', 'change'],
  gives: givesByOperation({ save: 'write', change: 'database_write' }),
  forNewCapsules: {
    grant: { paths: ['**'] },
    calledBy: ['sql', 'database', 'sqlite', 'quer(y|ies)', 'tables?\\b', '\\w+\\.db\\b'],
    chosenFor: ['database_write'],
  },
  words: (operation) =>
    operation === 'change'
      ? { does: 'change', done: 'changed', verb: 'query' }
      : { does: 'query', done: 'queried', verb: 'query' },
  remembers: 'path',
  description: describe('With access "write" it changes a SQLite database.'),
  args,
  cut({ can, hasPaths }) {
    const mayChange = can('change') && hasPaths;
    return {
      leaveOut: can('save') && hasPaths ? [] : ['save_as'],
      choices: { access: mayChange ? ['read', 'write'] : ['read'] },
      ...(mayChange ? {} : { description: describe('It can only read.'), texts: { sql: READING } }),
    };
  },
  operation: operationOf,
  preview: (given) =>
    isChange(given) ? (context) => previewChange(given, { tool: 'sql_query', context }) : undefined,
  perform,
});

const isChange = (given: Args): given is Args & ChangeRequest => given.access === 'write';

function operationOf(given: Args): Omit<Operation, 'tool'> {
  const { database, files, sql, params, save_as: saveAs } = given;
  const reads = [
    ...(database === undefined ? [] : [{ path: database, access: 'read' } as const]),
    ...pathsOf(files),
  ];
  const statement = sql.trim().replace(/\s+/g, ' ').slice(0, 200);
  if (isChange(given)) {
    const values = Object.values(params).length === 0 ? '' : `\nvalues: ${JSON.stringify(params)}`;
    return {
      ...{ name: 'sql_query.change', tier: 1, repeatability: 'unsafe' },
      paths: [...reads, { path: given.database, access: 'write', becomes: { kind: 'database' } }],
      inserted: `${sql.trim()}${values}`,
      target: `${given.database}: ${statement}`,
    };
  }
  const names = reads.map(({ path }) => path).join(', ');
  const target = `${names}: ${statement}`;
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
  if (isChange(given)) return performChange(given, call);
  const { database, files, sql, params, max_rows: maxRows, save_as: saveAs } = given;
  const problem = sqlProblem(sql);
  if (problem !== undefined) throw failure(call, problem);
  using file = database === undefined ? undefined : await openDatabaseFile(database, call);
  using opened = await openTables(files, file, call);
  const request = {
    ...opened.request,
    ...{ sql, params, maxRows, maxBytes: context.maxOutputBytes },
    saveAs: saveAs === undefined ? undefined : formatOf(saveAs),
  };
  using content = createSpool(MAX_CONTENT_BYTES);
  const result = await askSqlProcess(request, opened.fds, call, content);
  const skipped = opened.skipped.length > 0 ? { skipped: opened.skipped.slice(0, 20) } : {};
  if (saveAs === undefined) return { result: { ...result, ...skipped } };
  const saved = writtenOutput(await writeFile(saveAs, content, call), call);
  return { result: { ...saved.result, ...result, ...skipped }, wrote: saved.wrote };
}

const formatOf = (path: string): ResultFormat =>
  (SAVED.exec(path)?.[1] ?? 'csv').toLowerCase() as ResultFormat;
