import { columnValue, type Value } from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';
import { type Source, skipArticles } from '../grammar.ts';

/** The same value as a number: `duration_ms` for `duration` in the text of a log. */
export function inNumbers(value: Value, { columns }: Table): Value {
  const own = columns.find(
    ({ name, isNumber }) => isNumber && name === `${value.words}_ms` && !value.column?.isNumber,
  );
  return own ? columnValue(own, value.meaning && `${value.meaning} = ${own.name}`) : value;
}

/**
 * Whether a name is the field of an object, by the words behind it: `the port of the database`, `what port does the database
 * use`. In rows, `the name of the customer` may be the name of each customer's row.
 */
export function isFieldOf(
  { isPart, words: [of, ...rest] }: Column,
  phrase: string,
  { tokens, table }: Source,
  end: number,
): boolean {
  if (table.rows !== 1 || !isPart || rest.join(' ') !== phrase) return false;
  const object = tokens[skipArticles({ tokens }, end + 1)]?.stem;
  return object === of && /^(?:of|in|for|does|do)$/.test(tokens[end]?.norm ?? '');
}
