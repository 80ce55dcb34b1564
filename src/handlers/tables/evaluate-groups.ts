import { TaskError } from '../task-error.ts';
import { type Accumulator, compileMeasure } from './accumulate.ts';
import type { Value } from './compare-values.ts';
import { compileExpression } from './compile-expression.ts';
import { compareBy, tieNote } from './evaluate-rows.ts';
import type { Evaluation, ResultColumn } from './evaluation.ts';
import type { Having, Order, Query } from './query.ts';
import { roundTo } from './round.ts';
import type { Row, Table } from './table.ts';

/** Groups that one answer may have. */
const MAX_GROUPS = 500_000;

interface Group {
  readonly key: readonly Value[];
  readonly measures: readonly Accumulator[];
}

/** Answers a query with measures, per group or over all rows. @throws TaskError `TOO_MANY_ROWS` over 500,000 groups. */
export function createGrouping(table: Table, query: Query): Evaluation {
  const readKey = query.groupBy.map(({ expression }) => compileExpression(table, expression));
  const missing = query.measures.map(() => 0);
  const makers = query.measures.map((measure, at) =>
    compileMeasure(table, measure, () => {
      missing[at] = (missing[at] ?? 0) + 1;
    }),
  );
  const groups = new Map<string, Group>();
  const groupOf = (key: readonly Value[]): Group => {
    const id = key.length === 1 ? `${typeof key[0]}${key[0]}` : JSON.stringify(key);
    const known = groups.get(id);
    if (known) return known;
    if (groups.size >= MAX_GROUPS) {
      throw new TaskError('TOO_MANY_ROWS', `There are more than ${MAX_GROUPS} groups.`);
    }
    const group = { key, measures: makers.map((make) => make()) };
    groups.set(id, group);
    return group;
  };
  if (query.groupBy.length === 0) groupOf([]);

  return {
    add(row: Row) {
      const group = groupOf(readKey.map((read) => read(row)));
      for (const measure of group.measures) measure.add(row);
    },
    finish() {
      const all = [...groups.values()].map(({ key, measures }) => [
        ...key,
        ...measures.map((measure) => measure.result()),
      ]);
      return {
        columns: columnsOf(query),
        ...present(query, all),
        notes: notesOf(query, all, missing),
      };
    },
  };
}

function present(query: Query, all: Value[][]): { rows: Value[][] } {
  const kept = all
    .filter((row) => passes(query, row))
    .sort((a, b) => compareOutputs(query.rank, a, b));
  const cut = query.limit === undefined ? kept : kept.slice(0, query.limit);
  const sorted = cut.toSorted((a, b) => compareOutputs(query.order, a, b));
  return { rows: sorted.map((row) => finishRow(query, row)) };
}

const passes = (query: Query, row: readonly Value[]): boolean =>
  query.having.every((having) => holds(having, row[query.groupBy.length + having.measure] ?? null));

function holds({ test, value }: Having, found: Value): boolean {
  if (typeof found !== 'number') return false;
  if (test === '=') return found === value;
  if (test === '<') return found < value;
  if (test === '<=') return found <= value;
  return test === '>' ? found > value : found >= value;
}

const compareOutputs = (
  orders: readonly Order[],
  a: readonly Value[],
  b: readonly Value[],
): number =>
  compareBy(
    orders,
    orders.map((order) => outputOf(order, a)),
    orders.map((order) => outputOf(order, b)),
  );

const outputOf = ({ by }: Order, row: readonly Value[]): Value =>
  'output' in by ? (row[by.output] ?? null) : null;

function finishRow(query: Query, row: readonly Value[]): Value[] {
  const dimensions = query.groupBy.length;
  return row.flatMap((value, at) => {
    if (at < dimensions) return [value];
    const measure = query.measures[at - dimensions];
    if (measure?.isHidden) return [];
    return [
      typeof value === 'number' ? roundTo(value, measure?.decimals ?? query.decimals) : value,
    ];
  });
}

function columnsOf({ groupBy, measures }: Query): ResultColumn[] {
  const shown = measures.filter(({ isHidden }) => !isHidden);
  return [
    ...groupBy.map(({ name }) => ({ name })),
    ...shown.map(({ name, unit }) => ({ name, unit })),
  ];
}

function notesOf(query: Query, all: readonly Value[][], missing: readonly number[]): string[] {
  const notes = query.measures.flatMap(({ name }, at) => {
    const count = missing[at] ?? 0;
    return count > 0 ? [`${count} rows have no value for "${name}" and are left out of it.`] : [];
  });
  if (query.limit === undefined || query.rank.length === 0) return notes;
  const kept = all
    .filter((row) => passes(query, row))
    .sort((a, b) => compareOutputs(query.rank, a, b));
  const [last, next] = [kept[query.limit - 1], kept[query.limit]];
  if (last && next && compareOutputs(query.rank, last, next) === 0) notes.push(tieNote);
  return notes;
}
