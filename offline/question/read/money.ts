import { TaskError } from '../../task-error.ts';
import { type Expression, newQuery } from '../sql/query.ts';
import type { Column } from '../table/schema.ts';
import { eat, type Reader } from './reader.ts';

const amounts = ['total', 'amount', 'revenue', 'sale', 'turnover', 'spent'];

const earnings = ['salary', 'wage', 'income', 'earning', 'pay'];

/** Rows that are also amounts: their total has two readings. */
const moneyNouns: ReadonlySet<string> = new Set(
  'expense cost sale payment income earning fee revenue donation invoice refund salary'.split(' '),
);

/** @throws TaskError `AMBIGUOUS` for `total expenses` of rows with an amount. */
export function assertOneTotal(reader: Reader, noun: string): void {
  const stem = noun.replace(/s$/, '');
  const of = moneyNouns.has(stem) ? moneyOf({ ...reader, query: newQuery() }, 'total') : undefined;
  if (of)
    throw new TaskError(
      'AMBIGUOUS',
      `"total ${noun}" may be their number or a sum: say "number of ${noun}" or "sum of ${of.words}".`,
    );
}

const prices = ['price', 'unit price'];

const quantities = ['quantity', 'qty', 'unit', 'unit sold', 'quantity sold', 'number sold'];

/** Verbs with an amount of money: `spent the most`. */
export const moneyVerbs = [
  'spent',
  'paid',
  'earned',
  'spend',
  'spends',
  'pay',
  'pays',
  'earn',
  'earns',
];

/** Verbs without a meaning besides their amount: `sold the most units`. */
export const tradeVerbs = [
  'sold',
  'bought',
  'generated',
  'made',
  'brought in',
  'had',
  'has',
  'have',
];

/** The money of a row: the one column of amounts, or price times quantity; undefined if neither is clear. */
export function moneyOf({ table, query }: Reader, said: string): Expression | undefined {
  const numbers = table.columns.filter(({ isNumber }) => isNumber);
  const names = said.startsWith('earn') ? earnings : amounts;
  const amount = onlyOf(numbers, ({ words }) => names.includes(words.at(-1) ?? ''));
  if (amount) {
    query.meanings.add(`${said} = ${amount.name}`);
    return { sql: amount.sql, words: amount.name, column: amount };
  }
  if (said.startsWith('earn')) return undefined;
  const price = onlyOf(numbers, ({ words }) => prices.includes(words.join(' ')));
  const quantity = onlyOf(numbers, ({ words }) => quantities.includes(words.join(' ')));
  if (!price || !quantity) return undefined;
  const words = `${price.name}*${quantity.name}`;
  query.meanings.add(`${said} = ${words}`);
  return { sql: `${price.sql} * ${quantity.sql}`, words };
}

const onlyOf = (columns: readonly Column[], fits: (column: Column) => boolean) => {
  const found = columns.filter(fits);
  return found.length === 1 ? found[0] : undefined;
};

const revenue = ['revenue', 'turnover', 'sales', 'income', 'money', 'total sales'];

/** `revenue`, if no column has that name. */
export function eatRevenue(reader: Reader): Expression | undefined {
  const { at } = reader;
  const said = eat(reader, revenue);
  const isNoun = said !== undefined && reader.table.nouns.has(said.replace(/s$/, ''));
  const found = said === undefined || isNoun ? undefined : moneyOf(reader, said);
  if (!found) reader.at = at;
  return found;
}
