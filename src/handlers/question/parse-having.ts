import type { Having } from '../tables/query.ts';
import type { NamedMeasure } from './named-measure.ts';
import { parseCount } from './number-words.ts';
import { comparisons } from './parse-comparison.ts';
import { parseMeasures } from './parse-measure.ts';
import { parseQuantity } from './parse-quantity.ts';
import { attempt, eat, type Parser, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';
import { conversion } from './units.ts';

/** A condition on groups. */
export interface SaidHaving {
  readonly measure: NamedMeasure;
  readonly test: Having['test'];
  readonly value: number;
}

const links = phrases('with|having|that have|which have|that made|that had|whose|where the|where');

/** `with more than 10 errors`, `that have at least five orders`, `with an average price above 100`. */
export function parseHaving(parser: Parser): SaidHaving | undefined {
  return attempt(parser, parseCountHaving) ?? attempt(parser, parseMeasureHaving);
}

function parseTest(parser: Parser): Having['test'] | undefined {
  const test = comparisons.find(([words]) => eat(parser, ...words))?.[1];
  if (test !== undefined) return test as Having['test'];
  return eat(parser, 'exactly') ? '=' : undefined;
}

function parseCountHaving(parser: Parser): SaidHaving | undefined {
  if (!eat(parser, ...links)) return undefined;
  const test = parseTest(parser);
  const value = test === undefined ? undefined : parseCount(parser);
  const measures = value === undefined ? undefined : parseMeasures(parser);
  const [measure] = measures ?? [];
  if (!measure?.isCount || value === undefined || test === undefined) return undefined;
  return { measure, test, value };
}

function parseMeasureHaving(parser: Parser): SaidHaving | undefined {
  if (!eat(parser, ...links)) return undefined;
  skipArticles(parser);
  const measures = parseMeasures(parser, { bare: false });
  const [measure] = measures ?? [];
  if (measures?.length !== 1 || !measure) return undefined;
  eat(parser, 'is', 'of', 'are');
  const test = parseTest(parser);
  const quantity = test === undefined ? undefined : parseQuantity(parser);
  if (test === undefined || quantity === undefined) return undefined;
  const { unit } = measure.measure;
  const factor =
    quantity.unit === undefined || quantity.unit === unit
      ? 1
      : conversion(quantity.unit, unit ?? '');
  return factor === undefined ? undefined : { measure, test, value: quantity.value * factor };
}
