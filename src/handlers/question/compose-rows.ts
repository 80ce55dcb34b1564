import type { Dimension, Expression, Order, Query } from '../tables/query.ts';
import type { Column } from '../tables/table.ts';
import { TaskError } from '../task-error.ts';
import { decimalsOf, isDefaultLimit } from './compose-groups.ts';
import { orderRows, sortable } from './compose-order.ts';
import type { Draft } from './draft.ts';
import { columnList, unclear } from './failures.ts';
import { parserOfName } from './match-name.ts';
import { parseDimension } from './parse-dimension.ts';
import type { Noun } from './parse-noun.ts';
import { DEFAULT_TOP } from './parse-target.ts';
import { isAtEnd, type Parser } from './parser.ts';

/** Columns of an access log that are shown where none are named. */
const logColumns = ['time', 'client', 'method', 'path', 'status', 'bytes', 'duration', 'line'];

/** Makes the query of a question that asks for rows, or for the distinct values of columns. */
export function composeRows(
  parser: Parser,
  draft: Draft,
  options: { keys: readonly string[] | undefined; noun: Noun | undefined },
): {
  query: Query;
  columns: readonly { key: string; column: number }[] | undefined;
  limitIsDefault: boolean;
} {
  const { keys, noun } = options;
  assertListable(draft);
  if (noun?.isDistinct && !noun.dimension && !/\b(?:rows|lines|records)$/i.test(noun.phrase)) {
    throw unclear(`"${noun.phrase}" does not say which column tells them apart.`);
  }
  const partitionBy = draft.groupBy;
  const named = keys?.map((key) => ({ key, dimension: columnOfKey(parser, key) }));
  const select =
    named?.map(({ dimension }) => dimension) ??
    withPartition(partitionBy, selected(parser, draft, noun));
  const byKey = new Map(named?.map(({ key, dimension }) => [key, dimension.expression] as const));
  const { rank, order } = orderRows(parser, draft, rankedBy(parser, draft), byKey);
  assertRanked(draft, rank);
  const limit = draft.ranking?.limit ?? draft.limit;
  return {
    query: {
      source: parser.table.name,
      filters: [...draft.filters, ...(noun?.filters ?? [])],
      groupBy: [],
      measures: [],
      having: [],
      rank: rank.length > 0 || limit === undefined ? rank : order,
      limit,
      partitionBy: partitionBy.length > 0 ? partitionBy : undefined,
      fromEnd: draft.ranking?.head === 'last' && rank.length === 0,
      order,
      select,
      isDistinct: isDistinct(draft, noun),
      decimals: decimalsOf(draft),
    },
    columns: keys?.map((key, column) => ({ key, column })),
    limitIsDefault: isDefaultLimit(draft),
  };
}

/** What is said must fit a list of rows. */
function assertListable({ groupBy, ranking, definitions, having, unit, rounded }: Draft): void {
  const problems: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [
      groupBy.length > 0 && ranking?.isRanked !== true,
      `A list of rows for each "${groupBy[0]?.name}" can't be made: say what to count or calculate.`,
    ],
    [
      groupBy.length > 0 &&
        ranking?.limit === DEFAULT_TOP &&
        !/\b(?:10|ten)\b/i.test(ranking.phrase),
      `How many of each "${groupBy[0]?.name}" are asked for is not said.`,
    ],
    [definitions.size > 0, 'A definition was given, but rows are listed, not counted.'],
    [having.length > 0, 'A condition on groups is given, but rows are listed.'],
    [unit !== undefined, 'Listed rows are shown in the units of the file.'],
    [rounded.length > 0, 'Say "values rounded to N decimals": listed rows are rounded as a whole.'],
  ];
  const found = problems.find(([isWrong]) => isWrong);
  if (found) throw unclear(found[1]);
}

const isDistinct = (draft: Draft, noun: Noun | undefined): boolean =>
  draft.selection?.isDistinct === true ||
  noun?.isDistinct === true ||
  noun?.dimension !== undefined;

function columnOfKey(parser: Parser, key: string): Dimension {
  const inner = parserOfName(parser, key);
  const dimension = parseDimension(inner);
  if (dimension && isAtEnd(inner)) return { ...dimension, name: key };
  throw new TaskError(
    'NOT_FOUND',
    `${parser.table.name} has no column "${key}". It has: ${columnList(parser.table)}.`,
  );
}

/** The groups come first. */
const withPartition = (
  partitionBy: readonly Dimension[],
  select: readonly Dimension[],
): Dimension[] => [
  ...partitionBy,
  ...select.filter(({ name }) => partitionBy.every((dimension) => dimension.name !== name)),
];

function selected(parser: Parser, draft: Draft, noun: Noun | undefined): readonly Dimension[] {
  if (draft.selection) return draft.selection.columns;
  if (noun?.dimension) return [noun.dimension];
  const { columns, format } = parser.table;
  const isShown = ({ name, role }: Column) => logColumns.includes(name) || role === 'duration';
  const place = ({ name, role }: Column) => logColumns.indexOf(role === 'duration' ? role : name);
  const shown =
    format === 'access log'
      ? columns.filter(isShown).toSorted((a, b) => place(a) - place(b))
      : columns.filter(({ isDerived }) => !isDerived);
  return shown.map(({ name }) => ({ name, expression: { kind: 'column', column: name } }));
}

function rankedBy(parser: Parser, { ranking }: Draft): Order[] {
  const { superlative, key } = ranking ?? {};
  if (superlative && key) throw unclear(`"${ranking?.phrase}" names two things to go by.`);
  if (superlative) {
    if (!superlative.by) throw unclear(`"${superlative.word}" counts groups; say of which column.`);
    return [{ by: superlative.by, direction: superlative.direction }];
  }
  if (!key || 'measures' in key) return [];
  return [{ by: sortable(parser, key.expression) as Expression, direction: key.direction }];
}

function assertRanked({ ranking }: Draft, rank: readonly Order[]): void {
  const needsOrder = ranking?.head === 'top' || ranking?.head === 'bottom';
  const isOpen = ranking?.isRanked === true && rank.length === 0;
  if (isOpen && (needsOrder || ranking.head === undefined)) {
    throw unclear(
      `"${ranking.phrase}" does not say by what: add "with the highest …" or "ordered by …".`,
    );
  }
}
