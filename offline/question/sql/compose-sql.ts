import type { Source } from '../read/grammar.ts';
import { withoutIdleJoins } from '../table/join-tables.ts';
import { type Column, quoteName, type Table } from '../table/schema.ts';
import { composeObject } from './compose-object.ts';
import { keyedGroups, keyedRows, nameFits } from './keys.ts';
import { isCounting, measureSql, measureWords, rounded } from './measure-sql.ts';
import {
  allOf,
  type Direction,
  isMeasure,
  type Measure,
  type Order,
  type Query,
  type Rank,
  unclear,
  type Value,
} from './query.ts';
import { DEFAULT_COUNT, resolve, withSharedConditions } from './resolve.ts';

/** One column of an answer. */
export interface OutputColumn {
  readonly name: string;
  /** The column of the table whose cells it shows unchanged. */
  readonly source: Column | undefined;
  readonly isNumber: boolean;
}

/** A question as one SQL statement. */
export interface Composed {
  readonly sql: string;
  /** Undefined: the statement gives one JSON object. */
  readonly columns: readonly OutputColumn[] | undefined;
  /** How the question was read, as phrases. */
  readonly readAs: readonly string[];
  /** The limit of rows, and the output that they are ordered by. */
  readonly limit?: number | undefined;
  readonly goesBy?: string | undefined;
  /** Whether the only row is one object. */
  readonly isObject?: boolean;
}

/** An output of a statement: a calculation, or a value of rows or groups. */
export interface Item {
  readonly name: string;
  readonly sql: string;
  readonly column: OutputColumn;
  readonly measure?: Measure | undefined;
  readonly value?: Value | undefined;
}

/** Composes the statement. @throws TaskError `NOT_UNDERSTOOD` or `AMBIGUOUS` if the parts do not fit together. */
export function composeSql(query: Query, source: Source): Composed {
  const isObject = query.shape?.isList === false;
  if (isObject && query.measures.length === 0) return composeObject(query, source);
  const resolved = withSharedConditions(resolve(query, source.table));
  const isOfRows = resolved.measures.length === 0;
  const composed = (isOfRows ? rowStatement : groupStatement)(resolved, source);
  const sql = withoutIdleJoins(composed.sql, source.table);
  return { ...composed, sql, isObject: isObject && !isOfRows };
}

/** A clause of a statement; nothing if it is empty. */
const clause = (word: string, parts: readonly string[], joiner = ', '): string[] =>
  parts.length === 0 ? [] : [`${word} ${parts.join(joiner)}`];

interface SqlOrder {
  readonly name: string;
  readonly sql: string;
  readonly words: string;
}

const orderOf = (sql: string, name: string, direction: Direction, nulls = ''): SqlOrder => ({
  name,
  sql: `${sql}${direction === 'desc' ? ' DESC' : ''}${nulls}`,
  words: `${name} ${direction === 'desc' ? 'descending' : 'ascending'}`,
});

const sqlOf = (parts: readonly { readonly sql: string }[]) => parts.map(({ sql }) => sql);
const wordsOf = (parts: readonly { readonly words: string }[]) => parts.map(({ words }) => words);

const limitSql = ({ skip }: Query, limit: number | undefined): string[] =>
  limit === undefined ? [] : [`LIMIT ${limit}${skip === undefined ? '' : ` OFFSET ${skip}`}`];

const limitWords = ({ skip }: Query, limit: number | undefined): string[] =>
  limit === undefined ? [] : [skip === undefined ? `the first ${limit}` : `number ${skip + 1}`];

const whereSql = ({ where }: Query) => clause('WHERE', sqlOf(allOf(where)), ' AND ');
const whereWords = ({ where }: Query) => clause('only rows where', wordsOf(allOf(where)), ' and ');

const named = ({ sql, name }: Item): string =>
  sql === quoteName(name) ? sql : `${sql} AS ${quoteName(name)}`;

/** The meanings of the words in a query: `took = duration_ms`. */
function meaningsOf({ subject, columns, groups, measures, where, orders, rank }: Query): string[] {
  const by = [...orders.map((order) => order.by), rank?.by];
  const all = [
    ...[...measures, ...by.filter(isMeasure)].flatMap((one) => [one.of, ...one.where]),
    ...[...groups, ...where, ...columns],
    ...[subject === 'rows' ? undefined : subject, ...by.filter((one) => !isMeasure(one))],
  ] as readonly ({ readonly meaning?: string } | undefined)[];
  return [...new Set(all.flatMap((one) => one?.meaning?.split('; ') ?? []))];
}

function groupItems({ groups, measures, decimals }: Query): Item[] {
  const names = new Set<string>();
  const unique = (name: string): string => {
    let one = name;
    for (let n = 2; names.has(one.toLowerCase()); n += 1) one = `${name} ${n}`;
    names.add(one.toLowerCase());
    return one;
  };
  return [
    ...groups.map((value) => {
      const name = unique(value.words);
      const source = value.part ? undefined : value.column;
      return {
        name,
        sql: value.sql,
        value,
        column: { name, source, isNumber: source?.isNumber === true },
      };
    }),
    ...measures.map((measure) => {
      const name = unique(measure.name);
      const source = /^m(?:in|ax)$/.test(measure.fn) ? measure.of?.column : undefined;
      const isNumber = source?.isNumber !== false;
      const sql = rounded(measure, isNumber ? decimals : undefined);
      return { name, sql, measure, column: { name, source, isNumber } };
    }),
  ];
}

function groupStatement(query: Query, { table }: Source): Composed {
  const { groups, measures, limit, rounded: said } = query;
  const items = keyedGroups(groupItems(query), query);
  const isGrouped = groups.length > 0;
  if (!isGrouped && query.orders.some(({ by, name }) => by ?? name))
    throw unclear('One figure has no order: name what to group by.');
  if (said !== undefined && !items.some((item) => item.measure && nameFits(item, said)))
    throw unclear(`"${said}" is to be rounded, and is none of what is shown.`);
  if (query.slice)
    throw unclear('The first or last rows and a calculation do not go together: ask for one.');
  const orders = isGrouped ? groupOrders(query, items) : [];
  const having = query.having.map(({ measure, op, value }) => ({
    sql: `${measureSql(measure)} ${op} ${value}`,
    words: `${measureWords(measure)} ${op} ${value}`,
  }));
  const lines = [
    ...clause('SELECT', items.map(named)),
    `FROM ${table.sql}`,
    ...whereSql(query),
    ...clause(
      'GROUP BY',
      groups.map(({ sql, key }) => key ?? sql),
    ),
    ...clause('HAVING', sqlOf(having), ' AND '),
    ...clause('ORDER BY', sqlOf(orders)),
    ...limitSql(query, limit),
  ];
  const perWords = ({ words, part, column }: Value) =>
    part && column ? `${part} of ${column.name}` : words;
  const readAs = [
    ...measures.map((measure) => `${measure.name} = ${measureWords(measure)}`),
    ...clause('per', groups.map(perWords), ' and '),
    ...whereWords(query),
    ...clause('only groups where', wordsOf(having), ' and '),
    ...clause('ordered by', wordsOf(orders), ', then '),
    ...limitWords(query, limit),
    ...meaningsOf(query),
  ];
  const columns = items.map(({ column }) => column);
  return { sql: lines.join('\n'), columns, readAs, limit, goesBy: orders[0]?.name };
}

function groupOrders(query: Query, items: readonly Item[]): SqlOrder[] {
  const [group] = query.groups;
  const firstGroup = items.find(({ value }) => value);
  const firstMeasure = items.find(({ measure }) => measure);
  const isByMeasure =
    query.orders.every(({ isTie }) => isTie) && !group?.part && !group?.column?.isTime;
  const all = [
    ...(isByMeasure && firstMeasure ? [byItem(firstMeasure, 'desc')] : []),
    ...query.orders.map((order) => groupOrder(order, query, items)),
    ...(firstGroup ? [byItem(firstGroup, 'asc')] : []),
  ];
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
}

/** A group without values is not the lowest one. */
function byItem({ name, measure }: Item, direction: Direction): SqlOrder {
  const isFull = !measure || direction === 'desc' || isCounting(measure) || measure.fn === 'share';
  return orderOf(quoteName(name), name, direction, isFull ? '' : ' NULLS LAST');
}

function groupOrder(order: Order, query: Query, items: readonly Item[]): SqlOrder {
  const { by, name, sense } = order;
  const item = items.find((one) => isOrdered(one, order));
  const direction = order.direction ?? (item?.value ? 'asc' : 'desc');
  if (item) return byItem(item, direction);
  if (isMeasure(by)) return orderOf(measureSql(by), measureWords(by), direction);
  const defined = name === undefined ? undefined : query.definitions.get(name);
  if (defined) return orderOf(measureSql(defined), defined.name, direction);
  if (sense !== undefined) throw noneOfSense(sense);
  const shown = items.map((one) => one.name).join(', ');
  throw unclear(
    `"${name ?? by?.words ?? ''}" is none of what is shown (${shown}), so the answer can't be ordered by it.`,
  );
}

function isOrdered(item: Item, { by, name, sense }: Order): boolean {
  if (by !== undefined || name !== undefined) return fitsOrder(item, by, name);
  return sense ? isOfSense(item.value, sense) : item.measure !== undefined;
}

function fitsOrder(item: Item, by: Order['by'], name: string | undefined): boolean {
  const { measure, value } = item;
  if (by === undefined) return name !== undefined && nameFits(item, name);
  if (!isMeasure(by)) return value?.sql === by.sql || measure?.of?.sql === by.sql;
  const where = by.where.length > 0 ? by.where : measure?.where;
  return measure !== undefined && measureSql(measure) === measureSql({ ...by, where: where ?? [] });
}

/** Whether a value is of the kind that an order asks for: a time or a text. */
function isOfSense(value: Value | undefined, sense: 'text' | 'time'): boolean {
  if (value === undefined) return false;
  const isTime = value.part !== undefined || value.column?.isTime === true;
  return sense === 'time' ? isTime : !isTime && value.column?.isNumber !== true;
}

const noneOfSense = (sense: string) =>
  unclear(`By which column to order is not said: no ${sense} is shown. Add "by …".`);

/** The columns of an access log that people look at. */
const logColumns = /^(?:time|client|method|path|status|bytes|request_time|.*_ms|line)$/;

const logOrder = (name: string) => {
  const at = ['time', 'client', 'method', 'path', 'status', 'bytes'].indexOf(name);
  return at < 0 ? (name === 'line' ? 8 : 7) : at;
};

function itemOf(value: Value, name = value.words): Item {
  const source = value.part ? undefined : value.column;
  return {
    name,
    sql: value.sql,
    value,
    column: { name, source, isNumber: source?.isNumber === true },
  };
}

/** The outputs of rows; all columns, if no other ones are asked for. */
function rowItems({ columns, subject }: Query, { table }: Source): readonly Item[] {
  if (columns.length > 0) return columns.map((one) => itemOf(one));
  if (subject !== undefined && subject !== 'rows') return [itemOf(subject)];
  const shown = table.isLog
    ? table.columns
        .filter(({ name }) => logColumns.test(name))
        .toSorted((a, b) => logOrder(a.name) - logOrder(b.name))
    : table.columns;
  return shown.map((column) => itemOf({ sql: column.sql, words: column.name, column }));
}

/** Whether the rows are shown as they are. */
const isWhole = ({ columns, subject, keys, shape }: Query, { isLog, sql }: Table): boolean =>
  columns.length === 0 &&
  (subject === undefined || subject === 'rows') &&
  !(isLog || sql.includes(' JOIN ') || keys || shape);

function assertAsked({ subject, columns, where, orders, slice, rank }: Query): void {
  if (subject === undefined && columns.length + where.length + orders.length === 0)
    throw unclear('What is wanted of the table is not said.');
  if (slice && (orders.length > 0 || rank))
    throw unclear(
      `"${slice.end}" and an order do not go together: say "top ${slice.count}" or "the ${slice.count} … with the highest …".`,
    );
}

function rowStatement(query: Query, { table, ...source }: Source): Composed {
  const { subject, columns, rank, groups } = query;
  assertAsked(query);
  const isOfValues = subject !== undefined && subject !== 'rows' && columns.length === 0;
  const isDistinct = query.isDistinct || (isOfValues && !table.beginning);
  const items = keyedRows(rowItems(query, { table, ...source }), query, table);
  const isAll = isWhole(query, table);
  const orders = rowOrders(query, isAll ? [] : items, isDistinct);
  const isPlace = rank !== undefined && groups.length > 0;
  const tail = isPlace ? topOfEach(query, table, rank) : tailOf(query, `FROM ${table.sql}`, orders);
  const list = isAll && !isPlace ? '*' : items.map(named).join(', ');
  const names = items.map(({ name }) => name).join(', ');
  const head = isDistinct ? `different values of ${names}` : isAll ? 'rows' : `rows (${names})`;
  return {
    sql: [`SELECT ${isDistinct ? 'DISTINCT ' : ''}${list}`, ...tail.lines].join('\n'),
    columns: items.map(({ column }) => column),
    readAs: [head, ...whereWords(query), ...tail.words, ...meaningsOf(query)],
    limit: tail.limit,
    goesBy: orders[0]?.name,
  };
}

/** A statement from FROM on, and its words. */
interface Tail {
  readonly lines: readonly string[];
  readonly words: readonly string[];
  readonly limit?: number | undefined;
}

const tailOf = (query: Query, from: string, orders: readonly SqlOrder[]): Tail =>
  query.slice && (query.slice.end === 'last' || query.groups.length > 0)
    ? lastRows(query, from, query.slice)
    : orderedRows(query, from, orders);

const eachWords = ({ groups }: Query) => clause('for each', wordsOf(groups), ' and ');

const sliceWords = ({ end, count }: NonNullable<Query['slice']>) =>
  `the ${end} ${count} in the order of the file`;

function orderedRows(query: Query, from: string, orders: readonly SqlOrder[]): Tail {
  const { rank, slice } = query;
  const limit = rank ? (rank.count ?? query.limit ?? DEFAULT_COUNT) : query.limit;
  const order = clause('ORDER BY', sqlOf(orders));
  const ends = slice ? [sliceWords(slice)] : limitWords(query, limit);
  return {
    lines: [from, ...whereSql(query), ...order, ...limitSql(query, limit ?? slice?.count)],
    words: [...clause('ordered by', wordsOf(orders), ', then '), ...ends],
    limit,
  };
}

/** The last rows of the file, or the first or last of each group. */
function lastRows(query: Query, from: string, slice: NonNullable<Query['slice']>): Tail {
  const { end, count } = slice;
  const groups = clause('GROUP BY', sqlOf(query.groups));
  const isOfAll = groups.length === 0;
  const rowids = isOfAll ? 'rowid' : `${end === 'last' ? 'max' : 'min'}(rowid)`;
  const ends = isOfAll ? [`ORDER BY rowid DESC LIMIT ${count}`] : groups;
  const inner = [`SELECT ${rowids} ${from}`, ...whereSql(query), ...ends].join(' ');
  return {
    lines: [from, `WHERE rowid IN (${inner})`, 'ORDER BY rowid'],
    words: [sliceWords(slice), ...eachWords(query)],
  };
}

/** The rows that come first in each group, all that are equal included. */
function topOfEach(query: Query, { sql }: Table, { by, direction, count = 1 }: Rank): Tail {
  if (!by || isMeasure(by) || sql.includes(' JOIN '))
    throw unclear('What comes first in each group can be found in one table only.');
  const groups = sqlOf(query.groups).join(', ');
  const order = `${by.sql}${direction === 'desc' ? ' DESC' : ''} NULLS LAST`;
  const place = `rank() OVER (PARTITION BY ${groups} ORDER BY ${order}) AS place`;
  const inner = [`SELECT *, ${place}`, `FROM ${sql}`, ...whereSql(query)].join(' ');
  const most = direction === 'desc' ? 'highest' : 'lowest';
  return {
    lines: [`FROM (${inner})`, `WHERE place <= ${count}`, `ORDER BY ${groups}`],
    words: [`the ${count} with the ${most} ${by.words}`, ...eachWords(query)],
  };
}

function rowOrders(query: Query, shown: readonly Item[], isDistinct: boolean): SqlOrder[] {
  const { rank, orders } = query;
  const byValue = ({ sql, words }: Value, direction: Direction) =>
    orderOf(sql, words, direction, ' NULLS LAST');
  const isOfRank = ({ by, name }: Order) => by === undefined && name === undefined && rank;
  if (orders.some((order) => isOfRank(order) && order.direction !== rank?.direction))
    throw unclear('Two orders are asked for: say one.');
  const found = rank?.by && !isMeasure(rank.by) ? [byValue(rank.by, rank.direction)] : [];
  for (const order of orders.filter((one) => !isOfRank(one))) {
    const { by, name, direction = 'asc', sense } = order;
    if (isMeasure(by)) throw unclear(`"${by.name}" is a calculation: name what to group by.`);
    found.push(byValue(by ?? orderedOutput(shown, name, sense), direction));
  }
  if (found.length > 0 || !isDistinct) return found;
  return shown.map(({ name }) => orderOf(quoteName(name), name, 'asc'));
}

/** The output that an order names, or the only one. */
function orderedOutput(
  all: readonly Item[],
  said: string | undefined,
  sense: Order['sense'],
): Value {
  const shown = sense === undefined ? all : all.filter(({ value }) => isOfSense(value, sense));
  const wanted = shown.find((item) => said !== undefined && nameFits(item, said) && item.value);
  const numbers = shown.filter(
    ({ column: { source } }) => source?.isNumber && !source.words.includes('id'),
  );
  const [only, ...others] = shown.length === 1 ? shown : numbers;
  const found = said === undefined && others.length === 0 ? only : wanted;
  if (found?.value) return found.value;
  throw unclear(
    said === undefined
      ? 'By which column to order is not said: add "by …".'
      : `There is no column "${said}" to order by.`,
  );
}
