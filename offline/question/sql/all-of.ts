import type { Condition } from './query.ts';

/** Tests that a column has one of some values: two of them for one column never hold together. */
const equality = /^([\w".]+) (?:= (?:'(?:[^']|'')*'|-?\d[\d.]*)|IN \([^()]*\))$/;

const columnOf = ({ sql }: Condition): string => equality.exec(sql)?.[1] ?? sql;

/** Conditions that are to hold together. `warnings and errors` are rows with either level: no row has two values in a column. */
export const allOf = (conditions: readonly Condition[]): readonly Condition[] =>
  [...new Set(conditions.map(columnOf))].map((column) =>
    eitherOf(conditions.filter((condition) => columnOf(condition) === column)),
  );

function eitherOf(conditions: readonly Condition[]): Condition {
  const different = conditions.filter(
    ({ sql }, at) => conditions.findIndex((one) => one.sql === sql) === at,
  );
  const [first] = different;
  if (first && different.length === 1) return first;
  return {
    sql: `(${different.map(({ sql }) => sql).join(' OR ')})`,
    words: different.map(({ words }) => words).join(' or '),
  };
}
