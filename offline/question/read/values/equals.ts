import type { Condition } from '../../sql/query.ts';
import { quoteText } from '../../sql/quote.ts';
import type { Column } from '../../table/schema.ts';

/** The condition that a column has a value. */
export const equals = (own: Column, value: string): Condition =>
  own.isList
    ? {
        sql: `EXISTS (SELECT 1 FROM json_each(${own.sql}) WHERE CAST(value AS TEXT) = ${quoteText(value)})`,
        words: `${own.name} has ${value}`,
      }
    : {
        ...{ column: own, value, words: `${own.name} is ${value}` },
        sql: `${own.sql} = ${own.isNumber && /^-?\d+(?:\.\d+)?$/.test(value) ? value : quoteText(value)}`,
      };

/** The condition that a list has all of the values. */
export function listHolding(own: Column, values: readonly string[]): Condition {
  const all = values.map((value) => equals(own, value).sql);
  return { sql: `(${all.join(' AND ')})`, words: `${own.name} has ${values.join(' and ')}` };
}
