import type { Dimension, Measure, Query } from '../tables/query.ts';
import type { Column } from '../tables/table.ts';
import { composeGroups, decimalsOf } from './compose-groups.ts';
import { createDraft, type Draft } from './draft.ts';
import { notUnderstood, unclear } from './failures.ts';
import { measureOfName, parserOfName } from './match-name.ts';
import { nameParts } from './name-parts.ts';
import type { NamedMeasure } from './named-measure.ts';
import { parseDimension } from './parse-dimension.ts';
import { parseFilters } from './parse-filter.ts';
import { parseMeasures } from './parse-measure.ts';
import type { Shape, ShapeEntry } from './parse-shape.ts';
import { parseRanking } from './parse-target.ts';
import { isAtEnd, type Parser, partOf } from './parser.ts';
import type { ObjectNode } from './plan.ts';
import { adjectiveOf } from './superlatives.ts';

/** Gathers the queries of an object while its shape is walked. */
interface Gathered {
  readonly parser: Parser;
  readonly draft: Draft;
  readonly queries: Query[];
}

/** Makes the queries behind a JSON object such as `{"days": number of days, "hottest": {"month", "mean_temp_max"}}`. */
export function composeObject(
  parser: Parser,
  draft: Draft,
  shape: Shape,
): { queries: Query[]; object: ObjectNode } {
  if (draft.groupBy.length > 0)
    throw unclear('One object can hold one value a key: a grouping needs a list.');
  if (draft.rounded.length > 0 && draft.output.every(({ decimals }) => decimals === undefined)) {
    throw unclear(
      'Say "values rounded to N decimals": which values of the object are meant is not clear.',
    );
  }
  const gathered: Gathered = { parser, draft, queries: [] };
  return { object: objectNode(gathered, shape), queries: gathered.queries };
}

function objectNode(gathered: Gathered, shape: Shape): ObjectNode {
  if (shape.isList) throw unclear("A list inside an object can't be made.");
  return {
    kind: 'object',
    entries: shape.entries.map((entry) => [entry.key, nodeOf(gathered, entry)] as const),
  };
}

function nodeOf(gathered: Gathered, entry: ShapeEntry): ObjectNode {
  if (entry.pattern !== undefined) throw unclear(`What "${entry.key}" stands for is not said.`);
  if (entry.inner) {
    const adjective = adjectiveOf(entry.key.toLowerCase());
    return adjective
      ? extremeNode(gathered, entry, entry.inner)
      : objectNode(gathered, entry.inner);
  }
  return entry.words ? wordsNode(gathered, entry) : keyNode(gathered, entry.key);
}

/** A key alone must name a measure. */
function keyNode(gathered: Gathered, key: string): ObjectNode {
  const defined = gathered.draft.definitions.get(key) ?? measureOfName(gathered.parser, key);
  if (!defined) throw notUnderstood([key], gathered.parser.table);
  return scalar(gathered, defined.measure);
}

function wordsNode(gathered: Gathered, { key, words = [] }: ShapeEntry): ObjectNode {
  const inner = partOf(gathered.parser, words);
  const measures = parseMeasures(inner);
  const [measure] = measures ?? [];
  if (measure && measures?.length === 1) {
    const filters = isAtEnd(inner) ? [] : (parseFilters(inner) ?? []);
    if (isAtEnd(inner)) return scalar(gathered, measure.measure, filters);
  }
  const again = partOf(gathered.parser, words);
  const ranking = parseRanking(again);
  if (ranking?.limit === 1 && ranking.noun.dimension && isAtEnd(again)) {
    const draft = { ...createDraft(0), filters: [...gathered.draft.filters], ranking };
    return {
      kind: 'cell',
      query: add(gathered, composeGroups(gathered.parser, draft, undefined).query),
      column: 0,
    };
  }
  throw notUnderstood(
    [key, ...words.slice(inner.at).map(({ text }) => text)],
    gathered.parser.table,
  );
}

function scalar(gathered: Gathered, measure: Measure, filters: Query['filters'] = []): ObjectNode {
  const query = add(gathered, {
    ...emptyQuery(gathered),
    filters: [...gathered.draft.filters, ...filters],
    measures: [measure],
  });
  return { kind: 'cell', query, column: 0 };
}

const emptyQuery = ({ parser, draft }: Gathered): Query => ({
  source: parser.table.name,
  filters: draft.filters,
  groupBy: [],
  measures: [],
  having: [],
  rank: [],
  order: [],
  select: [],
  decimals: decimalsOf(draft),
});

function add({ queries }: Gathered, query: Query): number {
  queries.push(query);
  return queries.length - 1;
}

/** `"hottest": {"month": "YYYY-MM", "mean_temp_max"}`: the group whose measure is the highest. */
function extremeNode(gathered: Gathered, entry: ShapeEntry, shape: Shape): ObjectNode {
  const adjective = adjectiveOf(entry.key.toLowerCase());
  const dimensions = shape.entries.flatMap((inner) => dimensionOf(gathered, inner));
  const [dimension] = dimensions;
  if (adjective && dimensions.length > 1 && dimensions.length === shape.entries.length) {
    return rowNode(gathered, entry.key, dimensions);
  }
  const measures = shape.entries
    .filter(({ key }) => key !== dimension?.key)
    .map((inner) => measureOf(gathered, inner));
  const [first] = measures;
  if (!adjective || !dimension || dimensions.length > 1 || !first || shape.isList) {
    throw unclear(
      `What "${entry.key}" holds is not clear: one thing to group by and what to calculate were expected.`,
    );
  }
  assertMeant(gathered, entry.key, adjective.words, first.named);
  const query: Query = {
    ...emptyQuery(gathered),
    groupBy: [dimension.dimension],
    measures: measures.map(({ key, named }) => ({ ...named.measure, name: key })),
    rank: [{ by: { output: 1 }, direction: adjective.direction }],
    limit: 1,
  };
  const order = [dimension.key, ...measures.map(({ key }) => key)];
  const columns = shape.entries.map(({ key }) => ({ key, column: order.indexOf(key) }));
  return { kind: 'row', query: add(gathered, query), columns };
}

/** `"slowest": {"path", "duration_ms"}`: the row whose value is the highest. */
function rowNode(
  gathered: Gathered,
  key: string,
  select: readonly { key: string; dimension: Dimension }[],
): ObjectNode {
  const adjective = adjectiveOf(key.toLowerCase());
  const fitting = select.filter(({ dimension }) => {
    const column = gathered.parser.table.columns.find(
      ({ name }) => 'column' in dimension.expression && dimension.expression.column === name,
    );
    return column !== undefined && isMeant(column, adjective?.words ?? []);
  });
  const by = fitting[0]?.dimension.expression;
  if (!adjective || !by || fitting.length > 1)
    throw unclear(`By which of its values "${key}" goes is not clear.`);
  const query: Query = {
    ...emptyQuery(gathered),
    select: select.map(({ dimension }) => dimension),
    rank: [{ by, direction: adjective.direction }],
    limit: 1,
  };
  const columns = select.map(({ key: name }, column) => ({ key: name, column }));
  return { kind: 'row', query: add(gathered, query), columns };
}

const isMeant = (column: Column, words: readonly string[]): boolean =>
  nameParts(column.name).some((part) => words.includes(part)) ||
  (column.role !== undefined && words.includes(column.role));

/** "hottest" must go by a temperature, "wettest" by precipitation. */
function assertMeant(
  gathered: Gathered,
  key: string,
  words: readonly string[],
  { measure, phrase }: NamedMeasure,
): void {
  if (words.length === 0) return;
  const argument = measure.argument?.kind === 'column' ? measure.argument.column : '';
  const column = gathered.parser.table.columns.find(({ name }) => name === argument);
  const fits = column !== undefined && isMeant(column, words);
  if (!fits) throw unclear(`"${key}" is not known to go by "${phrase}".`);
}

const patterns = new Map<string, readonly string[]>([
  ['month', ['YYYY-MM']],
  ['day', ['YYYY-MM-DD']],
  ['year', ['YYYY']],
]);

function dimensionOf({ parser }: Gathered, { key, pattern, words, inner }: ShapeEntry) {
  if (inner || words) return [];
  if (measureOfName(parser, key)) return [];
  const name = parserOfName(parser, key);
  const dimension = parseDimension(name);
  if (!dimension || !isAtEnd(name)) return [];
  const part = dimension.expression.kind === 'part' ? dimension.expression.part : '';
  if (pattern !== undefined && !patterns.get(part)?.includes(pattern))
    throw unclear(`The form "${pattern}" of "${key}" is not known.`);
  return [{ key, dimension: { ...dimension, name: key } }];
}

function measureOf(
  { parser, draft }: Gathered,
  { key, words, pattern, inner }: ShapeEntry,
): { key: string; named: NamedMeasure } {
  if (pattern !== undefined || inner) throw unclear(`What "${key}" stands for is not said.`);
  if (words) {
    const part = partOf(parser, words);
    const measures = parseMeasures(part);
    if (measures?.length === 1 && measures[0] && isAtEnd(part)) return { key, named: measures[0] };
    throw notUnderstood([key, ...words.map(({ text }) => text)], parser.table);
  }
  const named = draft.definitions.get(key) ?? measureOfName(parser, key);
  if (!named) throw notUnderstood([key], parser.table);
  return { key, named };
}
