import type { Dimension, Filter, Having, Measure, Order, Query } from '../tables/query.ts';
import { type Assigned, assignKeys } from './assign-keys.ts';
import { type ComposedOrder, orderGroups } from './compose-order.ts';
import { describeFilters } from './describe-query.ts';
import type { Draft, DraftMeasure } from './draft.ts';
import { ambiguous, unclear } from './failures.ts';
import type { Outputs } from './match-name.ts';
import type { NamedMeasure } from './named-measure.ts';
import type { Ranking } from './parse-target.ts';
import type { Parser } from './parser.ts';
import { roundedOutputs } from './rounded-outputs.ts';
import { conversion } from './units.ts';

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
  const own = inUnit(draft, [...ranked.measures, ...said.measures, ...draft.definitions.values()]);
  const single = onlyCounted(draft, { measures: own, direction: ranked.direction }, keys);
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
  const ordered = orderGroups(
    parser,
    draft,
    final,
    ranked.direction ? [rankOf(final, ranked.direction)] : [],
  );
  const shown = shownMeasures(parser, draft, final, assigned);
  const hidden = ordered.hidden.map(({ measure }) => ({ ...measure, isHidden: true }));
  const { having, added } = composeHaving(draft, [...shown, ...hidden]);
  const query: Query = {
    source: parser.table.name,
    filters: [
      ...draft.filters,
      ...(draft.ranking?.noun.filters ?? []),
      ...said.filters,
      ...(single?.measure.where ?? []),
    ],
    groupBy: final.dimensions,
    measures: withOwnNames(final.dimensions, [...shown, ...hidden, ...added]),
    having,
    ...limited(draft, ordered),
    select: [],
    decimals: decimalsOf(draft),
  };
  return {
    query,
    columns: assigned && visibleColumns(assigned, query),
    limitIsDefault: isDefaultLimit(draft),
  };
}

/** Two values of one name are told apart by their conditions: `days where temp_max > 25`. */
function withOwnNames(dimensions: readonly Dimension[], measures: readonly Measure[]): Measure[] {
  const isTaken = (name: string, at: number) =>
    dimensions.some((dimension) => dimension.name === name) ||
    measures.some((other, place) => place !== at && !other.isHidden && other.name === name);
  const named = measures.map((measure, at) => {
    if (measure.isHidden || !isTaken(measure.name, at)) return measure;
    const condition = measure.where.length > 0 ? ` where ${describeFilters(measure.where)}` : '';
    return { ...measure, name: `${measure.name}${condition}` };
  });
  const shown = [...dimensions, ...named.filter(({ isHidden }) => !isHidden)].map(
    ({ name }) => name,
  );
  const twice = shown.find((name, at) => shown.indexOf(name) !== at);
  if (twice !== undefined)
    throw unclear(`Two values would be called "${twice}": name them, as in "with header a,b".`);
  return named;
}

const rankOf = ({ dimensions }: Outputs, direction: Order['direction']): Order => ({
  by: { output: dimensions.length },
  direction,
});

/** Where a number of groups is kept, the order says which. */
function limited(
  draft: Draft,
  { rank, order }: ComposedOrder,
): Pick<Query, 'rank' | 'order' | 'limit'> {
  const limit = draft.ranking?.limit ?? draft.limit;
  if (limit === undefined) return { rank, order, limit };
  const by = rank.length > 0 ? rank : order;
  if (by.length === 0 || (draft.ranking?.limit !== undefined && rank.length === 0))
    throw unranked(draft);
  return { rank: by, order, limit };
}

/** Conditions on groups, over measures that are shown or only needed for them. */
function composeHaving(
  draft: Draft,
  measures: readonly Measure[],
): { having: Having[]; added: Measure[] } {
  const added: Measure[] = [];
  const having = [...draft.having, ...(draft.ranking?.having ? [draft.ranking.having] : [])].map(
    ({ measure: { measure }, test, value }) => {
      const known = measures.findIndex((candidate) => isSameMeasure(candidate, measure));
      if (known === -1) added.push({ ...measure, isHidden: true });
      return { measure: known === -1 ? measures.length + added.length - 1 : known, test, value };
    },
  );
  return { having, added };
}

const isSameMeasure = (a: Measure, b: Measure): boolean =>
  a.aggregate === b.aggregate &&
  JSON.stringify([a.argument, a.where, a.percentile]) ===
    JSON.stringify([b.argument, b.where, b.percentile]);

/** "in seconds" converts every value that has a unit. */
function inUnit({ unit: wanted }: Draft, measures: readonly NamedMeasure[]): NamedMeasure[] {
  if (wanted === undefined) return [...measures];
  const converted = measures.map((named) => {
    const { unit, argument } = named.measure;
    const factor = unit === undefined ? undefined : conversion(unit, wanted);
    if (factor === undefined || !argument) return named;
    const right = { kind: 'number', value: factor } as const;
    const scaled = { kind: 'binary', operator: '*', left: argument, right } as const;
    const name = named.measure.name.replace(/_(?:ms|us|s|sec|bytes)$/i, '');
    return { ...named, measure: { ...named.measure, name, argument: scaled, unit: wanted } };
  });
  if (converted.every((named, at) => named === measures[at])) {
    throw unclear(`Nothing here can be given in ${wanted}: the file does not say the unit.`);
  }
  return converted;
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
  if (ranking.key && 'measures' in ranking.key) {
    return { measures: ranking.key.measures, direction: ranking.key.direction };
  }
  const { superlative } = ranking;
  if (superlative?.by) throw unclearTogether(ranking);
  if (superlative) return { measures: [counted], direction: superlative.direction };
  return impliedRank({ orders, measures }, ranking, parser.table.isLog ? [counted] : []);
}

/** "top ten endpoints" of a log go by requests; "top ten categories by …" by the only measure. */
function impliedRank(
  { orders, measures }: Pick<Draft, 'orders' | 'measures'>,
  ranking: Ranking,
  counted: readonly NamedMeasure[],
): { measures: readonly NamedMeasure[]; direction: Order['direction'] | undefined } {
  const isTop = ranking.head === 'top' || ranking.head === 'bottom';
  const isOpen = isTop && orders.every(({ isTie }) => isTie);
  const direction = isOpen ? ranking.direction : undefined;
  if (measures.length === 0 && counted.length > 0 && isOpen)
    return { measures: counted, direction };
  return { measures: [], direction: measures.length === 1 ? direction : undefined };
}

const unclearTogether = ({ superlative, noun }: Ranking): Error =>
  ambiguous(
    `"${superlative?.word} ${noun.phrase}" does not say how the values of one ${noun.dimension?.name} count together: say "by average", "by median", "by maximum" or "by total" ${superlative?.column?.name}.`,
  );

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

/** The only measure, where it counts some of the rows: then groups without any are left out, unless the fewest are asked for. */
function onlyCounted(
  draft: Draft,
  {
    measures,
    direction,
  }: { measures: readonly NamedMeasure[]; direction: Order['direction'] | undefined },
  keys: readonly string[] | undefined,
): NamedMeasure | undefined {
  const [first] = measures;
  const isRestricted = draft.ranking?.having !== undefined || draft.having.length > 0;
  if (!first || measures.length > 1 || isRestricted || first.measure.aggregate !== 'count')
    return undefined;
  if (direction === 'ascending') return undefined;
  const others = (keys?.length ?? 0) > dimensionsOf(draft).length + 1;
  return others ? undefined : first;
}

const unranked = (draft: Draft): Error =>
  unclear(
    `"${draft.ranking?.phrase ?? 'top'}" does not say by what: add "with the most …", "by average …" or "ordered by …".`,
  );

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
