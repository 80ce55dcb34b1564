import type { Column } from '../tables/table.ts';
import { ambiguous, unclear } from './failures.ts';
import { parseCount } from './number-words.ts';
import { attempt, eat, norm, type Parser, peek } from './parser.ts';
import { conversion, unitKind, unitOf } from './units.ts';

export interface Quantity {
  readonly value: number;
  readonly unit: string | undefined;
  readonly text: string;
}

const scales = new Map([
  ['thousand', 1e3],
  ['k', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);

/** A number with its unit: `200 ms`, `1,000`, `-5`, `$20`, `2 million`. */
export function parseQuantity(parser: Parser): Quantity | undefined {
  return attempt(parser, (inner) => {
    const start = peek(inner)?.start ?? 0;
    const isNegative = eat(inner, '-') !== undefined;
    const sign = eat(inner, '$', '€', '£');
    const number = parseNumber(inner);
    if (number === undefined) return undefined;
    const value = (isNegative ? -number : number) * parseScale(inner);
    const unit = sign ?? parseUnit(inner);
    return { value, unit, text: inner.text.slice(start, peek(inner, -1)?.end) };
  });
}

function parseNumber(parser: Parser): number | undefined {
  const token = peek(parser);
  if (token?.kind !== 'number') return parseCount(parser);
  parser.at += 1;
  return token.value;
}

function parseScale(parser: Parser): number {
  const scale = scales.get(norm(parser));
  if (scale === undefined) return 1;
  parser.at += 1;
  return scale;
}

/** `ms`, `seconds`, `MB`; not a word that only looks like one, such as "hour" in "5 per hour". */
export function parseUnit(parser: Parser): string | undefined {
  const token = peek(parser);
  const unit = token?.kind === 'word' ? unitOf(token.text) : undefined;
  if (unit === undefined) return undefined;
  parser.at += 1;
  return unit;
}

/**
 * The quantity in the unit of a column.
 *
 * @throws TaskError where the units differ in kind, or the file does not give one and the text does.
 */
export function inUnitOf(column: Column, quantity: Quantity): number {
  const { value, unit } = quantity;
  if (unit === undefined || unit === column.unit) {
    if (
      unit === undefined &&
      unitKind(column.unit) === 'time' &&
      value !== 0 &&
      !namesUnit(column)
    ) {
      throw ambiguous(
        `"${quantity.text}" has no unit; "${column.name}" is in ${column.unit}. Say which: ${quantity.text} ${column.unit}?`,
      );
    }
    return value;
  }
  if (column.unit === undefined) {
    throw unclear(
      `The file does not say in which unit "${column.name}" is, so "${quantity.text}" can't be compared with it.`,
    );
  }
  const factor = conversion(unit, column.unit);
  if (factor === undefined) {
    throw unclear(
      `"${quantity.text}" can't be compared with "${column.name}", which is in ${column.unit}.`,
    );
  }
  return Number((value * factor).toPrecision(15));
}

const namesUnit = (column: Column): boolean => /_(?:ms|s|us|sec|seconds)$/i.test(column.name);
