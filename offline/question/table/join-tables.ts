import { singular } from '../../language/words.ts';
import { type Column, quoteName, type Table } from './schema.ts';

interface Link {
  readonly from: Table;
  readonly column: Column;
  readonly to: Table;
  readonly key: Column;
}

/**
 * Each table joined with those that its keys point to: declared keys, or a column such as `customer_id` if there is
 * a table `customers` with an `id`. Columns of the other tables have the name of their table in front.
 */
export function joinedTables(
  tables: readonly Table[],
  keys: readonly (readonly string[])[],
): Table[] {
  return tables.flatMap((table) => {
    const links = linksOf(table, tables, keys);
    return links.length === 0 ? [] : [joined(table, links)];
  });
}

/** The tables, each with the tables that point to it: `customers without orders`. */
export function withRelated(
  tables: readonly Table[],
  keys: readonly (readonly string[])[],
): readonly Table[] {
  const links = tables.flatMap((table) => linksOf(table, tables, keys));
  return tables.map((table) => ({
    ...table,
    related: links
      .filter(({ to }) => to === table)
      .map(({ from, column, key }) => ({
        noun: nounOf(from),
        exists: `EXISTS (SELECT 1 FROM ${from.sql} WHERE ${from.sql}.${column.sql} = ${table.sql}.${key.sql})`,
      })),
  }));
}

const plain = (sql: string) => sql.replaceAll('"', '');

const nounOf = ({ sql }: Table) => singular(plain(sql));

function linksOf(
  table: Table,
  tables: readonly Table[],
  keys: readonly (readonly string[])[],
): Link[] {
  const declared = keys
    .filter(([from]) => from === plain(table.sql))
    .flatMap(([, from, target, to]) =>
      linkOf(
        table,
        from ?? '',
        tables.find(({ sql }) => plain(sql) === target),
        to ?? '',
      ),
    );
  if (declared.length > 0)
    return declared.filter(({ to }, at) => declared.findIndex((one) => one.to === to) === at);
  return table.columns.flatMap((column) => {
    const words = column.words;
    if (words.at(-1) !== 'id' || words.length < 2) return [];
    const target = tables.find(
      (other) =>
        other !== table && nounOf(other).replaceAll('_', '') === words.slice(0, -1).join(''),
    );
    return target ? linkOf(table, column.name, target, '') : [];
  });
}

function linkOf(from: Table, name: string, to: Table | undefined, keyName: string): Link[] {
  const column = from.columns.find((one) => one.name === name);
  const key =
    to?.columns.find((one) => one.name === keyName) ??
    to?.columns.find((one) => one.name === name || one.name.toLowerCase() === 'id');
  return column && to && key && to !== from ? [{ from, column, to, key }] : [];
}

function joined(table: Table, links: readonly Link[]): Table {
  const own = table.columns.map((column) => ({ ...column, sql: `${table.sql}.${column.sql}` }));
  const others = links.flatMap(({ to }) =>
    to.columns.filter(({ words }) => words.at(-1) !== 'id').map((column) => foreign(column, to)),
  );
  const names = new Set(table.columns.map(({ words }) => words.join(' ')));
  const joins = links.map(
    ({ column, to, key }) => `JOIN ${to.sql} ON ${to.sql}.${key.sql} = ${table.sql}.${column.sql}`,
  );
  return {
    ...table,
    sql: [table.sql, ...joins].join(' '),
    columns: [
      ...own,
      ...others.map((column) => (names.has(column.words.join(' ')) ? column : column)),
    ],
    isWhole: false,
  };
}

/** Names `customers.name` `customer name`. */
const foreign = (column: Column, to: Table): Column => ({
  ...column,
  name: `${nounOf(to)} ${column.name}`,
  sql: `${to.sql}.${quoteName(column.name)}`,
  words: [...nounOf(to).split('_'), ...column.words.filter((word) => word !== nounOf(to))],
});
