import type { Aggregate, Expression, Filter, Measure } from '../tables/query.ts';
import { ambiguous, unclear } from './failures.ts';
import { nameParts } from './name-parts.ts';
import {
  assertNumeric,
  columnOfExpression,
  parseExpression,
  unitOfExpression,
} from './parse-expression.ts';
import { parseFilters } from './parse-filter.ts';
import { eatRowNoun, type Noun, parseNoun } from './parse-noun.ts';
import { parseUnit } from './parse-quantity.ts';
import { attempt, eat, norm, type Parser, peek, skipArticles } from './parser.ts';
import { conversion } from './units.ts';

/** A measure and the words that it was named by. */
export interface NamedMeasure {
  readonly measure: Measure;
  readonly phrase: string;
  /** Rows are counted: conditions that follow may be about these rows. */
  readonly isCount: boolean;
}

const aggregates: readonly (readonly [phrases: readonly string[], aggregate: Aggregate])[] = [
  [
    [
      'sum of',
      'sum',
      'the total sum of',
      'total sum of',
      'total of',
      'total',
      'combined',
      'summed',
      'overall sum of',
      'cumulative',
      'sum up',
      'add up',
    ],
    'sum',
  ],
  [['average of', 'average', 'avg of', 'avg', 'mean of', 'mean', 'arithmetic mean of'], 'mean'],
  [['median of', 'median'], 'median'],
  [['minimum of', 'minimum', 'min of', 'min', 'lowest', 'smallest'], 'min'],
  [['maximum of', 'maximum', 'max of', 'max', 'highest', 'largest', 'peak'], 'max'],
  [['standard deviation of', 'standard deviation', 'stddev of', 'stddev', 'std'], 'deviation'],
];

/** One or more measures that stand here: `the number of errors`, `sum of Price*Stock`, `min, mean and max duration`. */
export function parseMeasures(
  parser: Parser,
  options = { bare: true },
): NamedMeasure[] | undefined {
  return (
    attempt(parser, parseAggregateList) ??
    attempt(parser, (inner) => asList(parseCounted(inner))) ??
    attempt(parser, (inner) => asList(parseShare(inner))) ??
    (options.bare ? attempt(parser, (inner) => asList(parseBare(inner))) : undefined)
  );
}

const asList = (measure: NamedMeasure | undefined): NamedMeasure[] | undefined =>
  measure && [measure];

interface Kind {
  readonly aggregate: Aggregate;
  readonly percentile?: number | undefined;
  readonly word: string;
}

function parseAggregateList(parser: Parser): NamedMeasure[] | undefined {
  skipArticles(parser);
  const start = parser.at;
  const kinds = parseKinds(parser);
  if (!kinds) return undefined;
  const isTotal = kinds.length === 1 && kinds[0]?.aggregate === 'sum';
  const counted = isTotal ? attempt(parser, parseCounted) : undefined;
  if (counted) return [{ ...counted, phrase: textFrom(parser, start) }];
  eat(parser, 'value of', 'of');
  skipArticles(parser);
  const argumentStart = parser.at;
  const found = parseExpression(parser) ?? attempt(parser, parseWithRowNoun);
  if (!found)
    return isTotal ? asList(attempt(parser, (inner) => parseTotalCount(inner, start))) : undefined;
  const argumentText = textFrom(parser, argumentStart);
  const converted = convert(parser, found);
  return kinds.map((kind) => ({
    measure: aggregated(parser, kind, converted, argumentText),
    phrase: kinds.length === 1 ? textFrom(parser, start) : `${kind.word} ${argumentText}`,
    isCount: false,
  }));
}

/** "total requests" counts; it does not sum. */
function parseTotalCount(parser: Parser, start: number): NamedMeasure | undefined {
  const noun = parseNoun(parser);
  if (!noun || noun.dimension || noun.isDistinct) return undefined;
  return { measure: countOf(noun), phrase: textFrom(parser, start), isCount: true };
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
    const next = attempt(parser, (inner) =>
      eat(inner, ', and', ',', 'and', '/') ? (skipArticles(inner), parseKind(inner)) : undefined,
    );
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

function convert(
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

function aggregated(
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

/** `number of requests with status 404`, `count of distinct clients`, `how many products`, `unique clients`. */
function parseCounted(parser: Parser): NamedMeasure | undefined {
  skipArticles(parser);
  const start = parser.at;
  const intro = eat(
    parser,
    'total number of',
    'number of',
    'numbers of',
    'count of',
    'total count of',
    'how many',
    'amount of',
    'counts of',
  );
  if (intro === undefined) return undefined;
  const noun = parseNoun(parser);
  if (!noun) return undefined;
  if (noun.dimension) return distinctOf(parser, noun, start);
  return { measure: countOf(noun), phrase: textFrom(parser, start), isCount: true };
}

function distinctOf(parser: Parser, noun: Noun, start: number): NamedMeasure {
  const { dimension } = noun;
  const column = parser.table.columns.find(({ name }) => name === dimension?.name);
  if (
    column?.type === 'number' &&
    !noun.isDistinct &&
    dimension?.expression.kind === 'column' &&
    !parser.table.isLog
  ) {
    throw ambiguous(
      `"number of ${noun.phrase}" may mean the sum of "${column.name}" or its distinct values: say "sum of" or "number of distinct".`,
    );
  }
  if (!noun.isDistinct)
    parser.meanings.add(`number of ${noun.phrase} = distinct values of ${dimension?.name}`);
  return {
    measure: {
      name: noun.phrase,
      aggregate: 'distinct',
      argument: dimension?.expression,
      where: [],
    },
    phrase: textFrom(parser, start),
    isCount: true,
  };
}

const countOf = (noun: Noun): Measure => ({
  name: noun.phrase.replace(/^(?:the|all|a) /i, ''),
  aggregate: 'count',
  where: noun.filters,
});

/** `percentage of errors`, `share of requests with status 404`, `error rate`. */
function parseShare(parser: Parser): NamedMeasure | undefined {
  skipArticles(parser);
  const start = parser.at;
  const rate = attempt(parser, parseErrorRate);
  if (rate) return shareOf(parser, { filters: rate, word: 'error rate', scale: 100 }, start);
  const word = eat(
    parser,
    'percentage of',
    'percent of',
    'share of',
    'proportion of',
    'fraction of',
  );
  if (word === undefined) return undefined;
  const noun = parseNoun(parser);
  if (!noun || noun.dimension) return undefined;
  const filters = [...noun.filters, ...(attempt(parser, parseFilters) ?? [])];
  if (filters.length === 0) return undefined;
  const scale = /fraction|proportion/.test(word) ? 1 : 100;
  return shareOf(parser, { filters, word: textFrom(parser, start), scale }, start);
}

function parseErrorRate(parser: Parser): Filter[] | undefined {
  if (norm(parser, 1) !== 'rate' && norm(parser, 1) !== 'percentage') return undefined;
  const noun = parseNoun(parser);
  if (!noun || noun.dimension || noun.filters.length === 0) return undefined;
  return eat(parser, 'rate', 'percentage') ? [...noun.filters] : undefined;
}

function shareOf(
  parser: Parser,
  { filters, word, scale }: { filters: Filter[]; word: string; scale: number },
  start: number,
): NamedMeasure {
  const measure: Measure = {
    name: word,
    aggregate: 'share',
    where: filters,
    scale,
    unit: scale === 100 ? '%' : undefined,
  };
  return { measure, phrase: textFrom(parser, start), isCount: false };
}

/** Amounts that add up when rows are grouped. */
const additive = [
  'precipitation',
  'rainfall',
  'rain',
  'snow',
  'snowfall',
  'amount',
  'quantity',
  'qty',
  'revenue',
  'sale',
  'turnover',
  'byte',
  'total',
  'traffic',
  'bandwidth',
  'unit sold',
  'sold',
];

/** A noun alone: `errors`, `requests`, `bytes`, `precipitation`. */
function parseBare(parser: Parser): NamedMeasure | undefined {
  skipArticles(parser);
  const start = parser.at;
  const noun = attempt(parser, parseNoun);
  if (noun && !noun.dimension) {
    eat(parser, 'count', 'counts');
    return { measure: countOf(noun), phrase: textFrom(parser, start), isCount: true };
  }
  if (noun?.isDistinct) {
    return {
      measure: {
        name: noun.phrase,
        aggregate: 'distinct',
        argument: noun.dimension?.expression,
        where: [],
      },
      phrase: noun.phrase,
      isCount: true,
    };
  }
  parser.at = start;
  const found = parseExpression(parser);
  if (!found || found.kind === 'number') return undefined;
  const text = textFrom(parser, start);
  const column = columnOfExpression(parser, found);
  if (column && column.type !== 'number') return undefined;
  const isAdditive = [text, column?.name ?? ''].some((name) =>
    additive.includes(nameParts(name).at(-1) ?? ''),
  );
  if (!isAdditive && column?.role !== 'bytes') return undefined;
  parser.meanings.add(`${text} = sum of ${column?.name ?? text}`);
  const converted = convert(parser, found);
  return {
    measure: aggregated(parser, { aggregate: 'sum', word: 'sum' }, converted, text),
    phrase: text,
    isCount: false,
  };
}

/** What was written between a token and here. */
export const textFrom = (parser: Parser, start: number): string =>
  parser.text.slice(parser.tokens[start]?.start ?? 0, peek(parser, -1)?.end ?? 0);
