import type { Value } from './compare-values.ts';
import { addUsed } from './compile-expression.ts';
import { compileFilters } from './compile-filters.ts';
import { createGrouping } from './evaluate-groups.ts';
import { createListing } from './evaluate-rows.ts';
import type { Expression, Filter, Query } from './query.ts';
import type { Row, Table } from './table.ts';

export interface ResultColumn {
  readonly name: string;
  readonly unit?: string | undefined;
}

/** The answer to one query. */
export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Value[])[];
  /** Rows of the table, and those that passed the filters. */
  readonly rowsRead: number;
  readonly rowsMatched: number;
  /** What a reader must know: ties at the cut, cells without a value. */
  readonly notes: readonly string[];
}

/** Takes rows that passed the filters, then gives the answer. */
export interface Evaluation {
  readonly add: (row: Row) => void;
  readonly finish: () => Pick<ResultTable, 'columns' | 'rows' | 'notes'>;
}

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
