import { TaskError } from '../task-error.ts';
import { compareValues, type Value } from './compare-values.ts';
import { columnOf, compileExpression } from './compile-expression.ts';
import type { Evaluation, ResultColumn } from './evaluation.ts';
import type { Dimension, Expression, Order, Query } from './query.ts';
import { shown } from './render.ts';
import { roundTo } from './round.ts';
import type { Row, Table } from './table.ts';
import { createTop } from './top-rows.ts';

/** Rows that one answer may list. */
const MAX_ROWS = 100_000;

interface Item {
  readonly cells: readonly Value[];
  /** As in `ResultTable`. */
  readonly texts: readonly (string | null)[] | null;
  /** The group that it is in, where the limit holds within groups. */
  readonly part: readonly Value[];
  /** Values to rank by, then to order by. */
  readonly rank: readonly Value[];
  readonly order: readonly Value[];
}

/** Answers a query that asks for rows. @throws TaskError `TOO_MANY_ROWS` over 100,000 rows. */
export function createListing(table: Table, query: Query): Evaluation {
  const readAll = (orders: readonly Order[]) =>
    orders.map(({ by }) => compileExpression(table, by as Expression));
  const compile = ({ expression }: Dimension) => compileExpression(table, expression);
  const readers = {
    select: query.select.map(compile),
    part: (query.partitionBy ?? []).map(compile),
  };
  const textsOf = createTextReader(table, query);
  const rank = readAll(query.rank);
  const order = readAll(query.order);
  const keep = createKeep(query);
  const seen = new Set<string>();

  return {
    add(row) {
      const cells = readers.select.map((read) => rounded(read(row), query.decimals));
      if (query.isDistinct && !isNew(seen, cells)) return;
      const part = readers.part.map((read) => read(row));
      keep.add({
        cells,
        texts: textsOf(row, cells),
        part,
        rank: rank.map((read) => read(row)),
        order: order.map((read) => read(row)),
      });
    },
    finish() {
      const { items, cutsTie } = keep.finish();
      const sorted = items.toSorted((a, b) => compareBy(query.order, a.order, b.order));
      const notes = cutsTie && query.rank.length > 0 ? [tieNote] : [];
      const rows = sorted.map(({ cells }) => cells);
      const texts = sorted.some((item) => item.texts)
        ? sorted.map((item) => item.texts)
        : undefined;
      return { columns: columnsOf(table, query), rows, texts, notes };
    },
  };
}

/** Reads the texts of number columns that are shown as they are; null if none of a row is written otherwise. */
function createTextReader(
  table: Table,
  { select, decimals }: Query,
): (row: Row, cells: readonly Value[]) => readonly (string | null)[] | null {
  const sources = select.map(({ expression }) => {
    const column = expression.kind === 'column' ? columnOf(table, expression.column) : undefined;
    return column?.type === 'number' && decimals === undefined ? column.index : undefined;
  });
  return (row, cells) => {
    const texts = sources.map((index, at) => {
      const text = index === undefined ? undefined : row[index];
      return typeof text === 'string' && text !== String(shown(cells[at] ?? '')) ? text : null;
    });
    return texts.some((text) => text !== null) ? texts : null;
  };
}

/** Keeps the items that the limit leaves: the first of the order, the last of the file, or the first of each group. */
function createKeep(query: Query): {
  add(item: Item): void;
  finish(): { items: Item[]; cutsTie: boolean };
} {
  if (query.partitionBy) return createPartitions(query);
  const limit = query.limit ?? MAX_ROWS;
  if (query.fromEnd) return createTail(limit);
  const top = createTop<Item>((a, b) => compareBy(query.rank, a.rank, b.rank), limit);
  let count = 0;
  return {
    add(item) {
      count += 1;
      if (query.limit === undefined && count > MAX_ROWS) throw tooMany();
      top.add(item);
    },
    finish: top.finish,
  };
}

function createTail(limit: number): {
  add(item: Item): void;
  finish(): { items: Item[]; cutsTie: boolean };
} {
  const items: Item[] = [];
  return {
    add(item) {
      items.push(item);
      if (items.length > limit) items.shift();
    },
    finish: () => ({ items, cutsTie: false }),
  };
}

function createPartitions(query: Query): {
  add(item: Item): void;
  finish(): { items: Item[]; cutsTie: boolean };
} {
  const parts = new Map<
    string,
    { key: readonly Value[]; top: ReturnType<typeof createTop<Item>> }
  >();
  const compare = (a: Item, b: Item) => compareBy(query.rank, a.rank, b.rank);
  return {
    add(item) {
      const id = JSON.stringify(item.part);
      const part = parts.get(id) ?? { key: item.part, top: createTop(compare, query.limit ?? 1) };
      parts.set(id, part);
      if (parts.size * (query.limit ?? 1) > MAX_ROWS) throw tooMany();
      part.top.add(item);
    },
    finish() {
      const byKey: Order[] = (query.partitionBy ?? []).map(({ expression }) => ({
        by: expression,
        direction: 'ascending',
      }));
      const sorted = [...parts.values()].sort((a, b) => compareBy(byKey, a.key, b.key));
      const finished = sorted.map(({ top }) => top.finish());
      return {
        items: finished.flatMap(({ items }) => items),
        cutsTie: finished.some(({ cutsTie }) => cutsTie),
      };
    },
  };
}

const rounded = (value: Value, decimals: number | undefined): Value =>
  typeof value === 'number' && decimals !== undefined ? roundTo(value, decimals) : value;

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
