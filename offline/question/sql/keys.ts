import { nameWords } from '../../language/words.ts';
import { columnList, type Table } from '../table/schema.ts';
import { type Item, itemOf } from './clauses.ts';
import { rounded } from './measure-sql.ts';
import { columnValue, type Query, unclear } from './query.ts';

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
    ({ value }, key) =>
      /^(?:ip|address|client)$/.test(key) &&
      /^(?:client|ip)$/.test(value?.column?.words.join(' ') ?? ''),
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
