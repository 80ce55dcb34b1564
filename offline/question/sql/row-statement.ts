import { wayOf } from '../read/figures/superlatives.ts';
import type { Source } from '../read/grammar.ts';
import { isAmount, type Table } from '../table/schema.ts';
import {
  type Clause,
  type Composed,
  groupClause,
  type Item,
  isOfSense,
  itemOf,
  keyedRows,
  limitClause,
  meaningsOf,
  named,
  nameFits,
  orderClause,
  orderOf,
  type SqlOrder,
  sqlOf,
  whereClause,
  wordsOf,
} from './clauses.ts';
import {
  type Direction,
  isMeasure,
  type Order,
  orNull,
  type Query,
  type Rank,
  subjectOf,
  unclear,
  type Value,
} from './query.ts';
import { quoteName } from './quote.ts';
import { DEFAULT_COUNT } from './resolve.ts';

/** The columns of an access log that are shown by default. */
const logColumns = /^(?:time|client|method|path|status|bytes|request_time|.*_ms|line)$/;

const logOrder = (name: string) => {
  const at = ['time', 'client', 'method', 'path', 'status', 'bytes'].indexOf(name);
  return at < 0 ? (name === 'line' ? 8 : 7) : at;
};

/** The outputs of rows: the columns that are asked for, else all. */
function rowItems(query: Query, { table }: Source): readonly Item[] {
  const subject = subjectOf(query);
  if (query.columns.length > 0) return query.columns.map((one) => itemOf(one));
  if (subject) return [itemOf(subject)];
  const shown = table.isLog
    ? table.columns
        .filter(({ name }) => logColumns.test(name))
        .toSorted((a, b) => logOrder(a.name) - logOrder(b.name))
    : table.columns.filter(({ isPart }) => !isPart);
  return shown.map((column) => itemOf({ sql: column.sql, words: column.name, column }));
}

/** Whether whole rows are shown. */
const isWhole = (query: Query, { isLog, sql }: Table): boolean =>
  query.columns.length === 0 &&
  !subjectOf(query) &&
  !(isLog || sql.includes(' JOIN ') || query.keys || query.shape);

function assertAsked({ subject, columns, where, orders, slice, rank }: Query): void {
  if (subject === undefined && columns.length + where.length + orders.length === 0)
    throw unclear('Nothing is asked about the table. Name columns, a calculation or a condition.');
  if (slice && (orders.length > 0 || rank))
    throw unclear(`"${slice.end}" and an order do not go together. Say "top ${slice.count}".`);
}

/** Composes a statement that shows rows. */
export function rowStatement(query: Query, source: Source): Composed {
  const { table } = source;
  const { rank, groups } = query;
  assertAsked(query);
  const isDistinct = query.isDistinct || (isOfValues(query) && !table.beginning);
  const items = keyedRows(rowItems(query, source), query, table);
  const isAll = isWhole(query, table);
  const orders = rowOrders(query, isAll ? [] : items, isDistinct);
  const isPlace = rank !== undefined && groups.length > 0;
  const tail = isPlace ? topOfEach(query, table, rank) : tailOf(query, `FROM ${table.sql}`, orders);
  const made = isPlace ? [] : madeOrder(query, table);
  const list = [...(isAll && !isPlace ? ['*'] : items.map(named)), ...made.map(named)].join(', ');
  const names = items.map(({ name }) => name).join(', ');
  const head = isDistinct ? `different values of ${names}` : isAll ? 'rows' : `rows (${names})`;
  return {
    sql: [`SELECT ${isDistinct ? 'DISTINCT ' : ''}${list}`, ...tail.lines].join('\n'),
    columns: [...items, ...made].map(({ column }) => column),
    readAs: [head, ...wordsOf([...whereClause(query), ...tail.words]), ...meaningsOf(query)],
    limit: tail.limit,
    goesBy: orders[0]?.name,
  };
}

const isOfValues = (query: Query): boolean =>
  subjectOf(query) !== undefined && query.columns.length === 0;

/** The calculated value that rows are ordered by, which is also shown. */
function madeOrder({ rank }: Query, { columns }: Table): readonly Item[] {
  const by = isMeasure(rank?.by) ? undefined : rank?.by;
  const isMade = by?.column && columns.every(({ name }) => name !== by.column?.name);
  return by && isMade ? [itemOf(by)] : [];
}

/** The part of a statement from FROM on, and its words. */
interface Tail {
  readonly lines: readonly string[];
  readonly words: readonly Pick<Clause, 'words'>[];
  readonly limit?: number | undefined;
}

const tailOf = (query: Query, from: string, orders: readonly SqlOrder[]): Tail =>
  query.slice && (query.slice.end === 'last' || query.groups.length > 0)
    ? lastRows(query, from, query.slice)
    : orderedRows(query, from, orders);

const eachGroup = ({ groups }: Query) => groupClause(groups, 'for each');

const sliceWords = ({ end, count }: NonNullable<Query['slice']>) => ({
  words: `the ${end} ${count} in the order of the file`,
});

function orderedRows(query: Query, from: string, orders: readonly SqlOrder[]): Tail {
  const { rank, slice } = query;
  const limit = rank ? (rank.count ?? query.limit ?? DEFAULT_COUNT) : query.limit;
  const order = orderClause(orders);
  const ends = limitClause(query, limit ?? slice?.count);
  return {
    lines: [from, ...sqlOf([...whereClause(query), ...order, ...ends])],
    words: [...order, ...(slice ? [sliceWords(slice)] : ends)],
    limit,
  };
}

/** The last rows of the file, or the first or last of each group. */
function lastRows(query: Query, from: string, slice: NonNullable<Query['slice']>): Tail {
  const { end, count } = slice;
  const each = eachGroup(query);
  const isOfAll = each.length === 0;
  const [, own = ''] = /^FROM (\S+) LEFT JOIN /.exec(from) ?? [];
  const rowid = own ? `${own}.rowid` : 'rowid';
  const rowids = isOfAll ? rowid : `${end === 'last' ? 'max' : 'min'}(${rowid})`;
  const ends = isOfAll ? [{ sql: `ORDER BY ${rowid} DESC LIMIT ${count}` }] : each;
  const inner = [`SELECT ${rowids} ${from}`, ...sqlOf([...whereClause(query), ...ends])];
  return {
    lines: [from, `WHERE ${rowid} IN (${inner.join(' ')})`, `ORDER BY ${rowid}`],
    words: [sliceWords(slice), ...each],
  };
}

/** The first rows of each group, with ties. */
function topOfEach(query: Query, { sql }: Table, { by, direction, count = 1 }: Rank): Tail {
  if (!by || isMeasure(by) || sql.includes(' JOIN '))
    throw unclear('The first rows of each group must be in one table. Name columns of one table.');
  const groups = sqlOf(query.groups).join(', ');
  const order = `${orNull(by)}${direction === 'desc' ? ' DESC' : ''} NULLS LAST`;
  const place = `rank() OVER (PARTITION BY ${groups} ORDER BY ${order}) AS place`;
  const inner = [`SELECT *, ${place}`, `FROM ${sql}`, ...sqlOf(whereClause(query))].join(' ');
  const most = direction === 'desc' ? 'highest' : 'lowest';
  return {
    lines: [`FROM (${inner})`, `WHERE place <= ${count}`, `ORDER BY ${groups}`],
    words: [{ words: `the ${count} with the ${most} ${by.words}` }, ...eachGroup(query)],
  };
}

function rowOrders(query: Query, shown: readonly Item[], isDistinct: boolean): SqlOrder[] {
  const { rank, orders } = query;
  const byValue = (value: Value, direction: Direction) =>
    orderOf(orNull(value), value.words, direction, ' NULLS LAST');
  const isOfRank = ({ by, name }: Order) => by === undefined && name === undefined && rank;
  if (orders.some((order) => isOfRank(order) && order.direction !== rank?.direction))
    throw unclear('Two orders are asked for. Say only one.');
  const found = rank?.by && !isMeasure(rank.by) ? [byValue(rank.by, rank.direction)] : [];
  for (const order of orders.filter((one) => !isOfRank(one))) {
    const { by, direction = 'asc' } = order;
    if (isMeasure(by)) throw unclear(`"${by.name}" is a calculation. Name a column to group by.`);
    const value = by ?? orderedOutput(shown, order);
    found.push(byValue(value, wayOf(order.word ?? '', direction, value)));
  }
  if (found.length > 0 || !isDistinct) return found;
  return shown.map(({ name }) => orderOf(quoteName(name), name, 'asc'));
}

/** The output that an order names, or the only one. */
function orderedOutput(all: readonly Item[], { name: said, sense, word }: Order): Value {
  const shown = sense === undefined ? all : all.filter(({ value }) => isOfSense(value, sense));
  const wanted = shown.find((item) => said !== undefined && nameFits(item, said) && item.value);
  const numbers = shown.filter(({ column: { source } }) => source && isAmount(source));
  const names = shown.filter(({ name }) => sense === 'text' && /(?:^| )(?:name|title)$/.test(name));
  const [only, ...others] = [shown, names].find(({ length }) => length === 1) ?? numbers;
  const found = said === undefined && others.length === 0 ? only : wanted;
  if (found?.value && word && isOfSense(found.value, 'text'))
    throw unclear(`"${word}" needs a column: add "by …".`);
  if (found?.value) return found.value;
  throw unclear(
    said === undefined
      ? 'The column to order by is missing: add "by …".'
      : `The answer has no column "${said}" to order by; its columns: ${shown.map(({ name }) => name).join(', ')}.`,
  );
}
