import { units } from '../../language/lexicon.ts';
import { TaskError } from '../../task-error.ts';
import type { Condition } from '../sql/query.ts';
import { type Column, quoteText } from '../table/schema.ts';
import { eatKnownValue, eatValue, equals } from './eat-value.ts';
import { eatColumn } from './read-names.ts';
import { attempt, eat, eatNumber, isFiller, peek, type Reader, skip } from './reader.ts';

/** `DE`, `DE or FR`, `DE, FR and IT`: values that the column has, or that are in quotes. */
export function valuesOf(reader: Reader, column: Column, op: '=' | '<>'): Condition | undefined {
  skip(reader, ['the', 'a', 'an', 'either', 'one', 'of']);
  const first = eatValueOf(
    reader,
    column,
    op === '<>' || peek(reader, -1)?.kind !== 'word' || isSaid(peek(reader, -1)?.norm),
  );
  if (first === undefined) return undefined;
  const values = [first];
  for (;;) {
    const next = attempt(reader, (inner) =>
      eat(inner, [', or', ', and', 'or', 'and', ','])
        ? eatValueOf(inner, column, false)
        : undefined,
    );
    if (next === undefined) break;
    values.push(next);
  }
  return membership(column, values, op);
}

const isSaid = (word: string | undefined) =>
  ['is', 'are', 'equals', 'to', 'was', 'not', 'of', 'exactly'].includes(word ?? '');

function membership(column: Column, values: readonly string[], op: '=' | '<>'): Condition {
  const [first = ''] = values;
  if (values.length === 1) {
    const one = equals(column, first);
    return op === '='
      ? one
      : { sql: one.sql.replace(' = ', ' <> '), words: one.words.replace(' is ', ' is not ') };
  }
  const list = values.map((value) => (column.isNumber ? value : quoteText(value))).join(', ');
  return {
    sql: `${column.sql} ${op === '=' ? 'IN' : 'NOT IN'} (${list})`,
    words: `${column.name} is ${op === '=' ? '' : 'not '}${values.join(' or ')}`,
  };
}

/** @param isSure Whether a value must follow: then an unknown value is an error. */
function eatValueOf(reader: Reader, column: Column, isSure: boolean): string | undefined {
  const token = peek(reader);
  if (token === undefined || token.kind === 'mark' || token.kind === 'op') return undefined;
  if (column.isNumber) return eatAmount(reader, column)?.toString();
  const known = eatKnownValue(reader, column);
  if (known !== undefined) return known;
  const isLiteral = ['quote', 'code', 'date'].includes(token.kind);
  if (!isLiteral && (!isSure || isFiller(token))) return undefined;
  if (reader.table.isWhole && column.values.size > 0) throw noSuchValue(column, token.text);
  reader.at += 1;
  return token.text;
}

function noSuchValue({ name, values }: Column, said: string): TaskError {
  const shown = [...values].slice(0, 12).join(', ');
  return new TaskError(
    'NOT_FOUND',
    `No row has "${said}" in ${name}. It has: ${shown}${values.size > 12 ? ', …' : ''}.`,
  );
}

/** Values of any text column, without its name: `from DE`, `in Oslo or Rome`. */
export function valueList(reader: Reader): Condition | undefined {
  const start = reader.at;
  const first = eatValue(reader);
  if (!first) return undefined;
  const column = reader.table.columns.find(({ sql }) => first.sql.startsWith(`${sql} = `));
  if (!column) return first;
  reader.at = start;
  const all = valuesOf(reader, column, '=') ?? first;
  // `in the deck category`
  attempt(reader, (inner) => (eatColumn(inner) === column ? true : undefined));
  return all;
}

const money = [
  '$',
  '€',
  '£',
  'euro',
  'euros',
  'eur',
  'dollar',
  'dollars',
  'usd',
  'pounds',
  'gbp',
  '%',
  'percent',
  'degrees',
  'pieces',
  'units',
  'years',
];

const magnitudes: ReadonlyMap<string, number> = new Map([
  ['k', 1000],
  ['thousand', 1000],
  ['million', 1e6],
  ['m', 1e6],
]);

/** A number in the unit of a column: `0.3 s` is 300 for a column of milliseconds. */
export function eatAmount(reader: Reader, column: Column): number | undefined {
  eat(reader, money);
  const sign = eat(reader, ['-']) === undefined ? 1 : -1;
  const value = eatNumber(reader);
  if (value === undefined) return undefined;
  const word = peek(reader);
  const unit = word?.kind === 'word' ? units.get(word.stem) : undefined;
  if (unit && unitOf(column)?.[0] === unit[0]) {
    reader.at += 1;
    return sign * Number(((value * unit[1]) / (unitOf(column)?.[1] ?? 1)).toPrecision(12));
  }
  const scale = magnitudes.get(word?.norm ?? '');
  if (scale !== undefined) reader.at += 1;
  eat(reader, money);
  return sign * value * (scale ?? 1);
}

/** The unit in the name of a column: `duration_ms`, `bytes`. */
function unitOf({ words, name }: Column): readonly ['time' | 'size', number] | undefined {
  if (/(?:_|\b)ms$|Ms$/.test(name)) return ['time', 0.001];
  const last = words.at(-1) ?? '';
  if (last === 'byte' || last === 'size') return ['size', 1];
  return /^(?:sec|second|s|min|minute|h|hour|kb|mb)$/.test(last) ? units.get(last) : undefined;
}
