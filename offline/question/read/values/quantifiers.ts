import { type Condition, denied, inRows, sqlOfAll, type Value } from '../../sql/query.ts';
import { type Column, isAmount, isCode } from '../../table/schema.ts';
import { numbersOf } from '../figures/money.ts';
import { looseRule, type Reads, rule, type Source, single } from '../grammar.ts';
import { comparatives } from '../words.ts';

/** The values that are asked for, if several rows may have the same one. */
const sharedIn = ({ query: { subject }, table }: Source): Value | undefined =>
  subject && subject !== 'rows' && subject.column?.values.size !== table.rows ? subject : undefined;

const joints = '[in|by|with|from|a|an|the]';

/** Conditions on all rows with one value: `vets who did both checkup and surgery`, `crops only grown in East`, `beds with no kale`. */
export const quantified: readonly Reads<Condition>[] = [
  rule(`both ${joints} {value} and ${joints} {condition:value}`, (found, source) => {
    const own = sharedIn(source);
    const both = [found.value, found.condition];
    if (!own || both.some(({ column }) => column !== both[0]?.column)) return undefined;
    const tests = both.map(({ sql }) => inRows(own, source.table, sql, false));
    return {
      sql: tests.join(' AND '),
      words: `both ${both.map(({ words }) => words).join(' and ')}`,
      isOfAll: true,
    };
  }),
  rule(`only [{text}] ${joints} {value:valueList}`, ({ text, value: one, from }, source) => {
    const own = sharedIn(source);
    const isAside = source.tokens[from - 1]?.kind === 'mark';
    if (!own || isAside || (text && !/(?:ed|wn|en|ght)$/.test(text.norm))) return undefined;
    const test = sqlOfAll([...source.query.where, denied(one)]);
    return {
      ...one,
      value: undefined,
      each: undefined,
      sql: `${one.sql} AND ${inRows(own, source.table, test)}`,
      words: `only ${one.words}`,
      isOfAll: true,
    };
  }),
  rule('[did|had|have|has|with|were|was] (no|not a single) {value}', ({ value: one }, source) => {
    const own = sharedIn(source);
    // Those without rows are in the other table.
    const isJoined = source.table.joins !== undefined || (own?.column && isCode(own.column));
    return own && !isJoined
      ? {
          sql: inRows(own, source.table, one.sql),
          words: `never ${one.words}`,
          isOfAll: true,
        }
      : undefined;
  }),
  // `rent above average`, `orders above the average amount`
  looseRule(
    '[{column}] [is|are] op:(above|over|below|under|more than|less than|higher than|lower than) [the] average [{of:column}]',
    ({ column: said, of, op = '', end }, source) => {
      const only = single(source.table.columns.filter((own) => isAmount(own) && !isCode(own)));
      const isOther = of && said && of.sql !== said.sql;
      const own = of ?? said;
      const isLess = /^(?:be|un|le|lo)/.test(op);
      return isOther ? undefined : besideMean(source, own ? own.column : only, isLess, end);
    },
  ),
  // `heavier than average`
  ...comparatives.map(([phrases, op, by]) =>
    rule(`(${phrases}) [the] average`, ({ end }, source) => {
      const own = single(numbersOf(source.table, by, op === '>' ? 'desc' : 'asc'));
      return besideMean(source, own, op === '<', end);
    }),
  ),
];

/** Compares with the mean of all rows. Undefined if the mean of only some of them may be meant. */
function besideMean(
  source: Source,
  own: Column | undefined,
  isLess: boolean,
  end: number,
): Condition | undefined {
  const { table, query } = source;
  const next = end + Number(source.wordAt(end) === 'in');
  const isEnd = source.isAtEnd(next) || /^(?:sorted|ordered)$/.test(source.wordAt(next));
  if (!own || !isAmount(own) || !isEnd || query.where.length > 0 || table.joins) return undefined;
  const op = isLess ? '<' : '>';
  return {
    sql: `${own.sql} ${op} (SELECT avg(${own.sql}) FROM ${table.sql})`,
    words: `${own.name} ${op} the mean of all rows`,
  };
}
