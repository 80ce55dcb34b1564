import { nameWords } from '../../language/words.ts';
import type { Item } from './group-statement.ts';
import { measureSql } from './measure-sql.ts';
import type { Measure, Query } from './query.ts';
import { unclear } from './resolve.ts';

/** Whether a word can mean an output: `total` for `sum amount`, `ip` for `client`. */
export function nameFits(item: Item, said: string): boolean {
  const words = nameWords(said);
  const own = nameWords(item.name);
  if (words.every((word) => own.includes(word))) return true;
  const { measure, expression } = item;
  if (words.join(' ') === 'name' && expression) return true;
  if (!measure) return false;
  const kinds: Readonly<Record<string, readonly string[]>> = {
    count: ['count', 'number', 'request', 'row', 'order', 'n'],
    sum: ['total', 'sum', 'revenue', 'value'],
    avg: ['mean', 'average', 'avg'],
    distinct: ['count', 'number', 'distinct', 'unique'],
  };
  return words.some((word) => kinds[measure.fn]?.includes(word));
}

/** The outputs under the names that were asked for, in their order. */
export function keyed(items: readonly Item[], query: Query): readonly Item[] {
  const keys = query.keys ?? query.shape?.entries.map(({ key }) => key);
  if (!keys) return items;
  if (query.shape?.isList === false && query.groups.length > 0)
    throw unclear('An object has one value for each key: a grouping needs a list.');
  if (query.shape?.entries.some(({ inner, words }) => inner ?? words))
    throw unclear('A list of objects has one value for each key: nothing can be nested in it.');
  const found = new Map<string, Item>();
  for (const key of keys) {
    const measure = query.definitions.get(key);
    if (measure) found.set(key, definedItem(key, measure));
  }
  const isDefined = ({ sql }: Item) => [...found.values()].some((one) => one.sql === sql);
  const left = assign(
    keys,
    items.filter((item) => !isDefined(item)),
    found,
  );
  const missing = keys.filter((key) => !found.has(key));
  if (missing.length > 0)
    throw unclear(
      `What ${missing.map((key) => `"${key}"`).join(', ')} stands for is not said. Known are: ${items.map((item) => item.name).join(', ')}.`,
    );
  if (left.length > 0)
    throw unclear(
      `No name of the file stands for ${left.map(({ name }) => `"${name}"`).join(', ')}.`,
    );
  return keys.flatMap((key) => found.get(key) ?? []);
}

const definedItem = (name: string, measure: Measure): Item => ({
  ...{ name, sql: measureSql(measure), measure, expression: undefined },
  column: { name, source: undefined, isNumber: true },
});

/** Assigns to each key the output that it names, the surest matches first, and the rest in order. Returns the outputs without a key. */
function assign(keys: readonly string[], items: readonly Item[], found: Map<string, Item>): Item[] {
  const left = [...items];
  const ways: readonly ((item: Item, key: string) => boolean)[] = [
    ({ name }, key) => nameWords(name).join(' ') === nameWords(key).join(' '),
    isSynonym,
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

const isSynonym = ({ expression }: Item, key: string): boolean =>
  expression?.column !== undefined &&
  ['ip', 'address', 'client'].includes(nameWords(key).join(' ')) &&
  ['client', 'ip'].includes(expression.column.words.join(' '));
