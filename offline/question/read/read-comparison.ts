import { type Comparison, comparatives, comparators, units } from '../../language/lexicon.ts';
import type { Condition } from '../sql/query.ts';
import type { Column } from '../table/schema.ts';
import { moneyOf } from './money.ts';
import { eatColumn } from './read-names.ts';
import { dateTest } from './read-time.ts';
import { eatAmount, valuesOf } from './read-values.ts';
import { attempt, eat, eatNumber, peek, type Reader } from './reader.ts';

/** `more than 5 stock`, `longer than 0.3 s`, `over $50 amount`: the column follows, or the unit implies it. */
export function comparedFirst(reader: Reader): Condition | undefined {
  const named = attempt(reader, comparative);
  if (named) return named;
  const op = eatComparison(reader);
  if (op === undefined || op === '=' || op === '<>') return undefined;
  const sign = eat(reader, ['$', '€', '£']);
  const start = reader.at;
  if (eatNumber(reader) === undefined) return undefined;
  const unit = units.get(peek(reader)?.stem ?? '');
  if (unit) reader.at += 1;
  const currency = sign ?? eat(reader, currencies);
  const said = attempt(reader, (inner) => {
    eat(inner, ['in', 'of']);
    return eatColumn(inner);
  });
  const column = said ?? (unit ? columnOfUnit(reader, unit[0]) : unsaidColumn(reader, currency));
  if (!column?.isNumber) return undefined;
  const value = eatAmount({ ...reader, at: start }, column);
  return value === undefined
    ? undefined
    : { sql: `${column.sql} ${op} ${value}`, words: `${column.name} ${op} ${value}` };
}

const currencies = [
  'euros',
  'euro',
  'eur',
  'dollars',
  'dollar',
  'usd',
  'pounds',
  'gbp',
  '€',
  '$',
  '£',
];

const afterAmount =
  /^(?:[.,;?!)]|in|of|from|since|and|or|per|by|sorted|ordered|before|after|on|as|to|between)$/;

/** `orders over 50`: the money, or the only column of numbers; undefined if a noun follows. */
function unsaidColumn(reader: Reader, currency: string | undefined): Column | undefined {
  const next = peek(reader);
  const isOpen = next === undefined || next.kind === 'file' || afterAmount.test(next.norm);
  if (currency !== undefined) return moneyOf(reader, currency)?.column;
  const numbers = reader.table.columns.filter(
    ({ isNumber, words }) => isNumber && words.at(-1) !== 'id' && !words.includes('year'),
  );
  const [only] = numbers;
  return isOpen && !reader.table.isLog && numbers.length === 1 ? only : undefined;
}

/** `cheaper than 20`, `older than 30`, `longer than 2 s` */
function comparative(reader: Reader): Condition | undefined {
  for (const [phrases, op, by] of comparatives) {
    if (!eat(reader, phrases)) continue;
    const found = reader.table.columns.filter(
      ({ isNumber, words }) => isNumber && words.some((word) => by.includes(word)),
    );
    const [column] = found;
    if (!column || found.length > 1) return undefined;
    const value = eatAmount(reader, column);
    return value === undefined
      ? undefined
      : { sql: `${column.sql} ${op} ${value}`, words: `${column.name} ${op} ${value}` };
  }
  return undefined;
}

const sized = /^(?:byte|size|kb|mb|length)$/;

const timed = /^(?:duration|latency|took|elapsed|time|m|ms|second|sec|rt)$/;

const columnOfUnit = ({ table }: Reader, kind: 'time' | 'size'): Column | undefined => {
  const found = table.columns.filter(
    ({ isNumber, words }) =>
      isNumber && words.some((word) => (kind === 'size' ? sized : timed).test(word)),
  );
  return found.length === 1 ? found[0] : undefined;
};

export const compared = (reader: Reader, column: Column): Condition | undefined =>
  attempt(reader, (inner) => comparedWith(inner, column));

function comparedWith(reader: Reader, column: Column): Condition | undefined {
  const said = eatComparison(reader);
  const op = said === '=' && eat(reader, ['not']) ? '<>' : said;
  if (op === undefined) return undefined;
  if (column.isTime && peek(reader)?.kind !== 'quote') return dateTest(reader, column, op);
  if (op === '=' || op === '<>') return valuesOf(reader, column, op);
  const value = column.isNumber ? eatAmount(reader, column) : undefined;
  return value === undefined ? undefined : comparison(column, eatBound(reader) ?? op, value);
}

const comparison = ({ sql, name }: Column, op: string, value: number): Condition => ({
  sql: `${sql} ${op} ${value}`,
  words: `${name} ${op} ${value}`,
});

/** `5 or more` */
function eatBound(reader: Reader): Comparison | undefined {
  if (eat(reader, ['or more', 'or above', 'or higher'])) return '>=';
  return eat(reader, ['or less', 'or below', 'or lower', 'or fewer']) ? '<=' : undefined;
}

/** `between 5 and 10`, `from 5 to 10`, `is between …` */
export function range(reader: Reader, column: Column): Condition | undefined {
  if (column.isTime) return undefined;
  return attempt(reader, (inner) => {
    eat(inner, ['is', 'are', 'was']);
    if (!eat(inner, ['between', 'from', 'ranging from'])) return undefined;
    const low = eatAmount(inner, column);
    if (low === undefined || !eat(inner, ['and', 'to', '-'])) return undefined;
    const high = eatAmount(inner, column);
    if (high === undefined) return undefined;
    return {
      sql: `${column.sql} BETWEEN ${low} AND ${high}`,
      words: `${column.name} is ${low} to ${high}`,
    };
  });
}

/** A comparison sign or its words; `is more than`, `<`. */
export function eatComparison(reader: Reader): Comparison | undefined {
  const phrase = eat(
    reader,
    comparators.map(([words]) => words),
  );
  return comparators.find(([words]) => words === phrase)?.[1];
}

export const isComparisonAt = (reader: Reader): boolean => {
  const op = eatComparison(reader);
  return op !== undefined && op !== '=' && op !== '<>';
};
