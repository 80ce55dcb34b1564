import type { Dimension, Measure } from '../tables/query.ts';
import { parseColumn } from './find-column.ts';
import { nameParts } from './name-parts.ts';
import type { NamedMeasure } from './named-measure.ts';
import { parseDimension } from './parse-dimension.ts';
import { parseMeasures } from './parse-measure.ts';
import { isAtEnd, type Parser, partOf } from './parser.ts';
import { tokenize } from './tokens.ts';

/** What a name may refer to: the dimensions, then the measures of a question. */
export interface Outputs {
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly NamedMeasure[];
  /** Measures that were given a name: `not_found = number of …`. */
  readonly definitions: ReadonlyMap<string, NamedMeasure>;
  /** Names that were already given to outputs. */
  readonly given?: ReadonlyMap<string, number> | undefined;
}

/** A parser over a name such as `mean_temp_max`, read as words. */
export function parserOfName(parser: Parser, name: string): Parser {
  const text = nameParts(name).join(' ');
  return { ...partOf(parser, tokenize(text)), text, meanings: new Set() };
}

/** Index of the output that a name refers to; undefined where it is none, or where several fit. */
export function matchOutput(parser: Parser, name: string, outputs: Outputs): number | undefined {
  const given = outputs.given?.get(name) ?? outputs.given?.get(name.replaceAll(' ', '_'));
  if (given !== undefined) return given;
  for (const match of matchers) {
    const found = match(parser, name, outputs);
    const [first, second] = found;
    if (first !== undefined && second === undefined) return first;
    if (second !== undefined) return undefined;
  }
  return undefined;
}

type Matcher = (parser: Parser, name: string, outputs: Outputs) => number[];

const partsOf = (text: string): string =>
  nameParts(text)
    .filter((part) => !['the', 'a', 'of', 'their', 'it'].includes(part))
    .join(' ');

const byDefinition: Matcher = (_parser, name, { dimensions, measures, definitions }) => {
  const wanted = [...definitions].find(([key]) => partsOf(key) === partsOf(name))?.[1];
  const at = wanted ? measures.indexOf(wanted) : -1;
  return at === -1 ? [] : [dimensions.length + at];
};

const byName: Matcher = (_parser, name, outputs) =>
  indexes(outputs, (labels) => labels.some((label) => partsOf(label) === partsOf(name)));

function indexes(
  { dimensions, measures, definitions }: Outputs,
  test: (labels: readonly string[], measure?: Measure) => boolean,
): number[] {
  const found = dimensions.flatMap(({ name }, at) => (test([name]) ? [at] : []));
  const defined = new Set(definitions.values());
  measures.forEach((named, at) => {
    const { measure, phrase } = named;
    if (!defined.has(named) && test([measure.name, phrase], measure))
      found.push(dimensions.length + at);
  });
  return found;
}

/** `address` for the column `client`; `month` for a part of a date. */
const byDimension: Matcher = (parser, name, { dimensions }) => {
  const inner = parserOfName(parser, name);
  const dimension = quietly(() => parseDimension(inner));
  if (!dimension || !isAtEnd(inner)) return [];
  return dimensions.flatMap((candidate, at) =>
    isSame(candidate.expression, dimension.expression) ? [at] : [],
  );
};

/** `mean_temp_max` for "the average temp_max". */
const byMeasure: Matcher = (parser, name, { dimensions, measures }) => {
  const measure = measureOfName(parser, name)?.measure;
  if (!measure) return [];
  return measures.flatMap(({ measure: candidate }, at) =>
    isSame(kindOf(candidate), kindOf(measure)) ? [dimensions.length + at] : [],
  );
};

/** `revenue` for "total invoice revenue", `country` for `BillingCountry`. */
const byPart: Matcher = (parser, name, outputs) => {
  const words = partsOf(name)
    .replace(/ (?:name|value|count)$/, '')
    .split(' ');
  const contains = (label: string) =>
    words.every((word) => partsOf(label).split(' ').includes(word));
  const found = indexes(
    outputs,
    (labels, measure) => labels.some(contains) && !contradicts(name, measure),
  );
  if (found.length > 0) return found;
  const inner = parserOfName(parser, name);
  const column = quietly(() => parseColumn(inner));
  if (!column || !isAtEnd(inner)) return [];
  return indexes(outputs, (_labels, measure) => {
    const argument = measure?.argument;
    return (
      argument?.kind === 'column' && argument.column === column.name && !contradicts(name, measure)
    );
  });
};

/** "ties by name": the only thing that rows are grouped by, where no column is called so. */
const byGeneralName: Matcher = (parser, name, { dimensions }) => {
  const isColumn = parser.table.columns.some(
    (column) => nameParts(column.name).join(' ') === 'name',
  );
  return partsOf(name) === 'name' && dimensions.length === 1 && !isColumn ? [0] : [];
};

const matchers: readonly Matcher[] = [
  byDefinition,
  byName,
  byDimension,
  byMeasure,
  byPart,
  byGeneralName,
];

const claims: readonly (readonly [words: readonly string[], aggregates: readonly string[]])[] = [
  [['mean', 'avg', 'average'], ['mean']],
  [
    ['median', 'p50'],
    ['median', 'percentile'],
  ],
  [['min', 'minimum', 'lowest'], ['min']],
  [['max', 'maximum', 'highest'], ['max']],
  [['sum'], ['sum']],
  [['total'], ['sum', 'count']],
  [
    ['count', 'number', 'n'],
    ['count', 'distinct'],
  ],
  [['distinct', 'unique'], ['distinct']],
  [['share', 'percent', 'percentage', 'pct', 'rate', 'fraction'], ['share']],
];

/** Whether a name says another way of calculating than the measure has: `median_price` for a mean. */
export function contradicts(name: string, measure: Measure | undefined): boolean {
  if (!measure) return false;
  const argument = measure.argument?.kind === 'column' ? nameParts(measure.argument.column) : [];
  const words = nameParts(name).filter((word) => !argument.includes(word));
  return claims.some(
    ([said, aggregates]) =>
      said.some((word) => words.includes(word)) && !aggregates.includes(measure.aggregate),
  );
}

const rowCount: NamedMeasure = {
  measure: { name: 'count', aggregate: 'count', where: [] },
  phrase: 'count',
  isCount: true,
};

/** A name read as a measure: `error_count`, `total_bytes`. Undefined where a word of it is left. */
export function measureOfName(parser: Parser, name: string): NamedMeasure | undefined {
  if (nameParts(name).join(' ') === 'count') return rowCount;
  const inner = parserOfName(parser, name);
  const measures = quietly(() => parseMeasures(inner));
  return measures?.length === 1 && isAtEnd(inner) ? measures[0] : undefined;
}

const kindOf = ({ aggregate, argument, percentile, where }: Measure) => ({
  aggregate,
  argument,
  percentile,
  where,
});

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A name that can be read in several ways is no match here; it is reported where nothing else fits. */
function quietly<T>(parse: () => T | undefined): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
