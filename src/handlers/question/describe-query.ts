import type { Condition, Expression, Filter, Measure, Order, Query } from '../tables/query.ts';

/** How a query was read, in one sentence without a full stop: what a person checks the answer by. */
export function describeQuery(query: Query, meanings: readonly string[]): string {
  const parts = [
    query.measures.length > 0 ? describeMeasures(query) : describeRows(query),
    ...(query.filters.length > 0 ? [`only rows where ${describeFilters(query.filters)}`] : []),
    ...query.having.map(
      ({ measure, test, value }) =>
        `only groups where ${query.measures[measure]?.name} ${test} ${value}`,
    ),
    ...describeOrders(query),
    ...(query.decimals === undefined ? [] : [`rounded to ${plural(query.decimals)}`]),
    ...meanings,
  ];
  return parts.join('; ');
}

const plural = (decimals: number): string =>
  `${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`;

/** More columns than these are seen in the answer's table anyway. */
const MAX_NAMED = 4;

function describeRows({ select, limit, fromEnd, isDistinct, partitionBy }: Query): string {
  const count = limit === undefined ? 'all' : `${fromEnd ? 'the last' : 'the first'} ${limit}`;
  const names = select.map(({ name }) => name).join(', ');
  const rows = select.length <= MAX_NAMED ? `rows (${names})` : 'rows';
  const what = isDistinct ? `distinct ${names}` : rows;
  const within = (partitionBy ?? []).map(({ expression }) => describeExpression(expression));
  return within.length > 0
    ? `${count} ${what} of each ${within.join(' and ')}`
    : `${count} ${what}`;
}

function describeMeasures({ measures, groupBy, limit }: Query): string {
  const shown = measures.filter(({ isHidden }) => !isHidden).map(describeMeasure);
  const groups = groupBy.map(({ name, expression }) =>
    describeExpression(expression) === name ? name : `${name} (${describeExpression(expression)})`,
  );
  const count = limit === undefined ? '' : `, the first ${limit}`;
  return `${shown.join(', ')}${groups.length > 0 ? ` per ${groups.join(' and ')}${count}` : ''}`;
}

const aggregateWords: Record<Measure['aggregate'], string> = {
  count: 'count of rows',
  distinct: 'number of distinct',
  sum: 'sum of',
  mean: 'mean of',
  median: 'median of',
  percentile: 'percentile of',
  min: 'minimum of',
  max: 'maximum of',
  deviation: 'sample standard deviation of',
  share: 'share of rows',
};

function describeMeasure(measure: Measure): string {
  const { aggregate, argument, percentile, where, name, decimals } = measure;
  const words =
    aggregate === 'percentile'
      ? `${percentile}th percentile (interpolated) of`
      : aggregateWords[aggregate];
  const what = argument ? `${words} ${describeExpression(argument)}` : words;
  const narrowed = where.length > 0 ? `${what} where ${describeFilters(where)}` : what;
  const rounded = decimals === undefined ? narrowed : `${narrowed} rounded to ${plural(decimals)}`;
  return name === rounded ? rounded : `${name} = ${rounded}`;
}

/** An expression as a person would write it. */
export function describeExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return expression.column;
    case 'number':
      return String(expression.value);
    case 'part':
      return expression.part === 'second'
        ? expression.column
        : `${expression.part} of ${expression.column}`;
    case 'binary':
      return `${describeSide(expression.left)} ${expression.operator} ${describeSide(expression.right)}`;
  }
}

const describeSide = (side: Expression): string =>
  side.kind === 'binary' ? `(${describeExpression(side)})` : describeExpression(side);

/** Conditions that must all hold, as a person would write them. */
export const describeFilters = (filters: readonly Filter[]): string =>
  filters.map(describeFilter).join(' and ');

function describeFilter({ any, negated }: Filter): string {
  const text = any.map(describeCondition).join(' or ');
  return negated ? `not (${text})` : text;
}

function describeCondition({ left, test, values }: Condition): string {
  const name = describeExpression(left);
  if (test === 'is empty') return `${name} is empty`;
  if (test === 'between') return `${name} is between ${values[0]} and ${values[1]}`;
  return `${name} ${test} ${values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : value)).join(' or ')}`;
}

function describeOrders({ rank, order, groupBy, measures, limit }: Query): string[] {
  const describe = ({ by, direction, asText }: Order): string => {
    const name =
      'output' in by
        ? (groupBy[by.output]?.name ?? measures[by.output - groupBy.length]?.name)
        : describeExpression(by);
    return `${name} ${direction}${asText ? ' as text' : ''}`;
  };
  const list = (orders: readonly Order[]) => orders.map(describe).join(', then ');
  return [
    ...(rank.length > 0 && limit !== undefined ? [`ranked by ${list(rank)}`] : []),
    ...(order.length > 0 && !(limit !== undefined && list(order) === list(rank))
      ? [`ordered by ${list(order)}`]
      : []),
  ];
}
