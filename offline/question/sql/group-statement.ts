import type { Reader } from '../read/reader.ts';
import { quoteName } from '../table/schema.ts';
import { allOf } from './all-of.ts';
import type { Composed, OutputColumn } from './compose-sql.ts';
import { keyed, nameFits } from './keys.ts';
import { measureSql, measureWords } from './measure-sql.ts';
import type { Direction, Expression, Measure, Order, Query } from './query.ts';
import { isMeasure, unclear } from './resolve.ts';
import { isOfSense, noneOfSense } from './sense.ts';

export interface Item {
  readonly name: string;
  readonly sql: string;
  readonly column: OutputColumn;
  readonly measure: Measure | undefined;
  readonly expression: Expression | undefined;
}

const rounded = (sql: string, decimals: number | undefined, isCounting: boolean): string => {
  if (decimals === undefined || isCounting) return sql;
  return decimals === 0 ? `CAST(round(${sql}) AS INTEGER)` : `round(${sql}, ${decimals})`;
};

function groupItems({ groups, measures, decimals }: Query): Item[] {
  const names = new Set<string>();
  const unique = (name: string): string => {
    let one = name;
    for (let n = 2; names.has(one.toLowerCase()); n += 1) one = `${name} ${n}`;
    names.add(one.toLowerCase());
    return one;
  };
  return [
    ...groups.map((expression) => {
      const name = unique(expression.words);
      const source = expression.part ? undefined : expression.column;
      return {
        name,
        sql: expression.sql,
        measure: undefined,
        expression,
        column: { name, source, isNumber: source?.isNumber === true },
      };
    }),
    ...measures.map((measure) => {
      const name = unique(measure.name);
      const isCounting = measure.fn === 'count' || measure.fn === 'distinct';
      const isNumber =
        !['min', 'max'].includes(measure.fn) || measure.of?.column?.isNumber !== false;
      const source = ['min', 'max'].includes(measure.fn) ? measure.of?.column : undefined;
      return {
        name,
        sql: rounded(measureSql(measure), isNumber ? decimals : undefined, isCounting),
        measure,
        expression: undefined,
        column: { name, source, isNumber },
      };
    }),
  ];
}

export function groupStatement(query: Query, reader: Reader): Composed {
  const items = keyed(groupItems(query), query);
  const isGrouped = query.groups.length > 0;
  if (!isGrouped && query.orders.some(({ by, name }) => by ?? name))
    throw unclear('One figure has no order: name what to group by.');
  const { rounded } = query;
  if (rounded !== undefined && !items.some((item) => item.measure && nameFits(item, rounded)))
    throw unclear(`"${rounded}" is to be rounded, and is none of what is shown.`);
  if (query.slice)
    throw unclear('The first or last rows and a calculation do not go together: ask for one.');
  const orders = isGrouped ? groupOrders(query, items) : [];
  const having = query.having.map(({ measure, op, value }) => ({
    sql: `${measure ? measureSql(measure) : 'count(*)'} ${op} ${value}`,
    words: `${measure ? measureWords(measure) : 'number of rows'} ${op} ${value}`,
  }));
  const lines = [
    ...clause('SELECT', items.map(named)),
    `FROM ${reader.table.sql}`,
    ...clause(
      'WHERE',
      allOf(query.where).map(({ sql }) => sql),
      ' AND ',
    ),
    ...clause(
      'GROUP BY',
      query.groups.map(({ sql }) => sql),
    ),
    ...clause(
      'HAVING',
      having.map(({ sql }) => sql),
      ' AND ',
    ),
    ...clause(
      'ORDER BY',
      orders.map(({ sql }) => sql),
    ),
    ...limitOf(query, query.limit),
  ];
  const readAs = [
    ...query.measures.map(explained),
    ...clause('per', query.groups.map(perWords), ' and '),
    ...whereWords(query),
    ...clause(
      'only groups where',
      having.map(({ words }) => words),
      ' and ',
    ),
    ...clause(
      'ordered by',
      orders.map(({ words }) => words),
      ', then ',
    ),
    ...firstWords(query, query.limit),
  ];
  const columns = items.map(({ column }) => column);
  return { sql: lines.join('\n'), columns, readAs, limit: query.limit, goesBy: orders[0]?.name };
}

/** A clause of a statement; nothing if it is empty. */
export const clause = (word: string, parts: readonly string[], joiner = ', '): string[] =>
  parts.length === 0 ? [] : [`${word} ${parts.join(joiner)}`];

/** An output of a statement under its name. */
export const named = ({ sql, name }: { readonly sql: string; readonly name: string }): string =>
  sql === quoteName(name) ? sql : `${sql} AS ${quoteName(name)}`;

const explained = (measure: Measure): string => `${measure.name} = ${measureWords(measure)}`;

const perWords = ({ words, part, column }: Expression): string =>
  part && column ? `${part} of ${column.name}` : words;

export interface SqlOrder {
  /** The name of the output, if there is one. */
  readonly name: string;
  readonly sql: string;
  readonly words: string;
}

export const orderOf = (sql: string, words: string, direction: Direction): SqlOrder => ({
  name: words,
  sql: `${sql}${direction === 'desc' ? ' DESC' : ''}`,
  words: `${words} ${direction === 'desc' ? 'descending' : 'ascending'}`,
});

function groupOrders(query: Query, items: readonly Item[]): SqlOrder[] {
  const said = query.orders.map((order) => orderItem(order, query, items));
  const [group] = query.groups;
  const firstGroup = items.find(({ expression }) => expression !== undefined);
  const firstMeasure = items.find(({ measure }) => measure !== undefined);
  const isByMeasure =
    query.orders.every(({ isTie }) => isTie) && !group?.part && !group?.column?.isTime;
  const all = [
    ...(isByMeasure && firstMeasure ? [byName(firstMeasure, 'desc')] : []),
    ...said,
    ...(firstGroup ? [byName(firstGroup, 'asc')] : []),
  ];
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
}

const byName = ({ name }: Item, direction: Direction): SqlOrder => ({
  ...orderOf(quoteName(name), name, direction),
  name,
});

/** A group without values is not the lowest one. */
const emptyLast = (order: SqlOrder, { measure }: Item): SqlOrder =>
  measure === undefined ||
  /^(?:count|distinct|share)$/.test(measure.fn) ||
  order.sql.endsWith('DESC')
    ? order
    : { ...order, sql: `${order.sql} NULLS LAST` };

/** The output that an order means. */
function orderedItem({ by, name, sense }: Order, items: readonly Item[]): Item | undefined {
  if (by !== undefined || name !== undefined) return items.find((one) => fitsOrder(one, by, name));
  return items.find(({ measure, expression }) =>
    sense === undefined ? measure !== undefined : isOfSense(expression, sense),
  );
}

function orderItem(order: Order, query: Query, items: readonly Item[]): SqlOrder {
  const { by, name, direction, sense } = order;
  const item = orderedItem(order, items);
  if (item) return emptyLast(byName(item, direction ?? (item.measure ? 'desc' : 'asc')), item);
  if (isMeasure(by)) return orderOf(measureSql(by), measureWords(by), direction ?? 'desc');
  const named = name === undefined ? undefined : query.definitions.get(name);
  if (named) return orderOf(measureSql(named), named.name, direction ?? 'desc');
  if (sense !== undefined) throw noneOfSense(sense);
  throw unclear(
    `"${name ?? by?.words ?? ''}" is none of what is shown (${items.map((one) => one.name).join(', ')}), so the answer can't be ordered by it.`,
  );
}

function fitsOrder(item: Item, by: Order['by'], name: string | undefined): boolean {
  if (isMeasure(by))
    return (
      item.measure !== undefined &&
      measureSql(item.measure) ===
        measureSql({
          ...by,
          where:
            item.measure.where.length > 0 && by.where.length === 0 ? item.measure.where : by.where,
        })
    );
  if (by !== undefined) {
    if (item.expression?.sql === by.sql) return true;
    return item.measure?.of?.sql === by.sql;
  }
  return name !== undefined && nameFits(item, name);
}

export const limitOf = ({ skip }: Query, limit: number | undefined): string[] =>
  limit === undefined ? [] : [`LIMIT ${limit}${skip === undefined ? '' : ` OFFSET ${skip}`}`];

export const firstWords = ({ skip }: Query, limit: number | undefined): string[] => {
  if (limit === undefined) return [];
  return [skip === undefined ? `the first ${limit}` : `number ${skip + 1}`];
};

export const whereWords = ({ where }: Query): string[] =>
  where.length === 0
    ? []
    : [
        `only rows where ${allOf(where)
          .map(({ words }) => words)
          .join(' and ')}`,
      ];
