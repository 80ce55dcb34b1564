import { type Column, isAmount, isCode } from '../table/schema.ts';
import type { Check } from './asked.ts';

/** A column of a joined table would be added once for each row that refers to it. */
const addedAgain: Check = ({ sql, table: { joins = [] } }) =>
  calls(sql).some(
    (call) => !call.includes(' * ') && joins.some(({ to }) => call.includes(`${to}.`)),
  )
    ? 'A value would be added once for each row of another table that refers to it. Ask about its own file or table only.'
    : undefined;

/** The arguments of sums and means in a statement. */
const calls = (sql: string): readonly string[] =>
  [...sql.matchAll(/\b(?:sum|avg|median|stddev|percentile)\(/g)].map(({ index, 0: { length } }) => {
    let end = index + length;
    for (let depth = 1; depth > 0 && end < sql.length; end += 1)
      depth += sql[end] === '(' ? 1 : sql[end] === ')' ? -1 : 0;
    return sql.slice(index + length, end - 1);
  });

const comesIn = /^(?:sale|ticket|donation|income|revenue|earning|sponsor|subscriber|booking)$/;
const goesOut = /^(?:expense|spending|expenditure|purchase|grocery|cost)$/;

/** `we spend` or `we paid` about income, or `we earn` about expenses. */
const ofOtherMoney: Check = ({ text, word, table: { nouns, columns }, sql }) => {
  const [isIn, isOut] = [comesIn, goesOut].map((kind) => [...nouns].some((one) => kind.test(one)));
  const own = columns.filter((one) => !one.link && isMoneyOf(one));
  const isOfCosts = own.length > 0 && own.every(({ words }) => words.at(-1) === 'cost');
  const isSpent = isOfCosts || calls(sql).some((call) => /spent|expense|cost/i.test(call));
  const earning = (isOut && !isIn) || isSpent ? /^(?:earn|earned|sold|sell|make)$/ : /^$/;
  const isIncome = isIn && !isOut;
  const paying = isIncome ? /(?<!\b(?:are|were) )\b(?:we|i) (?:pay|paid)\b/ : /^$/;
  const verb =
    (isOfCosts ? /\b(?:brings?|brought) in\b/ : paying).exec(text)?.[0] ??
    (word(/^(?:we|i)$/) && word(isIncome ? /^(?:spend|spent)$/ : earning));
  return verb && `"${verb}" is not about the money of these rows.`;
};

/** The price of a thing and the money of its rows may both be meant: `what did we pay for the shoes`, with rentals of shoes. */
const eitherMoney: Check = ({ word, where, own: about, table: { columns }, sql }) => {
  const said = word(/^(?:pay|paid|spend|spent|costs?)$/);
  const links = where.flatMap(({ column }) => column?.link ?? []);
  const other = columns.find((one) => one.link && links.includes(one.link) && isMoneyOf(one));
  // `which plays cost more than 9`, with the prices of their tickets
  const isOfOther = about !== undefined && (about.link !== undefined || isCode(about));
  const own = columns.find(
    (one) => isMoneyOf(one) && where.some(({ sql: test }) => test.startsWith(one.sql)),
  );
  if (said && isOfOther && own && !own.link)
    return `"${said}" may not mean ${own.name}. Name the column.`;
  return said && other && calls(sql).length > 0 && !sql.includes(other.sql)
    ? `"${said}" may also mean ${other.name}. Name the column.`
    : undefined;
};

/** Whether a column has amounts of money, by its name. */
const isMoneyOf = ({ isNumber, words }: Column): boolean =>
  isNumber && /\b(?:price|cost|fee|amount|total)$/.test(words.join(' '));

/** Rows or an amount: `which region sold the most`, with amounts. */
const soldBy: Check = ({ text, ranksByCount, table: { columns } }) => {
  const own = columns.find((one) => one.link === undefined && isAmount(one));
  const [said] =
    /\b(?:sold|sells?|bought|ordered) (?:the )?(?:most|least)\b(?! often)/.exec(text) ?? [];
  return said && own && ranksByCount
    ? `"${said}" may mean the number of rows or ${own.name}. Say "with the most rows" or "with the highest total ${own.name}".`
    : undefined;
};

/** Checks that a sum of money is the one that was asked for. */
export const moneyChecks: readonly Check[] = [addedAgain, ofOtherMoney, eitherMoney, soldBy];
