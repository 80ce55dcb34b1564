import { deeds } from '../../language/lexicon.ts';
import { singular } from '../../language/words.ts';
import type { Column, Table } from './schema.ts';

/** A key of one table that points to a row of another one. */
interface Link {
  readonly from: Table;
  readonly column: Column;
  readonly to: Table;
  readonly key: Column;
}

/** A foreign key as it is declared: table, column, other table, its column. */
export type Declared = readonly [table: string, column: string, target: string, key: string];

/**
 * The tables of a database with what connects them: each table with those that point to it (`customers without orders`),
 * and each table joined with those that its keys point to, directly or through others. Keys are declared, or columns such
 * as `customer_id` if there is a table `customers`. Columns of the other tables have the name of their table in front.
 */
export function connectTables(all: readonly Table[], keys: readonly Declared[]): readonly Table[] {
  const names = new Set(all.map(nounOf));
  const files = Object.assign({}, ...all.map(({ place }) => place.files));
  const tables = all.map((table) => ({
    ...table,
    place: { ...table.place, files },
    // `order_items` has rows of items, if there is a table of orders.
    nouns: new Set([...table.nouns].filter((noun) => noun === nounOf(table) || !names.has(noun))),
  }));
  const links = tables.flatMap((table) => linksOf(table, tables, keys));
  const marked = tables.map((table) => ({
    ...table,
    related: relatedTo(table, links),
    columns: table.columns.map((column) => ({
      ...column,
      isLink: links.some(({ from, column: own }) => from === table && own === column),
    })),
  }));
  return [...marked, ...tables.flatMap((table) => joined(table, links))];
}

const plain = (sql: string) => sql.replaceAll('"', '');

const nounOf = ({ sql }: Table) => singular(plain(sql));

const relatedTo = (table: Table, links: readonly Link[]) =>
  links
    .filter(({ to }) => to === table)
    .map(({ from, column, key }) => ({
      noun: nounOf(from),
      verbs: deeds.flatMap(([noun, verbs]) => (from.nouns.has(noun) ? verbs : [])),
      columns: new Set(from.columns.flatMap(({ words }) => words)),
      exists: `EXISTS (SELECT 1 FROM ${from.sql} WHERE ${from.sql}.${column.sql} = ${table.sql}.${key.sql})`,
    }));

/** The links of a table, one to each other table. */
function linksOf(from: Table, tables: readonly Table[], keys: readonly Declared[]): Link[] {
  const declared = keys
    .filter(([table]) => table === plain(from.sql))
    .flatMap(([, column, target, key]) => {
      const to = tables.find(({ sql }) => plain(sql) === target);
      return linkOf(from, column, to, key);
    });
  if (declared.length > 0)
    return declared.filter(({ to }, at) => declared.findIndex((one) => one.to === to) === at);
  const found = from.columns.flatMap((column) => {
    const noun = column.words.slice(0, -1).join('');
    const isId = column.words.at(-1) === 'id' && noun !== '';
    const to = tables.find((one) => one !== from && nounOf(one).replaceAll('_', '') === noun);
    return isId && to ? linkOf(from, column.name, to, '') : sharedLinks(from, column, tables);
  });
  return found.filter(({ to }, at) => found.findIndex((one) => one.to === to) === at);
}

/** A column whose values are those of a key in another file: `product` of sales and of stock, `Customer` of orders. */
function sharedLinks(from: Table, column: Column, tables: readonly Table[]): Link[] {
  const values = [...column.values];
  if (from.format === 'sqlite' || column.isTime || column.truth || values.length < 2) return [];
  return tables.flatMap((to) => {
    const key = to.columns.find(
      (one) =>
        one.values.size === to.rows &&
        values.filter((value) => one.values.has(value)).length * 2 > values.length &&
        isKeyOf(column, one, to),
    );
    return to === from || !key || column.words.join(' ') === 'id'
      ? []
      : [{ from, column, to, key }];
  });
}

/** Whether a column means a row of a table by this key: it has its name, or that of the table, or its codes. */
function isKeyOf({ words, values, isNumber }: Column, key: Column, to: Table): boolean {
  const name = words.join(' ');
  if (name === key.words.join(' ')) return true;
  const noun = name.replace(/ (?:id|no|nr|number|code)$/, '').replaceAll(' ', '_');
  if (
    noun === nounOf(to) &&
    (key === to.columns[0] || /^(?:name|title)$/.test(key.words.join(' ')))
  )
    return true;
  const isCoded = /^(?:login|code|sku)$/.test(key.words.join(' ')) || [...values].every(hasDigit);
  const isKnown = [...values].every((value) => key.values.has(value));
  return key === to.columns[0] && !isNumber && values.size > 2 && isCoded && isKnown;
}

const hasDigit = (value: string): boolean => /\d/.test(value);

function linkOf(from: Table, name: string, to: Table | undefined, keyName: string): Link[] {
  const column = from.columns.find((one) => one.name === name);
  const key =
    to?.columns.find((one) => one.name === keyName) ??
    to?.columns.find((one) => one.name === name || one.name.toLowerCase() === 'id');
  return column && to && key && to !== from ? [{ from, column, to, key }] : [];
}

/** The table joined with all that its keys lead to; none if it has no keys. */
function joined(table: Table, links: readonly Link[]): Table[] {
  const path: Link[] = [];
  const reached = new Set([table]);
  for (const from of reached) {
    for (const link of links.filter((one) => one.from === from && !reached.has(one.to))) {
      path.push(link);
      reached.add(link.to);
    }
  }
  if (path.length === 0) return [];
  const own = table.columns
    .filter((column) => !path.some((link) => link.column === column))
    .map((column) => qualified(column, table));
  const others = path.flatMap((link) =>
    link.to.columns
      .filter((column) => column.words.at(-1) !== 'id' && column.words.join(' ') !== 'id')
      .map((column) => foreign(column, link)),
  );
  const joins = path.map(({ from, column, to, key }) => ({
    ...{ to: to.sql, from: from.sql },
    sql: `LEFT JOIN ${to.sql} ON ${to.sql}.${key.sql} = ${from.sql}.${column.sql}`,
  }));
  const keys = path.map(({ from, column }) => ({
    ...qualified(column, from),
    isLink: true,
  }));
  const direct = keys.filter((_key, at) => path[at]?.from === table);
  return [
    {
      ...table,
      sql: [table.sql, ...joins.map(({ sql }) => sql)].join(' '),
      joins,
      columns: [...own, ...direct, ...others],
      isWhole: table.isWhole && path.every(({ to }) => to.isWhole),
      related: [],
    },
  ];
}

/** A statement about joined tables without the joins that it does not need. */
export function withoutIdleJoins(sql: string, table: Table): string {
  const { joins = [] } = table;
  const rest = sql.replaceAll(table.sql, '');
  const needed = new Set<string>();
  for (const { to, from } of joins.toReversed())
    if (needed.has(to) || rest.includes(`${to}.`)) needed.add(to).add(from);
  const idle = joins.filter(({ to }) => !needed.has(to));
  return idle.reduce((left, join) => left.replaceAll(` ${join.sql}`, ''), sql);
}

const qualified = (column: Column, { sql }: Table): Column => ({
  ...column,
  sql: column.sqlIn(`${sql}.`),
  shown: column.shown && `${sql}.${column.shown}`,
});

/** Names `customers.name` `customer name`. Customers of one name are still different ones. */
const foreign = (column: Column, { to, key }: Link): Column => ({
  ...qualified(column, to),
  name: `${nounOf(to)} ${column.name}`,
  words: [...nounOf(to).split('_'), ...column.words.filter((word) => word !== nounOf(to))],
  key: /^(?:name|title)$/.test(column.name.toLowerCase()) ? `${to.sql}.${key.sql}` : undefined,
});
