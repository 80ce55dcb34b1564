import type { Condition } from './query.ts';

/** Conditions that a column has one of some values: two of them exclude each other. */
const equality = /^([\w".]+) (?:= (?:'(?:[^']|'')*'|-?\d[\d.]*)|IN \([^()]*\))$/;

const columnOf = ({ sql }: Condition): string => equality.exec(sql)?.[1] ?? sql;

/** All of the conditions. Conditions of one column are alternatives: `warnings and errors` are rows with either level. */
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
