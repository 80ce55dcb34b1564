import { aggregates, directions } from '../../language/lexicon.ts';
import type { Expression, Measure } from '../sql/query.ts';
import { eatValue } from './eat-value.ts';
import { assertOneTotal, eatRevenue, moneyOf, moneyVerbs } from './money.ts';
import { readAdjectives } from './read-condition.ts';
import { countedNoun, countMeasure } from './read-count.ts';
import { eatColumn, eatLogMeaning, eatRowNoun } from './read-names.ts';
import { attempt, eat, eatNumber, peek, type Reader, skip, textOf } from './reader.ts';

/** A calculation: `number of orders`, `the sum of Price*Stock`, `average price`, `95th percentile of the duration`. */
export const eatMeasure = (reader: Reader): Measure | undefined =>
  attempt(reader, extremeTime) ??
  attempt(reader, spread) ??
  attempt(reader, moneyMeasure) ??
  attempt(reader, countMeasure) ??
  attempt(reader, percentileMeasure) ??
  attempt(reader, shareMeasure) ??
  attempt(reader, aggregateMeasure);

/** `earliest added`, `latest date`: the first or last time. */
function extremeTime(reader: Reader): Measure | undefined {
  const word = eat(reader, [
    'earliest',
    'latest',
    'first',
    'last',
    'newest',
    'oldest',
    'most recent',
  ]);
  if (word === undefined) return undefined;
  const column = eatColumn(reader);
  if (!column?.isTime) return undefined;
  const fn = /^(?:earliest|first|oldest)$/.test(word) ? 'min' : 'max';
  return {
    fn,
    of: { sql: column.sql, words: column.name, column },
    where: [],
    name: `${word} ${column.name}`,
  };
}

/** `difference between the highest and the lowest salary` */
function spread(reader: Reader): Measure | undefined {
  if (!eat(reader, ['difference between', 'gap between', 'spread between'])) return undefined;
  skip(reader);
  const isDown = eat(reader, directions.desc) !== undefined;
  if (!isDown && !eat(reader, directions.asc)) return undefined;
  const first = attempt(reader, eatExpression);
  if (!eat(reader, ['and'])) return undefined;
  skip(reader);
  if (!eat(reader, isDown ? directions.asc : directions.desc)) return undefined;
  const of = attempt(reader, eatExpression) ?? first;
  if (!of?.column?.isNumber || (first && first.sql !== of.sql)) return undefined;
  return { fn: 'spread', of, where: [], name: `difference of ${of.words}` };
}

/** `total spent`, `how much was paid`, `revenue` alone: the sum of the money. */
function moneyMeasure(reader: Reader): Measure | undefined {
  const from = reader.at;
  const lead = eat(reader, ['total money', 'total amount', 'total', 'amount', 'money', 'how much']);
  if (lead === 'how much')
    skip(reader, [
      'money',
      'did',
      'do',
      'does',
      'was',
      'were',
      'has',
      'have',
      'been',
      'each',
      'every',
    ]);
  const verb = lead && eat(reader, moneyVerbs);
  const of = verb ? moneyOf(reader, verb) : lead === undefined ? eatRevenue(reader) : undefined;
  return of && { fn: 'sum', of, where: [], name: textOf(reader, from, reader.at) };
}

function percentileMeasure(reader: Reader): Measure | undefined {
  const from = reader.at;
  const token = peek(reader);
  const glued = /^p(\d{2}(?:\.\d+)?)$/.exec(token?.norm ?? '');
  const ordinal = token?.kind === 'number' && eatPercentile(reader, token.value ?? 0);
  if (glued) reader.at += 1;
  const percent = glued ? Number(glued[1]) : ordinal || undefined;
  if (percent === undefined) return undefined;
  skip(reader);
  const of = eatExpression(reader);
  return (
    of && {
      fn: 'percentile',
      percent,
      of,
      where: [],
      name: glued ? textOf(reader, from, reader.at) : `p${percent} ${of.words}`,
    }
  );
}

const eatPercentile = (reader: Reader, value: number): number | false => {
  const { at } = reader;
  reader.at += 1;
  if (
    value > 0 &&
    value < 100 &&
    eat(reader, ['percentile of', 'percentile', 'percent quantile of'])
  )
    return value;
  reader.at = at;
  return false;
};

/** `percentage of orders that are paid`: the conditions that follow are those of the share. */
function shareMeasure(reader: Reader): Measure | undefined {
  if (
    !eat(reader, [
      'percentage of',
      'percent of',
      'share of',
      'proportion of',
      'fraction of',
      '% of',
    ])
  )
    return undefined;
  skip(reader);
  const from = reader.at;
  const where = readAdjectives(reader);
  const meaning = eatLogMeaning(reader);
  if (meaning) where.push(meaning);
  const isNoun = eatRowNoun(reader);
  if (!isNoun && !meaning) return undefined;
  return { fn: 'share', where, name: `% ${textOf(reader, from, reader.at)}` };
}

function aggregateMeasure(reader: Reader): Measure | undefined {
  const found = eatAggregate(reader);
  if (!found) return undefined;
  const { fn, said } = found;
  skip(reader, ['the', 'a', 'of', 'all', 'up', 'their', 'its', 'value', 'values', 'in', 'each']);
  const rows = fn === 'sum' ? attempt(reader, totalRows) : undefined;
  if (rows && said === 'total') assertOneTotal(reader, rows.name);
  if (rows) return said === 'total' ? { ...rows, name: `total ${rows.name}` } : undefined;
  const valued = attempt(reader, (inner) => moneyOfValue(inner, { fn, said }));
  if (valued) return valued;
  const explained = attempt(reader, explainedValue);
  if (explained) return { fn, of: explained, where: [], name: `${said} ${explained.said}` };
  if (fn === 'sum') attempt(reader, numberOf);
  const of = eatExpression(reader);
  return of && isFigureOf(of, fn) ? { fn, of, where: [], name: `${said} ${of.words}` } : undefined;
}

/** Any column has a minimum and a maximum; the other figures need numbers. */
const isFigureOf = ({ column }: Expression, fn: string): boolean =>
  fn === 'min' || fn === 'max' || !column || column.isNumber || column.isBoolean;

/** `total number of copies`, where `copies` is a column of numbers. */
const numberOf = (reader: Reader): true | undefined =>
  eat(reader, ['number of', 'amount of']) && eatColumn({ ...reader })?.isNumber ? true : undefined;

/** Most words before an explanation. */
const MAX_EXPLAINED = 6;

/** `value of the stock (price times copies)`: words for a calculation, and the calculation. */
function explainedValue(reader: Reader): (Expression & { readonly said: string }) | undefined {
  const from = reader.at;
  while (peek(reader)?.kind === 'word' && reader.at - from <= MAX_EXPLAINED) reader.at += 1;
  const said = textOf(reader, from, reader.at);
  if (said === '' || !eat(reader, ['('])) return undefined;
  eat(reader, ['=', 'i.e.', 'ie', 'that is', 'meaning']);
  const of = eatExpression(reader);
  if (!of || of.column || !eat(reader, [')'])) return undefined;
  return { ...of, said };
}

/** `total refunded`: the money of the rows with this value. */
function moneyOfValue(
  reader: Reader,
  { fn, said }: { readonly fn: string; readonly said: string },
): Measure | undefined {
  const from = reader.at;
  const where = eatValue(reader);
  const next = peek(reader);
  const isLast = next === undefined || ['mark', 'file'].includes(next.kind);
  if (!where || !(isLast || ['per', 'by', 'for', 'in', 'of', 'each'].includes(next.norm)))
    return undefined;
  const text = textOf(reader, from, reader.at);
  const of = moneyOf(reader, text);
  return of && { fn, of, where: [where], name: `${said} ${text}` };
}

/** `total orders`, and not `total invoice revenue`. */
function totalRows(reader: Reader): Measure | undefined {
  const from = reader.at;
  eat(reader, ['number of', 'count of']);
  const measure = countedRows(reader, from);
  return measure && !eatColumn({ ...reader }) ? measure : undefined;
}

const countedRows = (reader: Reader, from: number): Measure | undefined => {
  const measure = countedNoun(reader, { from });
  return measure?.fn === 'count' ? measure : undefined;
};

function eatAggregate(reader: Reader): { readonly fn: string; readonly said: string } | undefined {
  const token = peek(reader);
  for (const [words, fn] of aggregates) {
    const { at } = reader;
    if (eat(reader, words) === undefined) continue;
    // A column with that name, and no expression after it.
    const rest = { ...reader };
    skip(rest);
    if (isColumnNamed(reader, token?.norm ?? '') && !eatExpression(rest)) {
      reader.at = at;
      return undefined;
    }
    return { fn, said: token?.norm ?? fn };
  }
  return undefined;
}

const isColumnNamed = ({ table }: Reader, word: string) =>
  table.columns.some(({ words }) => words.join(' ') === word);

const operators: ReadonlyMap<string, string> = new Map([
  ...['*', '×', 'times', 'x', 'multiplied by'].map((word) => [word, '*'] as const),
  ...['+', 'plus'].map((word) => [word, '+'] as const),
  ...['-', 'minus', 'less'].map((word) => [word, '-'] as const),
  ...['/', '÷', 'divided by'].map((word) => [word, '/'] as const),
]);

/** `min, max and average price`, `the lowest and highest price`: several figures of one column. */
export function eatMeasures(reader: Reader): readonly Measure[] | undefined {
  const list = attempt(reader, (inner) => {
    const found: { fn: string; said: string }[] = [];
    do {
      skip(inner);
      const one = figure(inner);
      if (!one) return undefined;
      found.push(one);
    } while (eat(inner, [', and', 'and', ',', '/']));
    skip(inner);
    const of = found.length > 1 ? eatExpression(inner) : undefined;
    return of?.column?.isNumber
      ? found.map(({ fn, said }) => ({ fn, of, where: [], name: `${said} ${of.words}` }))
      : undefined;
  });
  if (list) return list;
  const one = eatMeasure(reader);
  return one && [one];
}

function figure(reader: Reader): { readonly fn: string; readonly said: string } | undefined {
  const said = peek(reader)?.norm ?? '';
  if (eat(reader, directions.desc)) return { fn: 'max', said };
  if (eat(reader, directions.asc)) return { fn: 'min', said };
  const found = aggregates.find(([words]) => eat(reader, words));
  return found && { fn: found[1], said };
}

/** A column, or a calculation of columns and numbers: `Price*Stock`. */
export function eatExpression(reader: Reader): Expression | undefined {
  const isProduct = eat(reader, ['product of', 'the product of']) !== undefined;
  skip(reader);
  let made = eatTerm(reader);
  for (let count = 0; made; count += 1) {
    const next = attempt(reader, (inner) => eatOperation(inner, isProduct));
    if (!next) break;
    made = calculated(made, next, count > 0);
  }
  return made;
}

interface Operation {
  readonly sign: string;
  readonly term: Expression;
}

function eatOperation(reader: Reader, isProduct: boolean): Operation | undefined {
  const word = eat(reader, [...operators.keys(), ...(isProduct ? ['and'] : [])]);
  if (word === undefined) return undefined;
  skip(reader);
  const term = eatTerm(reader);
  return term && { sign: operators.get(word) ?? '*', term };
}

function calculated(left: Expression, { sign, term }: Operation, isLong: boolean): Expression {
  const first = isLong && '*/'.includes(sign) ? `(${left.sql})` : left.sql;
  const second = sign === '/' ? `CAST(${term.sql} AS REAL)` : term.sql;
  return { sql: `${first} ${sign} ${second}`, words: `${left.words}${sign}${term.words}` };
}

/** `order value`, `basket size`: the money of a row. */
function worth(reader: Reader): Expression | undefined {
  if (!eatRowNoun(reader)) return undefined;
  const word = eat(reader, ['value', 'total', 'amount', 'worth']);
  return word === undefined ? undefined : moneyOf(reader, word);
}

function eatTerm(reader: Reader): Expression | undefined {
  const column =
    eatColumn(reader) ??
    attempt(reader, (inner) => (eatRowNoun(inner) ? eatColumn(inner) : undefined));
  if (column) return { sql: column.sql, words: column.name, column };
  const money = attempt(reader, eatRevenue) ?? attempt(reader, worth);
  if (money) return money;
  const value = eatNumber(reader);
  return value === undefined ? undefined : { sql: String(value), words: String(value) };
}
