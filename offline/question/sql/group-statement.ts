import { wayOf } from '../read/figures/superlatives.ts';
import type { Source } from '../read/grammar.ts';
import {
  type Composed,
  clause,
  groupClause,
  type Item,
  isOfSense,
  itemOf,
  keyedGroups,
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
  isCounting,
  isMeasure,
  type Measure,
  measureSql,
  measureWords,
  type Order,
  type Query,
  rounded,
  unclear,
} from './query.ts';
import { quoteName } from './quote.ts';

function groupItems({ groups, measures, decimals }: Query): Item[] {
  const names = new Set<string>();
  const unique = (name: string): string => {
    let one = name;
    for (let n = 2; names.has(one.toLowerCase()); n += 1) one = `${name} ${n}`;
    names.add(one.toLowerCase());
    return one;
  };
  return [
    ...groups.map((value) => ({ ...itemOf(value, unique(value.words)), sql: value.sql })),
    ...measures.map((measure) => {
      const isTotal = measure.of?.column?.unit && measure.fn === 'sum';
      const name = unique(`${measure.name}${isTotal ? ' (seconds)' : ''}`);
      const source = /^m(?:in|ax)$/.test(measure.fn) ? measure.of?.column : undefined;
      const isDuration = measure.of?.column?.unit && /^(?:avg|median|min|max)$/.test(measure.fn);
      const isNumber = source?.isNumber !== false && !isDuration;
      const figure = rounded(measure, isNumber ? decimals : undefined);
      const sql = isDuration ? `time(${figure}, 'unixepoch')` : figure;
      return { name, sql, measure, column: { name, source, isNumber } };
    }),
  ];
}

/** Composes a statement that calculates figures, for all rows or for groups. */
export function groupStatement(asked: Query, { table }: Source): Composed {
  const query = { ...asked, measures: eachOnce(asked.measures) };
  const { groups, measures, limit, rounded: said } = query;
  const items = keyedGroups(groupItems(query), query);
  const isGrouped = groups.length > 0;
  const same = measures.find(
    ({ fn, of }) =>
      !/^(?:count|distinct|share)$/.test(fn) && groups.some(({ sql }) => sql === of?.sql),
  );
  if (same?.of)
    throw unclear(`"${same.name}" is the same in all rows of a group. Name another group.`);
  if (!isGrouped && query.orders.some(({ by, name }) => by ?? name))
    throw unclear('A single figure has no order. Name a column to group by.');
  if (said !== undefined && !items.some((item) => item.measure && nameFits(item, said)))
    throw unclear(`"${said}" can't be rounded. Name a calculation of the answer.`);
  if (query.slice)
    throw unclear('The first or last rows and a calculation do not go together. Ask for one.');
  const orders = isGrouped ? groupOrders(query, items) : [];
  const having = query.having.map(({ measure, op, value }) => ({
    sql: `${measureSql(measure)} ${op} ${value}`,
    words: `${measureWords(measure)} ${op} ${value}`,
  }));
  const withEmpty = groups.filter(({ column }) => limit !== undefined && column?.hasEmpty);
  for (const { sql, words } of withEmpty)
    having.push({ sql: `${sql} <> ''`, words: `${words} is not empty` });
  if (having.length > 0 && measures.some(({ fn, where }) => fn === 'share' && where.length === 0))
    throw unclear('The share would be of the shown groups only. Ask for the share of all groups.');
  const where = whereClause(query);
  const per = groupClause(
    groups.map(({ sql, key = sql, words, part, column }) => ({
      ...{ sql: key, words: part && column ? `${part} of ${column.name}` : words },
    })),
    'per',
  );
  const rest = [
    ...clause(having, ['HAVING', ' AND '], ['only groups where', ' and ']),
    ...orderClause(orders),
    ...limitClause(query, limit),
  ];
  const select = [`SELECT ${items.map(named).join(', ')}`, `FROM ${table.sql}`];
  const figures = measures.map((measure) => `${measure.name} = ${measureWords(measure)}`);
  return {
    sql: [...select, ...sqlOf([...where, ...per, ...rest])].join('\n'),
    columns: items.map(({ column }) => column),
    readAs: [...figures, ...wordsOf([...per, ...where, ...rest]), ...meaningsOf(query)],
    limit,
    goesBy: orders[0]?.name,
  };
}

/** A calculation that is asked for twice is shown once: `the month with the most charters, and how many`. */
const eachOnce = (all: readonly Measure[]): Measure[] =>
  all.filter((one, at) => all.findIndex((other) => measureSql(other) === measureSql(one)) === at);

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

/** Orders by an output. Groups without values come last. */
function byItem({ name, measure }: Item, direction: Direction): SqlOrder {
  const isFull = !measure || direction === 'desc' || isCounting(measure) || measure.fn === 'share';
  return orderOf(quoteName(name), name, direction, isFull ? '' : ' NULLS LAST');
}

/** `biggest amount first`, of one calculation. */
function onlyFigure({ name = '' }: Order, query: Query, items: readonly Item[]): Item | undefined {
  const isPlain = /^(?:amount|number|value|total|sum|figure|count)s?$/.test(name);
  return isPlain && query.measures.length === 1 ? items.find(({ measure }) => measure) : undefined;
}

function groupOrder(order: Order, query: Query, items: readonly Item[]): SqlOrder {
  const { by, name, sense } = order;
  const item = items.find((one) => isOrdered(one, order)) ?? onlyFigure(order, query, items);
  const way = order.direction ?? (item?.value ? 'asc' : 'desc');
  const direction = wayOf(order.word ?? '', way, item?.measure ?? item?.value);
  if (item) return byItem(item, direction);
  if (isMeasure(by)) return orderOf(measureSql(by), measureWords(by), direction);
  const defined = name === undefined ? undefined : query.definitions.get(name);
  if (defined) return orderOf(measureSql(defined), defined.name, direction);
  if (sense !== undefined)
    throw unclear(`The column to order by is missing: no ${sense} is shown. Add "by …".`);
  const shown = items.map((one) => one.name).join(', ');
  throw unclear(`The answer has no "${name ?? by?.words ?? ''}" to order by, but: ${shown}.`);
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
