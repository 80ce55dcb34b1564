import type { Dimension, Query } from '../tables/query.ts';
import { composeGroups } from './compose-groups.ts';
import { composeObject } from './compose-object.ts';
import { composeRows } from './compose-rows.ts';
import type { Draft } from './draft.ts';
import { notUnderstood, unclear } from './failures.ts';
import { hasOwnTarget, joinDrafts } from './join-drafts.ts';
import { measureOfName, parserOfName } from './match-name.ts';
import type { NamedMeasure } from './named-measure.ts';
import { parseDimension } from './parse-dimension.ts';
import { parseMeasures } from './parse-measure.ts';
import type { Noun } from './parse-noun.ts';
import type { Format, SaidOutput } from './parse-output.ts';
import type { Shape } from './parse-shape.ts';
import { assertOneWay } from './parse-target.ts';
import { isAtEnd, type Parser, partOf } from './parser.ts';
import type { ObjectNode, Plan, PlannedColumn } from './plan.ts';

/** Makes a plan of each question. */
export function composePlans(parser: Parser, drafts: readonly Draft[]): Plan[] {
  const questions = joinDrafts(drafts);
  return questions.map((draft) => {
    const meanings = parser.meanings.size;
    const plan = composePlan(parser, draft, questions);
    const later = [...parser.meanings].slice(meanings);
    return { ...plan, meanings: [...new Set([...draft.meanings, ...later])] };
  });
}

function composePlan(parser: Parser, draft: Draft, all: readonly Draft[]): Plan {
  const output = mergedOutput(draft.output);
  const { shape } = output;
  const base = {
    text: textOf(parser, draft, all[all.indexOf(draft) + 1]),
    meanings: [],
    file: output.file,
    format: formatOf(output),
    hasHeader: output.hasHeader !== false,
    isMapping: draft.isMapping,
  };
  if (shape && !shape.isList && !hasOwnTarget(draft)) {
    const { queries, object } = composeObject(parser, draft, shape);
    return { ...base, queries, object, columns: undefined, limitIsDefault: false };
  }
  const keys = shape ? keysOf(parser, draft, shape) : output.keys;
  const composed = composeList(parser, draft, keys);
  if (composed.limitIsDefault && output.file !== undefined)
    throw unclear(`How many of "${draft.ranking?.noun.phrase}" to write is not said.`);
  if (draft.isMapping && (keys || composed.query.groupBy.length !== 1))
    throw unclear('A mapping has one key and one value.');
  return {
    ...base,
    queries: [composed.query],
    object: shape && !shape.isList ? singleRow(composed) : undefined,
    columns: composed.columns,
    limitIsDefault: composed.limitIsDefault,
  };
}

/** One object from a result that can only have one row. */
function singleRow({
  query,
  columns = [],
}: {
  query: Query;
  columns: readonly PlannedColumn[] | undefined;
}): ObjectNode {
  const isSingle = query.limit === 1 || (query.measures.length > 0 && query.groupBy.length === 0);
  if (!isSingle)
    throw unclear('One object was asked for, and several rows: say "as a list of {…}".');
  return { kind: 'row', query: 0, columns };
}

function composeList(parser: Parser, draft: Draft, keys: readonly string[] | undefined) {
  if (draft.ranking) assertOneWay(draft.ranking);
  if (keys && isBare(draft)) groupByKeys(parser, draft, keys);
  if (draft.isAllRows) return composeAllRows(parser, draft, keys);
  if (draft.selection || (draft.ranking && !draft.ranking.noun.dimension))
    return composeListing(parser, draft, keys);
  if (draft.ranking) return composeDimension(parser, draft, keys);
  const rows = listedRows(draft);
  if (rows) {
    const narrowed = { ...draft, filters: [...draft.filters, ...rows.own] };
    return composeRows(parser, narrowed, { keys, noun: rows.noun });
  }
  return composeCalculated(parser, draft, keys);
}

function composeAllRows(parser: Parser, draft: Draft, keys: readonly string[] | undefined) {
  const isOther = draft.measures.length > 0 || draft.ranking || draft.selection;
  if (isOther) throw unclear('All rows are asked for, and something else of the same file.');
  return composeRows(parser, draft, { keys, noun: undefined });
}

function composeListing(parser: Parser, draft: Draft, keys: readonly string[] | undefined) {
  if (draft.measures.length > 0) {
    throw unclear('Rows and calculated values are asked for together.');
  }
  return composeRows(parser, draft, { keys, noun: draft.ranking?.noun });
}

function composeCalculated(parser: Parser, draft: Draft, keys: readonly string[] | undefined) {
  if (draft.measures.length + draft.definitions.size === 0 && !keys) {
    throw unclear('What to count or to calculate is not said.');
  }
  if (draft.verb === 'group' && draft.groupBy.length === 0)
    throw unclear('What to group by is not said.');
  return composeGroups(parser, draft, keys);
}

const isBare = (draft: Draft): boolean => !hasOwnTarget(draft) && draft.groupBy.length === 0;

/** `{"state", "strikes", "cost"}` alone: keys that name what things are group, if the others name what to calculate. */
function groupByKeys(parser: Parser, draft: Draft, keys: readonly string[]): void {
  const isMeasure = (key: string) =>
    draft.definitions.has(key) || measureOfName(parser, key) !== undefined;
  const others = keys.filter((key) => !isMeasure(key));
  if (others.length === 0) throw unclear('What to list, count or calculate is not said.');
  if (others.length === keys.length) draft.isAllRows = true;
  else draft.groupBy.push(...others.map((key) => dimensionOfKey(parser, key)));
}

function dimensionOfKey(parser: Parser, key: string): Dimension {
  const inner = parserOfName(parser, key);
  const dimension = parseDimension(inner);
  if (dimension && isAtEnd(inner)) return dimension;
  throw notUnderstood([key], parser.table);
}

/** Groups in an order, or the distinct values of a column. */
function composeDimension(parser: Parser, draft: Draft, keys: readonly string[] | undefined) {
  const { ranking, measures, definitions } = draft;
  const isPlain =
    !ranking?.isRanked && !ranking?.having && measures.length + definitions.size === 0;
  const onlyNames = keys === undefined || keys.length <= 1;
  return isPlain && onlyNames && draft.groupBy.length === 0
    ? composeRows(parser, draft, { keys, noun: ranking?.noun })
    : composeGroups(parser, draft, keys);
}

/** "list the requests with …": rows are shown where nothing counts or groups them. */
function listedRows({
  measures,
  groupBy,
  verb,
  definitions,
}: Draft): { noun: Noun; own: Draft['filters'] } | undefined {
  const [first, second] = measures;
  if (!first?.noun || second || groupBy.length > 0 || definitions.size > 0) return undefined;
  if (verb?.startsWith('count') || verb === 'group') return undefined;
  return { noun: first.noun, own: first.own };
}

/** Keys of a list's shape; a key with words is a definition. */
function keysOf(parser: Parser, draft: Draft, shape: Shape): string[] {
  return shape.entries.map(({ key, words, inner, pattern }) => {
    if (inner) throw unclear(`An object inside "${key}" of a list can't be made.`);
    if (pattern !== undefined && !/^YYYY(?:-MM(?:-DD)?)?$/.test(pattern))
      throw unclear(`The form "${pattern}" of "${key}" is not known.`);
    if (words) draft.definitions.set(key, definitionOf(parser, key, words));
    return key;
  });
}

function definitionOf(
  parser: Parser,
  key: string,
  words: NonNullable<Shape['entries'][number]['words']>,
): NamedMeasure {
  const inner = partOf(parser, words);
  const measures = parseMeasures(inner);
  if (measures?.length === 1 && measures[0] && isAtEnd(inner)) return measures[0];
  throw notUnderstood([key, ...words.slice(inner.at).map(({ text }) => text)], parser.table);
}

/** What was said about the form, joined. @throws TaskError where two sayings differ. */
function mergedOutput(said: readonly SaidOutput[]): SaidOutput {
  const merged: Record<string, unknown> = {};
  for (const part of said) {
    for (const [name, value] of Object.entries(part)) {
      if (value === undefined) continue;
      const held = merged[name];
      if (held !== undefined && JSON.stringify(held) !== JSON.stringify(value)) {
        throw unclear(`Two different things are said about the ${name} of the output.`);
      }
      merged[name] = value;
    }
  }
  return merged as SaidOutput;
}

const byEnding: Record<string, Format> = {
  json: 'json',
  csv: 'csv',
  tsv: 'tsv',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
};

function formatOf({ file, format, shape }: SaidOutput): Format | undefined {
  const ending = file?.split('.').at(-1)?.toLowerCase() ?? '';
  const byFile = Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;
  const wanted = shape ? 'json' : format;
  if (file !== undefined && byFile === undefined && wanted === undefined) {
    throw unclear(
      `In which format "${file}" is to be written is not said: Markdown, CSV, TSV, JSON or text.`,
    );
  }
  if (byFile && wanted && byFile !== wanted && byFile !== 'text') {
    throw unclear(`"${file}" and the format ${wanted} do not go together.`);
  }
  return wanted ?? byFile;
}

/** The words of one question, without the marks and joints around it. */
function textOf(parser: Parser, draft: Draft, next: Draft | undefined): string {
  const tokens = parser.tokens.slice(draft.start, draft.end ?? next?.start);
  const end = tokens.find(({ text }) => text === '.' || text === ';')?.start ?? tokens.at(-1)?.end;
  const text = parser.text.slice(tokens[0]?.start ?? 0, end).trim();
  return text
    .replace(/^(?:[,;:.]|and\b|then\b)\s*/i, '')
    .replace(/(?:[,;:.]|\band|\bthen|\s)+$/i, '');
}
