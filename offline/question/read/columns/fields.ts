import type { Token } from '../../../language/lexer.ts';
import { columnValue, type Value } from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';

/** The same value as a number: `duration_ms` for `duration` in the text of a log. */
export function inNumbers(value: Value, { columns }: Table): Value {
  const own = columns.find(
    ({ name, isNumber }) => isNumber && name === `${value.words}_ms` && !value.column?.isNumber,
  );
  return own ? columnValue(own, value.meaning && `${value.meaning} = ${own.name}`) : value;
}

/** Whether a phrase is the field of an object that the sentence also names: `the port of the database`. */
export function isFieldOf(
  { isPart, words: [of, ...rest] }: Column,
  phrase: string,
  tokens: readonly Token[],
): boolean {
  if (!isPart || rest.join(' ') !== phrase) return false;
  const [fields, objects] = [rest[0], of].map((word) =>
    tokens.flatMap(({ stem }, at) => (stem === word ? at : [])),
  ) as [number[], number[]];
  const [field = 0, object = 0] = [...fields, ...objects];
  const between = tokens.slice(Math.min(field, object), Math.max(field, object));
  const isListed = between.some(({ norm }) => /^(?:and|or|,|by|per)$/.test(norm));
  return fields.length === 1 && objects.length === 1 && !isListed;
}
