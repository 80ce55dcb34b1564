import type { Value } from '../../sql/query.ts';
import { column } from '../columns/names.ts';
import {
  either,
  isAtEnd,
  looseRule,
  type Match,
  phraseAt,
  type Reads,
  rule,
  skipArticles,
} from '../grammar.ts';
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
    '[how much|what] [is] [our|the|my] [whole|entire|total] word:(stock|inventory) [of [the|our|all] {rows}] (value|worth)',
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

const signs: readonly (readonly [sign: string, words: readonly string[]])[] = [
  ['*', ['*', '×', 'times', 'x', 'multiplied by']],
  ['+', ['+', 'plus']],
  ['-', ['-', 'minus', 'less']],
  ['/', ['/', '÷', 'divided by']],
];

/** Reads a column, or a calculation with columns and numbers: `Price*Stock`. */
export const expression: Reads<Value> = (source, start) => {
  const isProduct = phraseAt(source, skipArticles(source, start), ['product of']);
  const termAt = (at: number) => term(source, skipArticles(source, at));
  let made = termAt(isProduct?.end ?? start);
  for (let count = 0; made; count += 1) {
    const { value: left, end }: Match<Value> = made;
    const signAt = (words: readonly string[]) => phraseAt(source, end, words);
    const [sign, words = []] =
      signs.find(([, all]) => signAt(all)) ?? (isProduct && signAt(['and']) ? ['*', ['and']] : []);
    const right = sign && termAt(signAt(words)?.end ?? end);
    if (!sign || !right) break;
    made = { value: calculated(left, sign, right.value, count > 0), end: right.end };
  }
  return made;
};

const formulaWords =
  'i.e|i.e .|ie|that is|that means|meaning|=|which is|revenue is|turnover is|value is|total is|amount is|income is|calculated as|if you multiply|if we multiply|multiplying'.split(
    '|',
  );

/** Reads a formula that defines money in the sentence: `(quantity times unit price)`, `, i.e. stock times price`. */
export const formula: Reads<true> = (source, start) => {
  const mark = phraseAt(source, start, ['(', ',', ':', '?', '.']);
  const lead = phraseAt(source, mark?.end ?? start, formulaWords);
  const found = (mark ?? lead) && expression(source, lead?.end ?? mark?.end ?? start);
  const close = found && phraseAt(source, found.end, [')']);
  const end = close?.end ?? found?.end ?? start;
  if (!found?.value.sql.includes(' * ') || !(close ?? isAtEnd(source, end))) return undefined;
  source.table = { ...source.table, money: found.value };
  return { value: true, end };
};

/** A calculation of two values; a long one has signs already. */
export function calculated(left: Value, sign: string, right: Value, isLong: boolean): Value {
  const first = isLong && '*/'.includes(sign) ? `(${left.sql})` : left.sql;
  const second = sign === '/' ? `CAST(${right.sql} AS REAL)` : right.sql;
  return { sql: `${first} ${sign} ${second}`, words: `${left.words}${sign}${right.words}` };
}
