import { addUsed } from './compile-expression.ts';
import { compileFilters } from './compile-filters.ts';
import { createGrouping } from './evaluate-groups.ts';
import { createListing } from './evaluate-rows.ts';
import type { ResultTable } from './evaluation.ts';
import type { Expression, Filter, Query } from './query.ts';
import type { Table } from './table.ts';

/**
 * Answers several queries in one pass over a table.
 *
 * @throws TaskError `INPUT_INVALID` for cells that break a column's type, `TOO_MANY_ROWS`.
 */
export async function evaluate(table: Table, queries: readonly Query[]): Promise<ResultTable[]> {
  const running = queries.map((query) => ({
    matches: compileFilters(table, query.filters),
    evaluation:
      query.measures.length > 0 ? createGrouping(table, query) : createListing(table, query),
    matched: 0,
  }));
  let rowsRead = 0;
  for await (const rows of table.rows([...usedColumns(table, queries)])) {
    rowsRead += rows.length;
    for (const row of rows) {
      for (const part of running) {
        if (!part.matches(row)) continue;
        part.matched += 1;
        part.evaluation.add(row);
      }
    }
  }
  return running.map(({ evaluation, matched }) => ({
    ...evaluation.finish(),
    rowsRead,
    rowsMatched: matched,
  }));
}

function usedColumns(table: Table, queries: readonly Query[]): Set<number> {
  const used = new Set<number>();
  for (const query of queries) {
    for (const expression of expressionsOf(query)) addUsed(table, expression, used);
  }
  return used;
}

function expressionsOf(query: Query): (Expression | undefined)[] {
  const filters = (list: readonly Filter[]) =>
    list.flatMap(({ any }) => any.map(({ left }) => left));
  return [
    ...filters(query.filters),
    ...query.groupBy.map(({ expression }) => expression),
    ...query.select.map(({ expression }) => expression),
    ...(query.partitionBy ?? []).map(({ expression }) => expression),
    ...query.measures.flatMap(({ argument, where }) => [argument, ...filters(where)]),
    ...[...query.rank, ...query.order].flatMap(({ by }) => ('output' in by ? [] : [by])),
  ];
}
