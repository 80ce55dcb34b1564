import { TaskError } from '../../task-error.ts';
import type { Table } from '../table/schema.ts';
import type { Direction, Expression, Measure, Query, Rank } from './query.ts';

/** Decides which parts are groups, which are measures, and what comes first. */
export function resolve(query: Query, table: Table): Query {
  const { rank, groups, measures, having } = query;
  const values = query.subject === 'rows' ? undefined : query.subject;
  if (rank && values && groups.length === 0) return rankedValues(query, values, table);
  if (rank) return ranked(query, rank, table);
  if (groups.length > 0 && query.slice?.count === 1 && measures.length === 0)
    return { ...query, isGrouped: true };
  if (groups.length > 0)
    return measures.length > 0 ? query : { ...query, measures: [groupMeasure(query)] };
  if (having.length > 0) return havingValues(query, values);
  return measures.length > 0 ? perValue(query, values) : inTime(query, table);
}

const perValue = (query: Query, values: Expression | undefined): Query =>
  values && values.column?.isNumber !== true ? { ...query, groups: [values] } : query;

/** Rows `in chronological order`: by the one column of time. */
function inTime(query: Query, table: Table): Query {
  const [column, ...others] = table.columns.filter(({ isTime }) => isTime);
  if (query.subject !== 'rows' || column === undefined || others.length > 0) return query;
  const time: Expression = { sql: column.sql, words: column.name, column };
  return {
    ...query,
    orders: query.orders.map((order) =>
      order.sense === 'time' && !order.by && !order.name ? { ...order, by: time } : order,
    ),
  };
}

/** `customers with more than one order` */
function havingValues(query: Query, values: Expression | undefined): Query {
  if (!values)
    throw unclear('A number of rows is asked for, and it is not said of what: name the column.');
  return {
    ...query,
    groups: [values],
    measures: query.having.flatMap(({ measure }) => measure ?? []),
  };
}

/** Applies the rank to rows or groups. */
function ranked(query: Query, rank: Rank, table: Table): Query {
  const { groups, measures } = query;
  const { by, direction, count } = rank;
  if (groups.length === 0 && measures.length === 0)
    return by === undefined ? { ...query, ...rowRank(query, table) } : query;
  if (groups.length === 0 || !isMeasure(by))
    throw unclear(`"${rank.word}" and a calculation do not go together here: ask for one of them.`);
  const orders = [{ by, direction }, ...query.orders];
  const limit = count ?? query.limit;
  return {
    ...query,
    measures: measures.length > 0 ? measures : [by],
    limit,
    orders,
    rank: undefined,
  };
}

/** The default measure of groups: of `stock per category` the sum, else the number of rows. */
function groupMeasure({ subject, columns, having, groupNoun = 'rows' }: Query): Measure {
  const names = columns.map(({ words }) => `"${words}"`).join(', ');
  if (names !== '')
    throw unclear(`What is wanted of ${names} in each group is not said: the sum, the average, …?`);
  if (subject !== undefined && subject !== 'rows' && subject.column?.isNumber === true)
    return { fn: 'sum', of: subject, where: [], name: `total ${subject.words}` };
  return having[0]?.measure ?? { fn: 'count', where: [], name: groupNoun };
}

/** Moves conditions that all measures share to the rows. */
export function withSharedConditions(query: Query): Query {
  const [first] = query.measures;
  const said = JSON.stringify(first?.where ?? []);
  if (!first || first.fn === 'share' || first.where.length === 0 || query.definitions.size > 0)
    return query;
  if (query.measures.some(({ fn, where }) => fn === 'share' || JSON.stringify(where) !== said))
    return query;
  const plain = new Map(query.measures.map((measure) => [measure, { ...measure, where: [] }]));
  const orders = query.orders.map((order) => ({
    ...order,
    by: (order.by && 'fn' in order.by && plain.get(order.by)) || order.by,
  }));
  return {
    ...query,
    where: [...first.where, ...query.where],
    measures: [...plain.values()],
    orders,
  };
}

export const isMeasure = (by: Expression | Measure | undefined): by is Measure =>
  by !== undefined && 'fn' in by;

/** In a log, the top of anything is by number of requests. */
const requestCount = ({ isLog }: Table): Measure | undefined =>
  isLog ? { fn: 'count', where: [], name: 'requests' } : undefined;

/** `the three countries with the highest total`: the values of a column by a measure. */
function rankedValues(query: Query, subject: Expression, table: Table): Query {
  const { rank } = query;
  if (!rank) return query;
  const by = isMeasure(rank.by)
    ? rank.by
    : rank.by === undefined
      ? (query.measures[0] ?? requestCount(table))
      : valueMeasure(subject, { by: rank.by, rank, table });
  if (!by)
    throw unclear(`By what the ${rank.word} of "${subject.words}" goes is not said: add "by …".`);
  if (by === 'rows') {
    const value = rank.by as Expression;
    const columns = [subject, value, ...query.columns];
    return {
      ...query,
      subject: 'rows',
      columns,
      rank: undefined,
      orders: [{ by: value, direction: rank.direction }, ...query.orders],
      limit: rank.count ?? DEFAULT_COUNT,
    };
  }
  const measures = query.measures.includes(by) ? query.measures : [by, ...query.measures];
  return {
    ...query,
    groups: [subject],
    measures,
    rank: undefined,
    limit: rank.count ?? DEFAULT_COUNT,
    orders: [{ by, direction: rank.direction }, ...query.orders],
  };
}

export const DEFAULT_COUNT = 10;

/** `the country with the highest amount`: a row if each value occurs once, else there are two readings. */
function valueMeasure(
  subject: Expression,
  {
    by,
    rank,
    table,
  }: { by: Expression; rank: { direction: Direction; word: string }; table: Table },
): Measure | 'rows' {
  const isUnique =
    subject.column !== undefined && table.isWhole && subject.column.values.size === table.rows;
  if (isUnique) return 'rows';
  if (subject.part !== undefined || !by.column?.isNumber)
    return {
      fn: rank.direction === 'desc' ? 'max' : 'min',
      of: by,
      where: [],
      name: `${rank.word} ${by.words}`,
    };
  throw new TaskError(
    'AMBIGUOUS',
    `"${subject.words} with the ${rank.word} ${by.words}" has two readings, since several rows have the same ${subject.words}. Ask for "the ${subject.words} with the ${rank.word} total ${by.words} in ${table.path}", or for "the row with the ${rank.word} ${by.words} in ${table.path}".`,
  );
}

/** `the largest order` without a column: the only column of numbers that is not an id. */
function rowRank({ rank, orders }: Query, table: Table): Partial<Query> {
  const numbers = table.columns.filter(
    ({ isNumber, words }) => isNumber && !words.includes('id') && words.join(' ') !== 'line',
  );
  const [column, ...others] = numbers;
  const said = orders.find(({ by }) => by !== undefined);
  if (!rank || said) {
    return {
      rank: undefined,
      limit: rank?.count ?? DEFAULT_COUNT,
      orders: orders.map((order) =>
        order === said && rank ? { ...order, direction: order.direction ?? rank.direction } : order,
      ),
    };
  }
  if (!column || others.length > 0) {
    const names = numbers.map(({ name }) => name).join(', ') || 'none';
    throw new TaskError(
      'AMBIGUOUS',
      `"${rank.word}" does not say by which column: add "by …". Columns of numbers: ${names}.`,
    );
  }
  const by: Expression = { sql: column.sql, words: column.name, column };
  return { rank: { ...rank, by } };
}

export const unclear = (problem: string) => new TaskError('NOT_UNDERSTOOD', problem);
