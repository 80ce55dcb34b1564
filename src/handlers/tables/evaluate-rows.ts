import { TaskError } from '../task-error.ts';
import { compareValues, type Value } from './compare-values.ts';
import { columnOf, compileExpression } from './compile-expression.ts';
import type { Evaluation, ResultColumn } from './evaluate.ts';
import type { Expression, Order, Query } from './query.ts';
import type { Table } from './table.ts';
import { createTop } from './top-rows.ts';

/** Rows that one answer may list. */
const MAX_ROWS = 100_000;

interface Item {
  readonly cells: readonly Value[];
  /** Values to rank by, then to order by. */
  readonly rank: readonly Value[];
  readonly order: readonly Value[];
}

/** Answers a query that asks for rows. @throws TaskError `TOO_MANY_ROWS` over 100,000 rows. */
export function createListing(table: Table, query: Query): Evaluation {
  const readAll = (orders: readonly Order[]) =>
    orders.map(({ by }) => compileExpression(table, by as Expression));
  const select = query.select.map(({ expression }) => compileExpression(table, expression));
  const rank = readAll(query.rank);
  const order = readAll(query.order);
  const limit = query.limit ?? MAX_ROWS;
  const top = createTop<Item>((a, b) => compareBy(query.rank, a.rank, b.rank), limit);
  const last: Item[] = [];
  const seen = new Set<string>();
  let count = 0;

  return {
    add(row) {
      const cells = select.map((read) => read(row));
      if (query.isDistinct && !isNew(seen, cells)) return;
      count += 1;
      const item = {
        cells,
        rank: rank.map((read) => read(row)),
        order: order.map((read) => read(row)),
      };
      if (query.fromEnd) {
        last.push(item);
        if (last.length > limit) last.shift();
      } else top.add(item);
      if (query.limit === undefined && count > MAX_ROWS) throw tooMany();
    },
    finish() {
      const { items, cutsTie } = query.fromEnd ? { items: last, cutsTie: false } : top.finish();
      const sorted = items.toSorted((a, b) => compareBy(query.order, a.order, b.order));
      const notes = cutsTie && query.rank.length > 0 ? [tieNote] : [];
      return { columns: columnsOf(table, query), rows: sorted.map(({ cells }) => cells), notes };
    },
  };
}

/** Compares two lists of values by a list of orders. */
export function compareBy(
  orders: readonly Order[],
  a: readonly Value[],
  b: readonly Value[],
): number {
  for (const [at, { direction, asText }] of orders.entries()) {
    const order = compareValues(a[at] ?? null, b[at] ?? null, direction, asText);
    if (order !== 0) return order;
  }
  return 0;
}

/** Said where the cut of a top list goes through equal values. */
export const tieNote =
  'More entries have the same value as the last one shown; of those, the first in the file are shown.';

function isNew(seen: Set<string>, cells: readonly Value[]): boolean {
  const key = JSON.stringify(cells);
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function columnsOf(table: Table, query: Query): ResultColumn[] {
  return query.select.map(({ name, expression }) => ({
    name,
    unit: expression.kind === 'column' ? columnOf(table, expression.column).unit : undefined,
  }));
}

const tooMany = (): TaskError =>
  new TaskError(
    'TOO_MANY_ROWS',
    `The answer has more than ${MAX_ROWS} rows. Ask for the first N, or filter.`,
  );
