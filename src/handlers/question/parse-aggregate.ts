import type { Aggregate, Expression, Measure } from '../tables/query.ts';
import { unclear } from './failures.ts';
import { type NamedMeasure, textFrom } from './named-measure.ts';
import { countOf, parseCounted } from './parse-count.ts';
import {
  assertNumeric,
  columnOfExpression,
  hasColumn,
  parseExpression,
  unitOfExpression,
} from './parse-expression.ts';
import { eatRowNoun, parseNoun } from './parse-noun.ts';
import { parseUnit } from './parse-quantity.ts';
import { attempt, eat, norm, type Parser, peek, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';
import { conversion } from './units.ts';

const aggregates: readonly (readonly [phrases: readonly string[], aggregate: Aggregate])[] = [
  [
    phrases(`sum of|sum|the total sum of|total sum of|total of|total|combined|summed
      sum up|add up`),
    'sum',
  ],
  [phrases('average of|average|avg of|avg|mean of|mean|arithmetic mean of'), 'mean'],
  [phrases('median of|median'), 'median'],
  [phrases('minimum of|minimum|min of|min|lowest|smallest|earliest|oldest'), 'min'],
  [phrases('maximum of|maximum|max of|max|highest|largest|peak|latest|newest'), 'max'],
  [phrases('standard deviation of|standard deviation|stddev of|stddev|std'), 'deviation'],
];

/** How values are calculated together, and the word for it. */
export interface Kind {
  readonly aggregate: Aggregate;
  readonly percentile?: number | undefined;
  readonly word: string;
}

/** `sum of Price*Stock`, `min, mean and max duration`, `p95 latency in seconds`. */
export function parseAggregateList(parser: Parser): NamedMeasure[] | undefined {
  skipArticles(parser);
  const start = parser.at;
  const kinds = parseKinds(parser);
  if (!kinds) return undefined;
  const isTotal = kinds.length === 1 && kinds[0]?.aggregate === 'sum';
  const counted = isTotal ? attempt(parser, parseCounted) : undefined;
  if (counted) return [{ ...counted, phrase: textFrom(parser, start) }];
  const word = norm(parser, -1);
  eat(parser, 'value of', 'of');
  skipArticles(parser);
  const argumentStart = parser.at;
  const found = parseExpression(parser) ?? attempt(parser, parseWithRowNoun);
  if (!found) return isTotal && word === 'total' ? parseTotalCount(parser, start) : undefined;
  if (!hasColumn(found) || !fitsTime(parser, kinds, found)) return undefined;
  const argumentText = textFrom(parser, argumentStart);
  const converted = convert(parser, found);
  return kinds.map((kind) => ({
    measure: aggregated(parser, kind, converted, argumentText),
    phrase: kinds.length === 1 ? textFrom(parser, start) : `${kind.word} ${argumentText}`,
    isCount: false,
  }));
}

/** "earliest" and "latest" are about times; every other way of calculating but the extremes is about numbers. */
function fitsTime(parser: Parser, kinds: readonly Kind[], expression: Expression): boolean {
  const isTime = columnOfExpression(parser, expression)?.type === 'time';
  return isTime || kinds.every(({ word }) => !/^(?:earliest|oldest|latest|newest)$/.test(word));
}

/** "total requests" counts; it does not sum. */
function parseTotalCount(parser: Parser, start: number): NamedMeasure[] | undefined {
  const noun = parseNoun(parser);
  if (!noun || noun.dimension || noun.isDistinct) return undefined;
  return [{ measure: countOf(noun), phrase: textFrom(parser, start), isCount: true }];
}

/** The word for a row in front of one of its columns: "invoice" in "total invoice revenue". */
function parseWithRowNoun(parser: Parser): Expression | undefined {
  return eatRowNoun(parser) === undefined ? undefined : parseExpression(parser);
}

function parseKinds(parser: Parser): Kind[] | undefined {
  const first = parseKind(parser);
  if (!first) return undefined;
  const kinds = [first];
  for (;;) {
    const next = attempt(parser, (inner) => {
      if (!eat(inner, ', and', ',', 'and', '/')) return undefined;
      skipArticles(inner);
      return parseKind(inner);
    });
    if (!next) return kinds;
    kinds.push(next);
  }
}

function parseKind(parser: Parser): Kind | undefined {
  const percentile = attempt(parser, parsePercentile);
  if (percentile !== undefined)
    return { aggregate: 'percentile', percentile, word: `p${percentile}` };
  for (const [phrases, aggregate] of aggregates) {
    const word = eat(parser, ...phrases);
    if (word !== undefined) return { aggregate, word: word.replace(/ of$/, '') };
  }
  return undefined;
}

/** `p95 (of)`, `95th percentile (of)`, `95 percentile`. */
function parsePercentile(parser: Parser): number | undefined {
  const short = /^p(\d{2}(?:\.\d+)?)$/.exec(norm(parser));
  const token = peek(parser);
  if (short) parser.at += 1;
  else {
    if (token?.kind !== 'number') return undefined;
    parser.at += 1;
    if (!eat(parser, 'percentile')) return undefined;
  }
  eat(parser, 'of');
  return short ? Number(short[1]) : token?.value;
}

/** In the unit that is asked for, where the file says its own. */
export function convert(
  parser: Parser,
  expression: Expression,
): { expression: Expression; unit: string | undefined } {
  const unit = unitOfExpression(parser, expression);
  const wanted = attempt(parser, (inner) => (eat(inner, 'in') ? parseUnit(inner) : undefined));
  if (wanted === undefined || wanted === unit) return { expression, unit };
  const factor = unit === undefined ? undefined : conversion(unit, wanted);
  if (factor === undefined)
    throw unclear(`The values can't be given in ${wanted}: the file does not say their unit.`);
  const right = { kind: 'number', value: factor } as const;
  return { expression: { kind: 'binary', operator: '*', left: expression, right }, unit: wanted };
}

/** The measure of one way of calculating. @throws TaskError where the column holds no numbers. */
export function aggregated(
  parser: Parser,
  { aggregate, percentile, word }: Kind,
  { expression, unit }: { expression: Expression; unit: string | undefined },
  text: string,
): Measure {
  const isTime = columnOfExpression(parser, expression)?.type === 'time';
  const isExtreme = aggregate === 'min' || aggregate === 'max';
  if (!(isTime && isExtreme)) assertNumeric(parser, expression);
  const column = columnOfExpression(parser, expression);
  const argument: Expression =
    isTime && column ? { kind: 'part', part: 'second', column: column.name } : expression;
  return {
    name: `${word} ${column?.name ?? text}`,
    aggregate,
    argument,
    percentile,
    where: [],
    unit,
  };
}
