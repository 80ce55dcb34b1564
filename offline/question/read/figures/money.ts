import type { Token } from '../../../language/lexer.ts';
import { unitWords } from '../../../language/lexicon.ts';
import { singular } from '../../../language/words.ts';
import { columnValue, type Direction, type Value } from '../../sql/query.ts';
import { type Column, nounsOf, type Table } from '../../table/schema.ts';
import { isCoded, isParticiple } from '../columns/names.ts';
import { type Match, type Source, single } from '../grammar.ts';

const earnings = ['salary', 'wage', 'income', 'earning', 'pay'];

const amounts = 'total|amount|revenue|sale|turnover|spent|rent|fee|bill|donation|payment'.split(
  '|',
);

const quantity =
  /^(?:(?:order |item )?(?:quantity|qty|unit|unit sold|quantity sold|number sold|unit ordered))$/;

const only = (columns: readonly Column[], fits: (own: Column) => boolean): Column | undefined =>
  single(columns.filter(fits));

const sums = ['gross', 'net', 'earning'];
const costs = ['cost', 'charge', 'expense', 'refund', 'fine'];

/** Names of what is charged besides the goods: it is not the money of a row. */
const isAddition =
  /^(?:delivery|shipping|postage|handling|packing) (?:fee|cost|charge|price|amount)$/;

/** Units of a column of amounts, without rates such as `per hour`. */
const amountUnits = unitWords.replace(/\|per .*/, '');

/** Words for income, which exclude costs. */
const isIncome =
  /\b(?:revenue|turnover|income|takings?|proceeds|sales?|sold|sells?|earn\w*|made|makes?|t(?:akes?|ook)|br(?:ing|ought)|best|worst|top)\b/;

/**
 * The money of a row: its only column of amounts, price times quantity, or its only column of costs.
 * Undefined if unclear, and for a log. `paid per month` may also mean a monthly rate.
 */
export function moneyOf(table: Table, said: string): Value | undefined {
  const { columns, money, format } = table;
  if (money) return { ...money, meaning: `${said} = ${money.words}` };
  // The figures in messages of a program are about the program.
  if (format === 'log') return undefined;
  const [period = ''] = / per (?:month|year)$/.exec(said) ?? [];
  const withUnit = new RegExp(`(?: (?:${amountUnits})|${period})$`);
  const nameOf = ({ words }: Column) => words.join(' ').replace(withUnit, '');
  const numbers = columns.filter((own) => own.isNumber && !isAddition.test(nameOf(own)));
  const oneOf = (names: readonly string[]) => {
    const found = only(numbers, (own) =>
      names.some((name) => ` ${nameOf(own)}`.endsWith(` ${name}`)),
    );
    return found && columnValue(found, `${said} = ${found.name}`);
  };
  const pay = /^(?:earn|payroll)/.test(said) ? oneOf(earnings) : undefined;
  if (pay ?? said === 'payroll') return pay;
  const price = only(numbers, (own) => /^(?:\w+ )?price$/.test(nameOf(own)));
  return (
    oneOf(amounts) ??
    (price && soldFor(price, table, said)) ??
    oneOf([...sums, ...(isIncome.test(said) ? ['paid'] : costs)]) ??
    (price && isIncome.test(said) && isOfEvents(table, price)
      ? columnValue(price, `${said} = ${price.name}`)
      : undefined)
  );
}

/** Whether each row is one sale at a price, and not a product: it has a time, and no name or number of pieces of its own. */
const isOfEvents = ({ columns, rows, isWhole }: Table, price: Column): boolean =>
  isWhole &&
  price.words.length === 1 &&
  columns.some(({ isTime }) => isTime) &&
  columns.every(
    (own, at) =>
      own === price ||
      (own.isNumber
        ? !mayHoldPieces(own) && !isStock(own)
        : own.isTime || own.values.size < rows || (at === 0 && isCoded(own))),
  );

/** Price times quantity; undefined for income from a table of stock, which is not sold yet. */
function soldFor(price: Column, table: Table, said: string): Value | undefined {
  const count = quantityOf(table);
  const isInStock = table.nouns.has('stock') || table.nouns.has('inventory');
  return count && !(isInStock && isIncome.test(said)) ? product(price, count, said) : undefined;
}

/** The column for an amount of money without a name: the money of the rows, or their only price. */
export const priceOf = (table: Table): Column | undefined => {
  const money = moneyOf(table, 'amount');
  return money
    ? money.column
    : only(table.columns, ({ isNumber, words }) => isNumber && words.includes('price'));
};

/** The column with the quantity of a row. */
export const quantityOf = ({ columns }: Table): Column | undefined =>
  only(columns, ({ words, isNumber }) => isNumber && quantity.test(words.join(' ')));

/** Nouns for rows that hold pieces, and not for pieces. */
const containers =
  /^(?:sale|order|purchase|customer|client|cart|basket|invoice|bill|receipt|delivery|shipment|transaction|booking|reservation)$/;

/** The word for pieces of the rows, if the sentence does not name the rows: `tickets` in ticket_sales.csv. */
export function pieceIn(tokens: readonly Token[], table: Table): Token | undefined {
  const head = headOf(table);
  if (containers.test(head) && tokens.some(({ stem }) => stem === head)) return undefined;
  // With a `member_id`, each row of member_orders.csv is of one member.
  const isKey = (noun: string) =>
    table.columns.some(({ words: [own, ...more] }) => own === noun && more.length > 0);
  return tokens.find(({ stem }) => table.nouns.has(stem) && !containers.test(stem) && !isKey(stem));
}

/** Whether the rows hold pieces, and the sentence names these: `tickets` in ticket_sales.csv, but not `books` in books.csv. */
export const isOfPieces = (tokens: readonly Token[], table: Table): boolean =>
  containers.test(headOf(table)) && pieceIn(tokens, table) !== undefined;

const headOf = ({ sql }: Table): string => nounsOf(/^"?([^" ]+)/.exec(sql)?.[1] ?? '').at(-1) ?? '';

const stockNames =
  /^(?:(?:quantity |units )?(?:in )?stock|on hand|left|remaining|available|inventory)$/;

/** Whether a column is the number of pieces in stock. */
export const isStock = ({ words, isNumber }: Column): boolean =>
  isNumber && stockNames.test(words.join(' '));

/** The value of the stock of a row: stock times price. */
export function stockValue({ columns, money }: Table, said: string): Value | undefined {
  if (money) return money;
  const has = (name: string) =>
    only(columns, ({ words, isNumber }) => isNumber && words.includes(name));
  const price = has('price') ?? has('cost');
  const stock = has(said) ?? only(columns, isStock);
  return price && stock && product(price, stock, `${said} value`);
}

function product(price: Column, count: Column, said: string): Value {
  const words = `${price.name}*${count.name}`;
  return { sql: `${price.sql} * ${count.sql}`, words, meaning: `${said} = ${words}` };
}

/** Whether a noun means both rows and amounts, so that its total has two readings. */
export const isMoneyNoun = (stem: string): boolean =>
  /^(?:money|expense|spending|expenditure|purchase|cost|sale|payment|income|earning|fee|revenue|donation|invoice|bill|refund|salary)$/.test(
    stem,
  );

/** The numeric columns with one of these words in their name. Of a maximum and a minimum, the one for this direction. */
export function numbersOf(
  { columns }: Table,
  by: readonly string[],
  order: Direction,
): readonly Column[] {
  const found = columns.filter(
    (own) =>
      (by.includes('birth') ? isBirth(own) : own.isNumber) &&
      // `fastest` is the shortest duration, `longest` may be a distance.
      (own.words.some((one) => by.includes(one)) ||
        (own.unit !== undefined && by.includes('latency') && !by.includes('length'))),
  );
  const end = order === 'desc' ? 'max' : 'min';
  const own = single(found.filter(({ words }) => words.includes(end)));
  return own ? [own] : found;
}

/** Whether a column with `birth` in its name may be a time of birth: not `birth_weight`. */
const isBirth = ({ isTime, isNumber, words }: Column): boolean =>
  isTime || (isNumber && /^(?:year|birth|born|birthday|dob)$/.test(words.at(-1) ?? ''));

/** Whether the values of a column may be summed. */
export const isAdded = ({ isNumber, words }: Column): boolean =>
  isNumber && (adding.test(words.at(-1) ?? '') || isMoneyNoun(words.at(-1) ?? ''));

/** Whether `most` means a quantity instead of a number of rows: `the most fuel`. */
export const isMass = (said: { readonly isPlural: boolean } | undefined, { columns }: Table) =>
  said?.isPlural === false && columns.some(isOfThings);

/** Whether a column has quantities that add up: `hours`, `tickets_sold`. */
export function isOfThings({ name, words, isNumber }: Column): boolean {
  const last = words.at(-1) ?? '';
  const isPlural = singular(name) !== name.toLowerCase() && adding.test(last);
  return isNumber && (isPlural || (words.length > 1 && isParticiple(last)));
}

/** Whether a column may hold the pieces of a row under a name of their own: `sold`, `bottles`. */
export const mayHoldPieces = (own: Column): boolean =>
  isOfThings(own) || (own.isNumber && /^(?:sold|bottle|piece|pc)s?$/.test(own.words.join(' ')));

/** Last words of columns that are summed. For other columns, the question must name the calculation. */
export const adding =
  /^(?:precipitation|rain|rainfall|snow|amount|total|revenue|sale|price|cost|quantity|qty|unit|bytes?|count|distance|km|mile|day|hour|minute|point|kg|gram|tonne|litre|liter|kwh|ect|credit)$/;

const rated =
  /^(?:km|mile|kilometre|distance|kg|litre|liter|kwh|quantity|qty|price|cost|amount|page)$/;

/** Whether `per` names a rate, not a group: `cost per night`, with a column `nights`. */
export const isRate = (
  { tokens }: Source,
  { value: { column: own }, end }: Match<Value>,
): boolean => {
  const last = own?.words.at(-1) ?? '';
  const isPlural = own && singular(own.name) !== own.name.toLowerCase();
  return (
    own?.isNumber === true &&
    (isPlural || rated.test(last)) &&
    tokens[end - 1]?.norm === singular(last)
  );
};
