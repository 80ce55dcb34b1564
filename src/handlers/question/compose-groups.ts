import type { Dimension, Filter, Having, Measure, Order, Query } from '../tables/query.ts';
import { type Assigned, assignKeys } from './assign-keys.ts';
import { orderGroups } from './compose-order.ts';
import type { Draft, DraftMeasure } from './draft.ts';
import { ambiguous, unclear } from './failures.ts';
import { matchOutput, type Outputs } from './match-name.ts';
import type { NamedMeasure } from './parse-measure.ts';
import type { Parser } from './parser.ts';

/** A query with measures, and the output of each key. */
export interface ComposedGroups {
  readonly query: Query;
  readonly columns: readonly { readonly key: string; readonly column: number }[] | undefined;
  readonly limitIsDefault: boolean;
}

/** Makes the query of a question that counts or calculates, over all rows or per group. */
export function composeGroups(
  parser: Parser,
  draft: Draft,
  keys: readonly string[] | undefined,
): ComposedGroups {
  const ranked = rankedMeasures(parser, draft);
  const said = saidMeasures(draft, ranked.measures.length);
  const filters = [...draft.filters, ...(draft.ranking?.noun.filters ?? []), ...said.filters];
  const own = [...ranked.measures, ...said.measures, ...draft.definitions.values()];
  const single = onlyCounted(draft, own, keys);
  const outputs: Outputs = {
    dimensions: dimensionsOf(draft),
    measures: single ? [{ ...single, measure: { ...single.measure, where: [] } }] : own,
    definitions: draft.definitions,
  };
  const assigned = keys ? assignKeys(parser, keys, outputs) : undefined;
  const final: Outputs = assigned
    ? {
        ...assigned.outputs,
        given: new Map(assigned.columns.map(({ key, output }) => [key, output])),
      }
    : outputs;
  const rank = ranked.direction
    ? [{ by: { output: final.dimensions.length }, direction: ranked.direction } satisfies Order]
    : [];
  const ordered = orderGroups(parser, draft, final, rank);
  const shown = shownMeasures(parser, draft, final, assigned);
  const measures = [
    ...shown,
    ...ordered.hidden.map(({ measure }) => ({ ...measure, isHidden: true })),
  ];
  if (draft.ranking && draft.ranking.limit !== undefined && ordered.rank.length === 0)
    throw unranked(draft);
  const query: Query = {
    source: parser.table.name,
    filters: [...filters, ...(single ? single.measure.where : [])],
    groupBy: final.dimensions,
    measures,
    having: havingOf(draft, ranked.measures.length),
    rank: ordered.rank,
    limit: draft.ranking?.limit,
    order: ordered.order,
    select: [],
    decimals: decimalsOf(draft),
  };
  return {
    query,
    columns: assigned && visibleColumns(assigned, query),
    limitIsDefault: isDefaultLimit(draft),
  };
}

export const isDefaultLimit = ({ ranking }: Draft): boolean =>
  ranking !== undefined && ranking.limit === 10 && !/\b(?:10|ten)\b/i.test(ranking.phrase);

export const decimalsOf = (draft: Draft): number | undefined =>
  draft.output.findLast(({ decimals }) => decimals !== undefined)?.decimals;

function dimensionsOf({ ranking, groupBy }: Draft): readonly Dimension[] {
  const { dimension } = ranking?.noun ?? {};
  if (dimension && groupBy.length > 0) {
    throw unclear(
      `A top list of "${dimension.name}" within each "${groupBy[0]?.name}" can't be made.`,
    );
  }
  return dimension ? [dimension] : groupBy;
}

const rowsMeasure: NamedMeasure = {
  measure: { name: 'rows', aggregate: 'count', where: [] },
  phrase: 'number of rows',
  isCount: true,
};

/** What a ranking of groups goes by comes first among the measures. */
function rankedMeasures(
  parser: Parser,
  { ranking, orders, measures }: Draft,
): { measures: readonly NamedMeasure[]; direction: Order['direction'] | undefined } {
  if (!ranking) return { measures: [], direction: undefined };
  const counted = {
    ...rowsMeasure,
    measure: { ...rowsMeasure.measure, name: parser.table.isLog ? 'requests' : 'rows' },
  };
  if (ranking.having) return { measures: [ranking.having.measure], direction: undefined };
  if (ranking.key && 'measures' in ranking.key)
    return { measures: ranking.key.measures, direction: ranking.key.direction };
  if (ranking.superlative && !ranking.superlative.by)
    return { measures: [counted], direction: ranking.superlative.direction };
  if (ranking.superlative) {
    throw ambiguous(
      `"${ranking.superlative.word} ${ranking.noun.phrase}" does not say how the values of one ${ranking.noun.dimension?.name} count together: say "by average", "by median", "by maximum" or "by total" ${ranking.superlative.column?.name}.`,
    );
  }
  const isTop = ranking.head === 'top' || ranking.head === 'bottom';
  const isOpen = isTop && !orders.some(({ isTie }) => !isTie);
  if (isOpen && measures.length === 0 && parser.table.isLog)
    return { measures: [counted], direction: ranking.direction };
  if (isOpen && measures.length === 1) return { measures: [], direction: ranking.direction };
  return { measures: [], direction: undefined };
}

function saidMeasures(
  draft: Draft,
  ranked: number,
): { measures: NamedMeasure[]; filters: Filter[] } {
  const asked = draft.measures.filter(({ isImplied }) => !isImplied);
  const others = asked.length + ranked + draft.definitions.size > 0;
  const used = others ? asked : draft.measures;
  const implied = others ? draft.measures.filter(({ isImplied }) => isImplied) : [];
  const filters = implied.flatMap(({ noun, own }) => [...(noun?.filters ?? []), ...own]);
  const isOnly = used.length + ranked + draft.definitions.size === 1;
  if (isOnly) filters.push(...used.flatMap(({ own }) => own));
  return { measures: used.map((measure) => (isOnly ? measure.named : withOwn(measure))), filters };
}

/** Conditions that follow a count are about what it counts; behind another measure they could be about all. */
function withOwn({ named, own }: DraftMeasure): NamedMeasure {
  if (own.length === 0) return named;
  if (!named.isCount) {
    throw ambiguous(
      `The condition behind "${named.phrase}" may be about this value only or about all: put it first, or say "where …" in a sentence of its own.`,
    );
  }
  const measure: Measure = { ...named.measure, where: [...named.measure.where, ...own] };
  return { ...named, measure };
}

/** The only measure, where it counts some of the rows: then groups without any are left out. */
function onlyCounted(
  draft: Draft,
  measures: readonly NamedMeasure[],
  keys: readonly string[] | undefined,
): NamedMeasure | undefined {
  const [first] = measures;
  if (!first || measures.length > 1 || draft.ranking?.having || first.measure.aggregate !== 'count')
    return undefined;
  const others = (keys?.length ?? 0) > dimensionsOf(draft).length + 1;
  return others ? undefined : first;
}

const unranked = (draft: Draft): Error =>
  unclear(
    `"${draft.ranking?.phrase}" does not say by what: add "with the most …", "by average …" or "ordered by …".`,
  );

function havingOf({ ranking }: Draft, ranked: number): Having[] {
  if (!ranking?.having || ranked === 0) return [];
  return [{ measure: 0, test: ranking.having.test, value: ranking.having.value }];
}

/** Measures that no key stands for are used to rank, or are too many. */
function shownMeasures(
  parser: Parser,
  draft: Draft,
  outputs: Outputs,
  assigned: Assigned | undefined,
): Measure[] {
  const first = outputs.dimensions.length;
  const used = assigned && new Set(assigned.columns.map(({ output }) => output));
  const rounded = roundedOutputs(parser, draft, outputs);
  return outputs.measures.map(({ measure, phrase }, at) => {
    const decimals = rounded.get(first + at);
    const isHidden = used !== undefined && !used.has(first + at);
    const mayHide = draft.ranking !== undefined && at === 0;
    if (isHidden && !mayHide) throw unclear(`No name in the output stands for "${phrase}".`);
    const key = assigned?.columns.find(({ output }) => output === first + at)?.key;
    return { ...measure, name: key ?? measure.name, decimals, isHidden };
  });
}

function roundedOutputs(parser: Parser, draft: Draft, outputs: Outputs): Map<number, number> {
  const found = new Map<number, number>();
  for (const { words, decimals } of draft.rounded) {
    const name = words.map(({ text }) => text).join(' ');
    const output = matchOutput(parser, name, outputs);
    if (output === undefined) throw unclear(`"${name}" to be rounded is no column of the answer.`);
    found.set(output, decimals);
  }
  return found;
}

/** From outputs to the columns of the result, which has no hidden measures. */
function visibleColumns(assigned: Assigned, query: Query): { key: string; column: number }[] {
  const dimensions = query.groupBy.length;
  return assigned.columns.map(({ key, output }) => {
    const before = query.measures
      .slice(0, Math.max(output - dimensions, 0))
      .filter(({ isHidden }) => isHidden).length;
    return { key, column: output - before };
  });
}
