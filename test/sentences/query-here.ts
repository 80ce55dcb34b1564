import { failure } from '../../src/tools/define/call.ts';
import type { ToolContext } from '../../src/tools/define/tool.ts';
import { answerTo } from '../../src/tools/sql/process/answer-request.ts';
import { sqlProblem } from '../../src/tools/sql/process/sql-guard.ts';
import { openTables, type QueryFiles } from '../../src/tools/sql/query-files.ts';

export interface Query {
  readonly sql: string;
  readonly files: QueryFiles;
  readonly params?: readonly [];
  readonly max_rows?: number;
}

/** A query of `sql_query` that reads files only. */
export const isQueryOfFiles = (tool: string, args: Record<string, unknown>): boolean =>
  tool === 'sql_query' &&
  ['database', 'save_as', 'access'].every((name) => args[name] === undefined);

/** What `sql_query` answers, without its process: tests of sentences make thousands of queries. */
export async function queryHere(
  { files, sql, params = [], max_rows: maxRows = 500 }: Query,
  context: ToolContext,
) {
  const call = { tool: 'sql_query', context };
  const problem = sqlProblem(sql);
  if (problem !== undefined) throw failure(call, problem);
  using opened = await openTables(files, undefined, call);
  const tables = opened.request.tables.map((table) => ({
    ...table,
    files: table.files.map((file) => ({ ...file, fd: opened.fds[file.fd - 3] ?? file.fd })),
  }));
  const { answer } = answerTo({
    ...{ tables, sql, params, maxRows, maxBytes: context.maxOutputBytes },
  });
  if (!answer.ok) throw failure(call, answer.problem);
  const { skipped } = opened;
  return { ...answer.result, ...(skipped.length > 0 && { skipped: skipped.slice(0, 20) }) };
}
