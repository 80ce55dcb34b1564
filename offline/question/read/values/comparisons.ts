import type { Unit } from '../../../language/lexicon.ts';
import { type Condition, columnValue, type Value } from '../../sql/query.ts';
import { type Column, isAmount, isCode } from '../../table/schema.ts';
import { nameOf } from '../columns/names.ts';
import { isStock, moneyOf, numbersOf, priceOf } from '../figures/money.ts';
import { looseRule, type Reads, rule, type Source, single } from '../grammar.ts';
import { persons } from '../rows/who.ts';
import { spanIn } from '../times/spans.ts';
import { isVerbOf } from '../times/time-columns.ts';
import { comparatives, comparators } from '../words.ts';
import { type Amount, amountFor, ofKind, unitOf } from './amounts.ts';

/** Phrases that compare sizes, such as `more than`. */
const sizes = [...comparators].flatMap(([phrase, op]) => (/^[<>]=?$/.test(op) ? phrase : []));

/** Reads a comparison operator: `<`, `is more than`. */
export const comparison: Reads<string> = (source, at) => {
  const be = source.phraseAt(at, ['is', 'are', 'was', 'were']);
  const size = be && source.phraseAt(be.end, sizes);
  const found = size ?? source.phraseAt(at, [...comparators.keys()]);
  return found && { value: comparators.get(found.value) ?? '=', end: found.end };
};

/** Reads an inequality: `more than`, `<`. */
export const size: Reads<string> = (source, at) => {
  const found = comparison(source, at);
  return /^[<>]=?$/.test(found?.value ?? '') ? found : undefined;
};

/** A condition that compares a numeric column with an amount. */
export const compare = (
  of: Value | undefined,
  op: string,
  amount: Amount,
): Condition | undefined => {
  const own = of?.column;
  const value = own?.isNumber ? amountFor(own, amount) : undefined;
  if (!own || value === undefined) return undefined;
  const meaning = of?.meaning;
  return { sql: `${own.sql} ${op} ${value}`, words: `${own.name} ${op} ${value}`, meaning };
};

/** Reads a number before a noun: `five stars` in `five stars reviews`. */
export const countBefore: Reads<Condition> = rule('{amount} {column}', ({ amount, column: own }) =>
  compare(own, '=', amount),
);

const compareColumn = (own: Column | undefined, op: string, amount: Amount) =>
  compare(own && columnValue(own), op, amount);

/** Words of columns whose numbers are sizes or times. */
const measuring: Readonly<Record<string, RegExp>> = {
  size: /^(?:byte|size|kb|mb|gb|length)$/,
  time: /^(?:duration|latency|took|elapsed|time|m|ms|second|sec|minute|hour|rt|length)$/,
};

/** The column of a unit. `took more than 10 days` does not mean a column of working hours. */
function columnOfUnit(source: Source, [kind, factor]: Unit): Column | undefined {
  const { table } = source;
  const named = table.columns.filter(
    ({ isNumber, words }) => isNumber && words.some((word) => measuring[kind]?.test(word)),
  );
  const isOfDays = factor >= 86_400 && table.spans.some(({ unit }) => unit === 'day');
  const found = (named.length > 0 ? named : ofKind(table, kind)).filter(
    (one) => !isOfDays || (unitOf(one)?.[1] ?? 0) >= 86_400,
  );
  return found.length === 0 ? spanIn(source)?.column : single(found);
}

/** The column for an amount without one: the column of its unit, of money, or the only numeric column. */
export function columnOfAmount(
  source: Source,
  { unit, isMoney }: Amount,
  end: number,
): Column | undefined {
  const { table, tokens } = source;
  if (unit) return columnOfUnit(source, unit);
  if (isMoney) return priceOf(table);
  const next = tokens[end];
  const isOpen = next === undefined || next.kind === 'file' || afterAmount.test(next.norm);
  return isOpen && !table.isLog
    ? single(table.columns.filter((one) => isAmount(one) && !isCode(one)))
    : undefined;
}

/** Whether an amount without a unit may be an age: `couriers over 30`, `people who are under 18`. */
const isOfAge = ({ tokens }: Source, at: number, { number, unit, isMoney }: Amount): boolean => {
  const isBare = unit === undefined && !isMoney && number <= MAX_AGE;
  const said = tokens.slice(Math.max(0, at - 2), at + 2);
  const isOver = said.some(({ norm }) => /^(?:over|under|above|below)$/.test(norm));
  return isBare && isOver && said.some(({ stem }) => persons.test(stem));
};

/** The greatest number that may be an age in years. */
const MAX_AGE = 120;

const afterAmount =
  /^(?:[.,;?!)]|with|in|of|from|since|and|or|per|by|sorted|ordered|before|after|on|as|to|between)$/;

function ofColumns(
  own: Value,
  op: string,
  of: Value | undefined,
  isTime = false,
): Condition | undefined {
  const kinds = [own, of].map((one) => (isTime ? one?.column?.isTime : one?.column?.isNumber));
  if (!of || own.sql === of.sql || !kinds.every(Boolean)) return undefined;
  // `date()` is NULL for an empty cell, so such a row never fits.
  const sql = isTime ? `date(${own.sql}) ${op} date(${of.sql})` : `${own.sql} ${op} ${of.sql}`;
  return { sql, words: `${own.words} ${op} ${of.words}` };
}

/** The column that a limit is for: `quantity` of `min_quantity`. */
const nameOfLimited = (words: readonly string[]): string =>
  words
    .filter((word) => !/^(?:min|minimum|max|maximum|target|planned|allowed)$/.test(word))
    .join(' ');

const fractions: Readonly<Record<string, string>> = {
  ...{ half: '0.5', twice: '2', double: '2', 'a third of': '(1.0 / 3)', 'a quarter of': '0.25' },
};

/** How something done is before or after its due date. */
const ways: Readonly<Record<string, string>> = {
  ...{
    'later than': '>',
    'earlier than': '<',
    late: '>',
    'too late': '>',
    after: '>',
    'in time': '<=',
    on: '=',
    early: '<',
    before: '<',
  },
};

/** The column that a comparative means: the only one with one of the words, or a duration. */
function comparedBy(
  source: Source,
  by: readonly string[],
  op: string,
  { unit }: Amount,
): Column | undefined {
  const fits = numbersOf(source.table, by, op === '>' ? 'desc' : 'asc');
  if (fits.length > 0 || !by.includes('duration')) return single(fits);
  return unit ? columnOfUnit(source, unit) : spanIn(source)?.column;
}

/** Conditions with amounts: `more than 5 stock`, `over $50`, `longer than 0.3 s`, `cheaper than 20`. */
export const amountConditions: readonly Reads<Condition>[] = [
  // `stock below the reorder level`, `less stock than twice the target`, `audience of less than half the seats`
  looseRule(
    '({column} [of|is|are|was|were] {op:size} [or on]|[have|has|had|having|with] [a] word:(less|fewer|lower|smaller|more|higher|larger) {column} than) (unit:[half|twice|double|a third of|a quarter of] [of]|{number} times) [the|their|its] {of2:column}',
    ({ column: own, op, word = '', unit = '', number, of2 }) => {
      const factor = fractions[unit] ?? number;
      const scaled = (of: Value) => ({
        ...{ ...of, sql: `${of.sql} * ${factor}`, words: `${of.words}*${factor}` },
      });
      const way = op ?? (/^(?:more|higher|larger)$/.test(word) ? '>' : '<');
      return own && ofColumns(own, way, of2 && factor ? scaled(of2) : of2);
    },
  ),
  // `paid after the due date`
  rule(
    '{column} [is|are|was|were] word:(after|later than|past|before|earlier than) [the|their|its] {of2:column}',
    ({ column: own, word, of2 }) => ofColumns(own, /^[be]/.test(word) ? '<' : '>', of2, true),
  ),
  // `returned late`, `came back after their due date`
  looseRule(
    '({column}|(came|come|brought|given) back) word:(late|later than|too late|in time|early|earlier than|after|before|on) [the|their|its|they were|it was] unit:[due|deadline] [date|day]',
    ({ column: said, word = '', unit }, { table }) => {
      const named = (name: RegExp) =>
        table.columns.filter(({ isTime, words: [first = ''] }) => isTime && name.test(first));
      const due = single(named(/^(?:due|deadline)$/));
      const own = said ?? named(/^returned$/).map((one) => columnValue(one))[0];
      const isDue = (unit !== undefined) === /^(?:after|before|on|\w+ than)$/.test(word);
      const op = ways[word];
      return due && own && op && isDue ? ofColumns(own, op, columnValue(due), true) : undefined;
    },
  ),
  rule(
    '[cost|spent|spend|costs] {op:size} [their|its|the] {of2:column}',
    ({ op, of2 }, { table }) => {
      const { words = '', column: limit } = of2 ?? {};
      const isLevel = /level|minimum|min|reorder|threshold|target/.test(words);
      const isBudget = /^(?:budget|planned|plan|target|estimate|forecast)/.test(words);
      const stock = isLevel ? single(table.columns.filter(isStock)) : undefined;
      const isMoney = isBudget && limit && !unitOf(limit);
      const spent = isMoney ? moneyOf(table, 'cost')?.column : undefined;
      const limited = nameOfLimited(limit?.words ?? []);
      const named = table.columns.find((one) => one !== limit && nameOf(one) === limited);
      const own = (limited === '' ? undefined : named) ?? stock ?? spent;
      return own && ofColumns(columnValue(own), op, of2);
    },
  ),
  ...comparatives.map(([phrases, op, by]) =>
    looseRule(
      `(${phrases}) {amount} [{of:column}] unit:[an hour|per hour|a month|per month]`,
      ({ amount, of, unit = '' }, source) => {
        const own = amount && comparedBy(source, by, op, amount);
        const period = unit.split(' ').at(-1) ?? '';
        const isOfPeriod = own?.words.some((one) => one.startsWith(period));
        return amount && isOfPeriod && (!of || of.column === own)
          ? compareColumn(own, op, amount)
          : undefined;
      },
    ),
  ),
  // `fewer than 300 web listeners`
  looseRule(
    '{op:size} {amount} [in|of] [{value}] {column}',
    ({ op = '', amount, column: own, value: kind }) => {
      const found = amount && compare(own, op, amount);
      return found && kind
        ? { sql: `${kind.sql} AND ${found.sql}`, words: `${kind.words} and ${found.words}` }
        : found;
    },
  ),
  rule('{op:size} {amount}', ({ op, amount, from, end }, source) => {
    const own = isOfAge(source, from, amount)
      ? single(numbersOf(source.table, ['age'], 'desc'))
      : columnOfAmount(source, amount, end);
    // `older than 10 days` is a time until today, not between two columns, and no weight.
    const isAge = source.tokens.slice(from, end).some(({ norm }) => /^(?:old|young)er$/.test(norm));
    const mayBeAge = own?.words.some((word) => /^(?:age|old|day|week|month|year)s?$/.test(word));
    const isSpan = !source.table.columns.some(({ name }) => name === own?.name);
    return isAge && (isSpan || !mayBeAge) ? undefined : compareColumn(own, op, amount);
  }),
  // `have visited us more than 5 times`, with a column `visits`
  rule(
    '[have|has] {text} [us|here] {op:size} {number} times',
    ({ text, op, number }, { table }) => {
      const own = single(table.columns.filter((one) => isVerbOf(one.words.join(' '), text)));
      return compareColumn(own, op, { number, isMoney: false });
    },
  ),
  // `books with 5 stars`
  rule(
    '(with|got|has|have|having|gave|given) [just|only|exactly] {amount} {column}',
    ({ amount, column: own, end }, source) =>
      size(source, end) ? undefined : compare(own, '=', amount),
  ),
  // `donations of 100 euros or more`
  rule(
    '(of|with|at) {amount} word:(or more|or above|or less|or below)',
    ({ amount, word, end }, source) =>
      compareColumn(
        columnOfAmount(source, amount, end),
        /^or [ma]/.test(word) ? '>=' : '<=',
        amount,
      ),
  ),
];
