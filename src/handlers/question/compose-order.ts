import type { Expression, Order } from '../tables/query.ts';
import type { Draft } from './draft.ts';
import { notUnderstood, unclear } from './failures.ts';
import { matchOutput, type Outputs } from './match-name.ts';
import type { NamedMeasure } from './named-measure.ts';
import { parseDimension } from './parse-dimension.ts';
import { parseExpression } from './parse-expression.ts';
import { parseMeasures } from './parse-measure.ts';
import type { SaidOrder } from './parse-order.ts';
import { isAtEnd, type Parser, partOf } from './parser.ts';

/** The order of a question: what is taken first where a limit cuts, and how the rest is shown. */
export interface ComposedOrder {
  readonly rank: readonly Order[];
  readonly order: readonly Order[];
  /** Measures that only the order needs. */
  readonly hidden: readonly NamedMeasure[];
}

type Resolve = (said: SaidOrder, ranked: readonly Order[]) => Order;

/** Joins what a ranking goes by with the orders that were said. Ties decide in both. */
function join(
  draft: Draft,
  ranked: readonly Order[],
  resolve: Resolve,
): Omit<ComposedOrder, 'hidden'> {
  const main = draft.orders.filter(({ isTie }) => !isTie).map((said) => resolve(said, ranked));
  const ties = draft.orders.filter(({ isTie }) => isTie).map((said) => resolve(said, ranked));
  const isRanking = draft.ranking !== undefined;
  const rank = ranked.length > 0 ? ranked : main;
  const order = main.length > 0 ? once([...main, ...ties]) : [];
  if (isRanking) return { rank: rank.length > 0 ? once([...rank, ...ties]) : [], order };
  return { rank: [], order: main.length > 0 ? order : ties };
}

/** Without what is ordered by already. */
const once = (orders: readonly Order[]): Order[] =>
  orders.filter(
    ({ by }, at) =>
      orders.findIndex((other) => JSON.stringify(other.by) === JSON.stringify(by)) === at,
  );

/** Orders of a question about groups. */
export function orderGroups(
  parser: Parser,
  draft: Draft,
  outputs: Outputs,
  ranked: readonly Order[],
): ComposedOrder {
  const hidden: NamedMeasure[] = [];
  const resolve: Resolve = (said, known) => {
    const found =
      said.words.length === 0 ? byColumn(said, outputs) : referred(parser, said, outputs, hidden);
    const output = found ?? impliedOutput(said, known, outputs);
    const same = known.find(({ by }) => 'output' in by && by.output === output);
    return {
      by: { output },
      direction: said.direction ?? same?.direction ?? 'ascending',
      asText: said.asText,
    };
  };
  const joined = join(draft, ranked, resolve);
  if (draft.ranking?.limit !== undefined || draft.orders.some(({ isTie }) => !isTie))
    return { ...joined, hidden };
  const [first, ...rest] = ranked.length > 0 ? ranked : defaultOrder(outputs);
  const ties = joined.order.length > 0 ? joined.order : rest;
  return { rank: [], order: first ? [first, ...ties] : ties, hidden };
}

function referred(
  parser: Parser,
  said: SaidOrder,
  outputs: Outputs,
  hidden: NamedMeasure[],
): number {
  const words = said.words.map(({ text }) => text);
  const found = matchOutput(parser, words.join(' '), outputs);
  if (found !== undefined) return found;
  const inner = partOf(parser, said.words);
  const measures = parseMeasures(inner);
  const [measure] = measures ?? [];
  if (measures?.length !== 1 || !measure || !isAtEnd(inner))
    throw notUnderstood(words, parser.table);
  hidden.push(measure);
  return outputs.dimensions.length + outputs.measures.length + hidden.length - 1;
}

/** "slowest first" goes by the only measure of that column. */
function byColumn({ column }: SaidOrder, { dimensions, measures }: Outputs): number | undefined {
  if (!column) return undefined;
  const found = measures.flatMap(({ measure }, at) =>
    JSON.stringify(measure.argument ?? null).includes(`"column":${JSON.stringify(column.name)}`)
      ? [at]
      : [],
  );
  if (found.length === 1 && found[0] !== undefined) return dimensions.length + found[0];
  const dimension = dimensions.findIndex(
    ({ expression }) => 'column' in expression && expression.column === column.name,
  );
  if (found.length === 0 && dimension !== -1) return dimension;
  throw unclear(`Which value of "${column.name}" the order goes by is not clear.`);
}

/** "highest first", "descending": the ranking's measure or the only one; alphabetical orders go by the first dimension. */
function impliedOutput(said: SaidOrder, known: readonly Order[], outputs: Outputs): number {
  if (said.asText || said.isTie) return 0;
  const [first] = known;
  if (first && 'output' in first.by) return first.by.output;
  if (outputs.measures.length === 1) return outputs.dimensions.length;
  throw unclear('The order does not say which column it goes by.');
}

/** Times in their order; else the largest first, equals by name. */
function defaultOrder({ dimensions, measures }: Outputs): Order[] {
  const byDimension = dimensions.map(
    (_dimension, output): Order => ({ by: { output }, direction: 'ascending' }),
  );
  if (dimensions.length === 0) return [];
  if (dimensions[0]?.expression.kind === 'part' || measures.length === 0) return byDimension;
  return [{ by: { output: dimensions.length }, direction: 'descending' }, ...byDimension];
}

/** Orders of a question about rows. */
export function orderRows(
  parser: Parser,
  draft: Draft,
  ranked: readonly Order[],
  keys: ReadonlyMap<string, Expression>,
): Omit<ComposedOrder, 'hidden'> {
  return join(draft, ranked, (said, known) => {
    const by =
      said.words.length === 0
        ? impliedExpression(parser, said, known)
        : expressionOf(parser, said, keys);
    const same = known.find((order) => JSON.stringify(order.by) === JSON.stringify(by));
    return { by, direction: said.direction ?? same?.direction ?? 'ascending', asText: said.asText };
  });
}

function impliedExpression(
  parser: Parser,
  { column }: SaidOrder,
  known: readonly Order[],
): Expression {
  if (column) return sortable(parser, { kind: 'column', column: column.name });
  const by = known[0]?.by;
  if (by && !('output' in by)) return by;
  throw unclear('The order does not say which column it goes by.');
}

function expressionOf(
  parser: Parser,
  said: SaidOrder,
  keys: ReadonlyMap<string, Expression>,
): Expression {
  const words = said.words.map(({ text }) => text);
  const given = keys.get(words.join(' ')) ?? keys.get(words.join('_'));
  if (given) return given;
  const inner = partOf(parser, said.words);
  const dimension = parseDimension(inner);
  if (dimension && isAtEnd(inner)) return sortable(parser, dimension.expression);
  const again = partOf(parser, said.words);
  const expression = parseExpression(again);
  if (!expression || !isAtEnd(again)) throw notUnderstood(words, parser.table);
  return expression;
}

/** Times sort by the clock, whatever way they are written. */
export function sortable(parser: Parser, expression: Expression): Expression {
  if (expression.kind === 'part')
    return { ...expression, part: expression.part === 'day' ? 'second' : expression.part };
  if (expression.kind !== 'column') return expression;
  const column = parser.table.columns.find(({ name }) => name === expression.column);
  return column?.type === 'time'
    ? { kind: 'part', part: 'second', column: column.name }
    : expression;
}
