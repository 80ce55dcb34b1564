import type { Value } from '../../sql/query.ts';
import { column } from '../columns/names.ts';
import { either, looseRule, type Match, type Reads, rule } from '../grammar.ts';
import { spanTerm } from '../times/spans.ts';
import { moneyParticiples } from '../words.ts';
import { moneyOf, stockValue } from './money.ts';

/** Reads an amount of money: `revenue`, `order value`, `stock value`. */
export const worth: Reads<Value> = either(
  rule(
    '[{noun}] word:(revenue|turnover|takings|proceeds|sales|income|money|total sales|payroll|spend|spending|expenditure)',
    ({ word }, { table }) =>
      table.nouns.has(word.replace(/s$/, '')) ? undefined : moneyOf(table, word),
  ),
  rule(`({noun}|${moneyParticiples}) word:(value|total|amount|worth)`, ({ word }, { table }) =>
    moneyOf(table, word),
  ),
  looseRule(
    '([how much|what] [is] [our|the|my] [whole|entire|total] [{noun}] word:(stock|inventory) [of [the|our|all] {rows}] [in {file}] (value|worth)|(value|worth) of [the|our|my|all] [whole|entire] word:(stock|inventory))',
    ({ word = '', rows: all }, { table }) =>
      all?.where.length ? undefined : stockValue(table, word),
  ),
);

const term: Reads<Value> = either(
  worth,
  column,
  spanTerm,
  rule('{noun} {column}', ({ column: own }) => own),
  rule('{number}', ({ number: given }): Value => ({ sql: String(given), words: String(given) })),
);

const sign = either(
  rule('(*|×|times|x|multiplied by)', () => '*'),
  rule('(+|plus)', () => '+'),
  rule('(-|minus|less)', () => '-'),
  rule('(/|÷|divided by)', () => '/'),
);

/** Reads a column, or a calculation with columns and numbers: `Price*Stock`. */
export const expression: Reads<Value> = (source, start) => {
  const termAt = (at: number) => term(source, source.skipArticles(at));
  let made = termAt(start);
  for (let isLong = false; made; isLong = true) {
    const { value: left, end }: Match<Value> = made;
    const op = sign(source, end);
    const right = op && termAt(op.end);
    if (!right) break;
    made = { value: calculated(left, op.value, right.value, isLong), end: right.end };
  }
  // A bare number is not a column of the rows: `the most 404s`.
  return made?.value.sql === made?.value.words && !made?.value.column ? undefined : made;
};

const formulaWords =
  'i.e|i.e .|ie|that is|that means|meaning|=|which is|revenue is|turnover is|value is|total is|amount is|income is|calculated as|if you multiply|if we multiply|multiplying'.split(
    '|',
  );

/** Reads a formula that defines money in the sentence: `(quantity times unit price)`, `, i.e. stock times price`. */
export const formula: Reads<true> = (source, start) => {
  const mark = source.phraseAt(start, ['(', ',', ':', '?', '.']);
  const lead = source.phraseAt(mark?.end ?? start, formulaWords);
  const found = (mark ?? lead) && expression(source, lead?.end ?? mark?.end ?? start);
  const close = found && source.phraseAt(found.end, [')']);
  const end = close?.end ?? found?.end ?? start;
  if (!found?.value.sql.includes(' * ') || !(close ?? source.isAtEnd(end))) return undefined;
  source.table = { ...source.table, money: found.value };
  return { value: true, end };
};

/** A calculation of two values; a long one has signs already. */
export function calculated(left: Value, sign: string, right: Value, isLong: boolean): Value {
  const first = isLong && '*/'.includes(sign) ? `(${left.sql})` : left.sql;
  const second = sign === '/' ? `CAST(${right.sql} AS REAL)` : right.sql;
  return { sql: `${first} ${sign} ${second}`, words: `${left.words}${sign}${right.words}` };
}
