import type { Token } from '../language/lexer.ts';
import type { Statement } from './not-meant.ts';
import { isMeasure, type Query } from './sql/query.ts';
import { type Column, isCode, type Table } from './table/schema.ts';

/** Explains why a sum of money may not be the one that was asked for. Undefined if it is. */
export const otherMoney = (
  tokens: readonly Token[],
  query: Query,
  { table, sql }: Statement,
): string | undefined =>
  addedAgain(sql, table) ??
  ofOtherMoney(tokens, table, sql) ??
  eitherMoney(tokens, query, { table, sql }) ??
  soldBy(tokens, query, table);

/** A column of a joined table would be added once for each row that refers to it. */
function addedAgain(sql: string, { joins = [] }: Table): string | undefined {
  const isAdded = calls(sql).some(
    (call) => !call.includes(' * ') && joins.some(({ to }) => call.includes(`${to}.`)),
  );
  return isAdded
    ? 'A value would be added once for each row of another table that refers to it. Ask about its own file or table only.'
    : undefined;
}

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

/** `we spend` about income, or `we earn` about expenses. */
function ofOtherMoney(tokens: readonly Token[], { nouns }: Table, sql: string): string | undefined {
  const [isIn, isOut] = [comesIn, goesOut].map((kind) => [...nouns].some((one) => kind.test(one)));
  const isSpent = calls(sql).some((call) => /spent|expense|cost/i.test(call));
  const isOurs = tokens.some(({ norm }) => /^(?:we|i)$/.test(norm));
  const other =
    isIn && !isOut
      ? /^(?:spend|spent)$/
      : (isOut && !isIn) || isSpent
        ? /^(?:earn|earned|sold|sell|make)$/
        : undefined;
  const verb = isOurs ? tokens.find(({ norm }) => other?.test(norm)) : undefined;
  return verb && `"${verb.text}" is not about the money of these rows.`;
}

/** The price of a thing and the money of its rows may both be meant: `what did we pay for the shoes`, with rentals of shoes. */
function eitherMoney(
  tokens: readonly Token[],
  { where, subject }: Query,
  { table: { columns }, sql }: Statement,
) {
  const said = tokens.find(({ norm }) => /^(?:pay|paid|spend|spent|costs?)$/.test(norm));
  const links = where.flatMap(({ column }) => column?.link ?? []);
  const other = columns.find(
    (one) =>
      one.link && links.includes(one.link) && one.isNumber && price.test(one.words.join(' ')),
  );
  // `which plays cost more than 9`, with the prices of their tickets
  const about = subject === 'rows' ? undefined : subject?.column;
  const isOfOther = about !== undefined && (about.link !== undefined || isCode(about));
  const own = columns.find(
    (one) => isMoneyOf(one) && where.some(({ sql: test }) => test.startsWith(one.sql)),
  );
  if (said && isOfOther && own && !own.link)
    return `"${said.text}" may not mean ${own.name}. Name the column.`;
  return said && other && calls(sql).length > 0 && !sql.includes(other.sql)
    ? `"${said.text}" may also mean ${other.name}. Name the column.`
    : undefined;
}

/** Whether a column has amounts of money, by its name. */
export const isMoneyOf = ({ isNumber, words }: Column): boolean =>
  isNumber && price.test(words.join(' '));

const price = /\b(?:price|cost|fee|amount|total)$/;

/** Rows or money: `which region sold the most`, with amounts. */
function soldBy(tokens: readonly Token[], { rank }: Query, table: Table): string | undefined {
  const own = table.columns.find((one) => one.link === undefined && isMoneyOf(one));
  const isCount = isMeasure(rank?.by) && rank?.by.fn === 'count';
  const [said] =
    /\b(?:sold|sells?) (?:the )?(?:most|least)\b(?! often)/.exec(
      tokens.map(({ norm }) => norm).join(' '),
    ) ?? [];
  return said && own && isCount
    ? `"${said}" may mean the number of rows or ${own.name}. Say "with the most rows" or "with the highest total ${own.name}".`
    : undefined;
}
