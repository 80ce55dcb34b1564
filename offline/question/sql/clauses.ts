import { nameWords } from '../../language/words.ts';
import { type Column, columnList, type Table } from '../table/schema.ts';
import {
  allOf,
  columnValue,
  type Direction,
  isMeasure,
  type Measure,
  type Query,
  rounded,
  subjectOf,
  unclear,
  type Value,
} from './query.ts';
import { quoteName } from './quote.ts';

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
  /** How the question was understood, as phrases. */
  readonly readAs: readonly string[];
  /** Counts the rows that refer to no row of a joined table, and so belong to no group. */
  readonly leftOut?: { readonly sql: string; readonly noun: string };
  readonly limit?: number | undefined;
  /** The name of the output that the rows are ordered by. */
  readonly goesBy?: string | undefined;
  /** Whether the answer is one row, shown as an object. */
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

/** The output of a value. A cell is shown as it is written. */
export function itemOf(value: Value, name = value.words): Item {
  const source = value.part ? undefined : value.column;
  const isCell = source?.shown !== undefined && value.sql === source.sql;
  return {
    ...{ name, sql: isCell ? (source.shown ?? '') : value.sql, value },
    column: { name, source, isNumber: !isCell && source?.isNumber === true },
  };
}

/** A part of a statement, as SQL and in words. */
export interface Clause {
  readonly sql: string;
  readonly words: string;
}

export interface SqlOrder extends Clause {
  readonly name: string;
}

/** A sort key. `nulls` is SQL such as ` NULLS LAST`. */
export const orderOf = (sql: string, name: string, direction: Direction, nulls = ''): SqlOrder => ({
  name,
  sql: `${sql}${direction === 'desc' ? ' DESC' : ''}${nulls}`,
  words: `${name} ${direction === 'desc' ? 'descending' : 'ascending'}`,
});

export const sqlOf = (parts: readonly Pick<Clause, 'sql'>[]) => parts.map(({ sql }) => sql);
export const wordsOf = (parts: readonly Pick<Clause, 'words'>[]) => parts.map(({ words }) => words);

/** Joins parts behind a keyword and a phrase, each given with what is between the parts. None if there are no parts. */
export const clause = (
  parts: readonly Clause[],
  [keyword, joiner]: readonly [string, string],
  [phrase, and]: readonly [string, string],
): readonly Clause[] =>
  parts.length === 0
    ? []
    : [
        {
          sql: `${keyword} ${sqlOf(parts).join(joiner)}`,
          words: `${phrase} ${wordsOf(parts).join(and)}`,
        },
      ];

export const whereClause = ({ where }: Query) =>
  clause(allOf(where), ['WHERE', ' AND '], ['only rows where', ' and ']);
export const orderClause = (orders: readonly Clause[]) =>
  clause(orders, ['ORDER BY', ', '], ['ordered by', ', then ']);
export const groupClause = (groups: readonly Clause[], phrase: string) =>
  clause(groups, ['GROUP BY', ', '], [phrase, ' and ']);

export const limitClause = ({ skip }: Query, limit: number | undefined): readonly Clause[] => {
  if (limit === undefined) return [];
  const [offset, words] =
    skip === undefined ? ['', `the first ${limit}`] : [` OFFSET ${skip}`, `number ${skip + 1}`];
  return [{ sql: `LIMIT ${limit}${offset}`, words }];
};

/** SQL of an output under its name. */
export const named = ({ sql, name }: Item): string =>
  sql === quoteName(name) ? sql : `${sql} AS ${quoteName(name)}`;

/** The meanings of the words in a query: `took = duration_ms`. */
export function meaningsOf(query: Query): string[] {
  const { columns, groups, measures, where, orders, rank } = query;
  const by = [...orders.map((order) => order.by), rank?.by];
  const all = [
    ...[...measures, ...by.filter(isMeasure)].flatMap((one) => [one.of, ...one.where]),
    ...[...groups, ...where, ...columns],
    ...[subjectOf(query), ...by.filter((one) => !isMeasure(one))],
  ] as readonly ({ readonly meaning?: string } | undefined)[];
  return [...new Set(all.flatMap((one) => one?.meaning?.split('; ') ?? []))];
}

/** Whether a value is a time or a text, as an order such as `alphabetically` asks. */
export function isOfSense(value: Value | undefined, sense: 'text' | 'time'): boolean {
  if (value === undefined) return false;
  const isTime = value.part !== undefined || value.column?.isTime === true;
  return sense === 'time' ? isTime : !isTime && value.column?.isNumber !== true;
}

const kinds: Readonly<Record<string, readonly string[]>> = {
  count: ['count', 'number', 'request', 'row', 'order', 'n'],
  sum: ['total', 'sum', 'revenue', 'value'],
  avg: ['mean', 'average', 'avg'],
  distinct: ['count', 'number', 'distinct', 'unique'],
};

/** Whether a name can mean an output: `total` for `sum amount`. */
export function nameFits({ name, measure, value }: Item, said: string): boolean {
  const words = nameWords(said);
  const own = nameWords(name);
  if (words.every((word) => own.includes(word))) return true;
  if (words.join(' ') === 'name' && value) return true;
  return measure !== undefined && words.some((word) => kinds[measure.fn]?.includes(word));
}

/** The names of the outputs, if a question gives them. */
const keysOf = ({ keys, shape }: Query) => keys ?? shape?.entries.map(({ key }) => key);

/** The columns of rows under the names that the question gives, in their order. */
export function keyedRows(items: readonly Item[], query: Query, table: Table): readonly Item[] {
  const plain = (name: string) => nameWords(name).join(' ');
  return (
    keysOf(query)?.map((key) => {
      const shown = items.find(({ name }) => plain(name) === plain(key));
      const column = table.columns.find(({ words }) => words.join(' ') === plain(key));
      const value = shown?.value ?? (column && columnValue(column));
      if (!value) throw unclear(`There is no column "${key}". Columns: ${columnList(table)}.`);
      return itemOf(value, key);
    }) ?? items
  );
}

/** The groups and calculations under the names that the question gives, in their order. */
export function keyedGroups(items: readonly Item[], query: Query): readonly Item[] {
  const { shape, groups, definitions, decimals } = query;
  const keys = keysOf(query);
  if (!keys) return items;
  if (shape?.isList === false && groups.length > 0)
    throw unclear('An object has one value for each key. Ask for a JSON list of groups.');
  if (shape?.entries.some(({ inner, words }) => inner ?? words))
    throw unclear('In a list of objects, each key has one value. Leave out nested objects.');
  const found = new Map<string, Item>();
  for (const key of keys) {
    const measure = definitions.get(key);
    const column = { name: key, source: undefined, isNumber: true };
    if (measure) found.set(key, { name: key, sql: rounded(measure, decimals), measure, column });
  }
  const isDefined = ({ sql }: Item) => [...found.values()].some((one) => one.sql === sql);
  const left = assign(
    keys,
    items.filter((item) => !isDefined(item)),
    found,
  );
  const missing = keys.filter((key) => !found.has(key)).map((key) => `"${key}"`);
  const known = items.map(({ name }) => name).join(', ');
  if (missing.length > 0)
    throw unclear(`The meaning of ${missing.join(', ')} is missing. The answer has: ${known}.`);
  if (left.length > 0)
    throw unclear(
      `No key is given for ${left.map(({ name }) => `"${name}"`).join(', ')}. Add one, or do not ask for it.`,
    );
  return keys.flatMap((key) => found.get(key) ?? []);
}

/** Assigns outputs to keys: the best matches first, the rest in their order. Returns the outputs without a key. */
function assign(keys: readonly string[], items: readonly Item[], found: Map<string, Item>): Item[] {
  const left = [...items];
  const ways: readonly ((item: Item, key: string) => boolean)[] = [
    ({ name }, key) => nameWords(name).join(' ') === nameWords(key).join(' '),
    nameFits,
    () => keys.filter((key) => !found.has(key)).length === left.length,
  ];
  for (const fits of ways) {
    for (const key of keys.filter((one) => !found.has(one))) {
      const at = left.findIndex((item) => fits(item, key));
      const [item] = at < 0 ? [] : left.splice(at, 1);
      if (item) found.set(key, { ...item, name: key, column: { ...item.column, name: key } });
    }
  }
  return left;
}
