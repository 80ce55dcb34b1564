import { singular } from '../../language/words.ts';
import type { Place } from './place.ts';
import { type Column, type Related, serial, type Table } from './schema.ts';

/** A foreign key: a column of one table that refers to a row of another. */
interface Link {
  readonly from: Table;
  readonly column: Column;
  readonly to: Table;
  readonly key: Column;
}

/** Gives each table those that refer to it (`customers without orders`), and joins it with those that its keys refer to. Keys are declared, or columns such as `customer_id`. */
export function connectTables(all: readonly Table[]): readonly Table[] {
  const names = new Set(all.map(nounOf));
  const place = placeOfAll(all);
  const tables = all.map((table) => ({
    ...table,
    place,
    // If there is a table of orders, a row of `order_items` is an item.
    nouns: new Set([...table.nouns].filter((noun) => noun === nounOf(table) || !names.has(noun))),
  }));
  const links = tables.flatMap((table) => linksOf(table, tables));
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

/** The files and the database of all tables. At most one is a database. */
export function placeOfAll(all: readonly Table[]): Place {
  const files: NonNullable<Place['files']> = Object.assign(
    {},
    ...all.map(({ place }) => place.files),
  );
  const own = all.filter(({ place }) => place.database !== undefined);
  const database = own[0]?.place.database;
  if (database === undefined) return { files };
  const isMixed = own.length < all.length;
  return { database, ...(isMixed && { files, tables: own.map(({ sql }) => plain(sql)) }) };
}

const plain = (sql: string) => sql.replaceAll('"', '');

const nounOf = ({ sql }: Table) => singular(plain(sql));

/** The tables that refer to a table, directly or through another one: the returns of the orders of a customer. */
function relatedTo(table: Table, links: readonly Link[]): readonly Related[] {
  const on = ({ from, column, to, key }: Link) =>
    `${from.sql}.${column.sql} = ${key.sqlIn(`${to.sql}.`)}`;
  const near = links.filter(({ to }) => to === table);
  const direct = near.map((link) => ({
    last: link,
    isNear: true,
    sql: `FROM ${link.from.sql} WHERE ${on(link)}`,
  }));
  const further = near.flatMap((link) =>
    links
      .filter(({ to, from }) => to === link.from && from !== table)
      .filter(({ from }) => near.every((one) => one.from !== from))
      .map((last) => ({
        ...{ last, isNear: false },
        sql: `FROM ${last.from.sql} JOIN ${link.from.sql} ON ${on(last)} WHERE ${on(link)}`,
      })),
  );
  return [...direct, ...further].map(({ last: { from, column: by }, isNear, sql }) => ({
    ...{ isNear, by },
    noun: nounOf(from),
    objects: new Set(
      links.flatMap((one) => (one.from === from && one.to !== table ? nounOf(one.to) : [])),
    ),
    table: { ...from, columns: from.columns.map((column) => qualified(column, from)) },
    sql,
  }));
}

/** The foreign keys of a table, at most one for each other table. */
function linksOf(from: Table, tables: readonly Table[]): Link[] {
  const declared = (from.keys ?? []).flatMap(([, column, target, key]) => {
    const to = tables.find(({ sql }) => plain(sql) === target);
    return linkOf(from, column, to, key);
  });
  const found = from.columns.flatMap((column) => {
    const noun = column.words.slice(0, -1).join('');
    const isId = column.words.at(-1) === 'id' && noun !== '';
    const to = tables.find((one) => one !== from && nounOf(one).replaceAll('_', '') === noun);
    return isId && to ? linkOf(from, column.name, to, '') : sharedLinks(from, column, tables);
  });
  // A database that declares keys has no others.
  const isOpen = ({ to }: Link) => declared.length === 0 || to.path !== from.path;
  const all = [...declared, ...found.filter(isOpen)];
  return all.filter(({ to }, at) => all.findIndex((one) => one.to === to) === at);
}

/** The links of a column whose values are those of a key in another table: `product` in sales and in stock. */
function sharedLinks(from: Table, column: Column, tables: readonly Table[]): Link[] {
  const values = [...column.values];
  if (column.isTime || column.truth || values.length < 2) return [];
  return tables.flatMap((to) => {
    const key = [...to.columns, ...(to.fullName ? [to.fullName] : [])].find(
      (one) =>
        one.values.size === to.rows &&
        values.filter((value) => one.values.has(value)).length * 2 > values.length &&
        (isKeyOf(column, one, to) || isOnlyName(from, column, one)),
    );
    // In one database, only a column with the same name.
    const isNear = to.path !== from.path || (to !== from && key?.name === column.name);
    return !isNear || !key || serial.test(column.words.join(' '))
      ? []
      : [{ from, column, to, key }];
  });
}

/** Whether a column refers to rows by a key: it has the name of the key or of the table, or the codes of the key. */
function isKeyOf({ words, values, isNumber }: Column, key: Column, to: Table): boolean {
  const name = words.join(' ');
  const own = key.words.join(' ');
  // The values of another column may be unique by chance.
  const isNaming =
    key === to.columns[0] || /^(?:name|title|login|code|sku)$/.test(own) || to.nouns.has(own);
  if (name === own && isNaming) return true;
  const noun = name.replace(/ (?:id|no|nr|number|code)$/, '').replaceAll(' ', '_');
  if (
    noun === nounOf(to) &&
    (key === to.columns[0] || /^(?:name|title)$/.test(key.words.join(' ')))
  )
    return true;
  const isCoded =
    /^(?:login|code|sku)$/.test(key.words.join(' ')) ||
    [...values].every((value) => /\d/.test(value));
  const isKnown = [...values].every((value) => key.values.has(value));
  if (key === to.fullName) return isKnown || noun === nounOf(to);
  return key === to.columns[0] && !isNumber && values.size > 2 && isCoded && isKnown;
}

/** Whether a column has full names of a key, as no other column: a goal with a scorer and an assist names two players. */
const isOnlyName = ({ columns }: Table, { values, name }: Column, key: Column): boolean =>
  /^(?:name|full name)$/.test(key.words.join(' ')) &&
  [...values].every((value) => /^\p{Lu}\S* \S/u.test(value) && key.values.has(value)) &&
  columns.every(
    (one) => one.name === name || ![...one.values].some((text) => key.values.has(text)),
  );

function linkOf(from: Table, name: string, to: Table | undefined, keyName: string): Link[] {
  const column = from.columns.find((one) => one.name === name);
  const key =
    to?.columns.find((one) => one.name === keyName) ??
    to?.columns.find((one) => one.name === name || one.name.toLowerCase() === 'id');
  return column && to && key && to !== from ? [{ from, column, to, key }] : [];
}

/** The table joined with all tables that its keys refer to. Empty if it has no keys. */
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
  const isOpen = path.some(mayLeadNowhere);
  const own = table.columns
    .filter((column) => !path.some((link) => link.column === column))
    .map((column) => qualified(column, table));
  const others = path.flatMap((link) =>
    [...link.to.columns, ...(link.to.fullName ? [link.to.fullName] : [])]
      .filter((column) => column.words.at(-1) !== 'id' && column.words.join(' ') !== 'id')
      .map((column) => foreign(column, link, isOpen)),
  );
  const joins = path.map(({ from, column, to, key }) => ({
    ...{ to: to.sql, from: from.sql },
    sql: `LEFT JOIN ${to.sql} ON ${key.sqlIn(`${to.sql}.`)} = ${from.sql}.${column.sql}`,
  }));
  const keys = path.map(({ from, column }) => ({ ...qualified(column, from), isLink: true }));
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

/** Whether a row may refer to none of the other table. */
const mayLeadNowhere = ({ from, column, to, key }: Link): boolean =>
  !(from.isWhole && to.isWhole) ||
  column.hasEmpty === true ||
  [...column.values].some((value) => !key.values.has(value));

/** Removes the joins that a statement does not need. */
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

/** A column of a joined table: `customer name` for `customers.name`. Customers with the same name remain different. */
const foreign = (
  column: Column,
  { from, column: own, to, key }: Link,
  isOpen: boolean,
): Column => ({
  ...qualified(column, to),
  owner: isOpen ? { noun: nounOf(to), key: key.sqlIn(`${to.sql}.`) } : undefined,
  link: own.sqlIn(`${from.sql}.`),
  name: `${nounOf(to)} ${column.name}`,
  words: [...nounOf(to).split('_'), ...column.words.filter((word) => word !== nounOf(to))],
  key: /^(?:name|title)$/.test(column.name.toLowerCase()) ? key.sqlIn(`${to.sql}.`) : undefined,
});
