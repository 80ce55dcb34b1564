import { list } from '../../language/lexicon.ts';
import { singular } from '../../language/words.ts';
import { fail, TaskError } from '../../task-error.ts';
import {
  adding,
  isAdded,
  isMoneyNoun,
  isOfThings,
  moneyOf,
  numbersOf,
} from '../read/figures/money.ts';
import { requestCount } from '../read/figures/ranks.ts';
import { type Column, isAmount, type Table } from '../table/schema.ts';
import {
  type Condition,
  columnValue,
  isMeasure,
  type Measure,
  measured,
  type Query,
  type Rank,
  subjectOf,
  unclear,
  type Value,
} from './query.ts';

/** The number of rows of a ranking without a number. */
export const DEFAULT_COUNT = 10;

/** Decides what the groups, the measures and the order of a question are. */
export function resolve(query: Query, table: Table): Query {
  assertNoLists(query);
  if (query.isCompared && query.measures.length === 0 && query.subject === undefined)
    throw unclear('The figure to compare is missing. Name a sum, an average or a number of rows.');
  if (query.isCompared)
    return resolve(
      { ...query, isCompared: false, groups: [...query.groups, comparedBy(query)] },
      table,
    );
  const { rank, groups, having } = query;
  const values = subjectOf(query);
  if (rank)
    return values && groups.length === 0
      ? rankedValues(query, values, rank, table)
      : ranked(query, rank, table);
  if (groups.length > 0) return grouped(query, table);
  if (having.length > 0) return havingValues(query, values);
  if (query.measures.length === 0) return inTime(query, table);
  return values ? { ...query, groups: [values] } : ofEach(query);
}

/** Groups by values joined by `and`: `average amount of DE and FR` is one figure for each. */
function ofEach(query: Query): Query {
  const { measures, where } = query;
  const eachIn = (conditions: readonly Condition[]) => conditions.find((one) => one.each)?.each;
  // `how many seniors and adults` asks for two numbers.
  const counted = measures.length === 1 ? eachIn(measures[0]?.where ?? []) : undefined;
  const isAdding = measures.some(({ fn }) => /^(?:sum|share)$/.test(fn));
  const each = counted ?? (isAdding ? undefined : eachIn(where));
  return each ? { ...query, groups: [columnValue(each)] } : query;
}

/** @throws TaskError `NOT_UNDERSTOOD` if cells that are lists would be grouped or calculated with. */
function assertNoLists(query: Query): void {
  const values = [...query.groups, ...query.measures.map(({ of }) => of), subjectOf(query)];
  const list = values.find((one) => one?.column?.isList);
  if (list) throw unclear(`The cells of "${list.words}" are lists, which can only be conditions.`);
}

/** The value to group by in a comparison: the one with two values in the conditions. */
function comparedBy({ where }: Query): Value {
  const values = where.flatMap(
    ({ part, column, value }) => part ?? (column && value !== undefined ? columnValue(column) : []),
  );
  const several = where.find(
    ({ value, part, sql }) => value === undefined && / IN \(| OR /.test(sql) && (part ?? true),
  );
  const found =
    values.find(({ sql }, at) => values.findIndex((one) => one.sql === sql) !== at) ??
    several?.part ??
    (several?.column && columnValue(several.column));
  if (!found) throw unclear('The values to compare are not clear. Name two values of one column.');
  return found;
}

/** The sum of money, shown with the count: `expenses by category`. */
function moneyToo({ groupNoun = '', subject, having }: Query, table: Table): Measure[] {
  const stem = singular(groupNoun);
  const of = isMoneyNoun(stem) && subject === 'rows' ? moneyOf(table, groupNoun) : undefined;
  return of && having.length === 0 ? [measured('sum', of, `total ${of.words}`)] : [];
}

function grouped(query: Query, table: Table): Query {
  const isOneOfEach = query.slice?.count === 1;
  if (query.columns.length > 0 && query.measures.length > 0)
    throw unclear('Columns and a calculation do not go together in groups. Ask for one of them.');
  return query.measures.length > 0 || isOneOfEach
    ? query
    : { ...query, measures: [...moneyToo(query, table), groupMeasure(query)] };
}

/** Orders rows `in chronological order` by the one column of time. */
function inTime(query: Query, table: Table): Query {
  const [column, ...others] = table.columns.filter(({ isTime }) => isTime);
  if (query.subject !== 'rows' || column === undefined || others.length > 0) return query;
  const orders = query.orders.map((order) =>
    order.sense === 'time' && !order.by && !order.name
      ? { ...order, by: columnValue(column) }
      : order,
  );
  return { ...query, orders };
}

/** Groups by the subject of a condition on groups: `customers with more than one order`. */
function havingValues(query: Query, values: Value | undefined): Query {
  if (!values)
    throw unclear('The condition on a number of rows needs a column to group by. Name it.');
  return { ...query, groups: [values], measures: query.having.map(({ measure }) => measure) };
}

/** Applies the rank to rows or groups. */
function ranked(query: Query, rank: Rank, table: Table): Query {
  const { groups, measures } = query;
  const { by, count = query.limit } = rank;
  if (measures.length === 0 && (groups.length === 0 || !isMeasure(by)))
    return by === undefined ? { ...query, ...rowRank(query, rank, table) } : query;
  if (groups.length === 0 || !isMeasure(by))
    throw unclear(`"${rank.word}" and a calculation do not go together here. Ask for one of them.`);
  const all = measures.length > 0 ? measures : [by];
  return firstBy({ ...query, measures: all }, by, rank, count);
}

/** A query with a limit and an order instead of a rank. */
const firstBy = (
  query: Query,
  by: Value | Measure,
  { direction }: Rank,
  limit?: number,
): Query => ({
  ...{ ...query, limit, rank: undefined, orders: [{ by, direction }, ...query.orders] },
});

/** The default measure of groups: the sum for `stock per category`, else the number of rows. */
function groupMeasure(query: Query): Measure {
  const { columns, having, groupNoun = 'rows' } = query;
  const subject = subjectOf(query);
  const names = columns.map(({ words }) => `"${words}"`).join(', ');
  const [only, ...others] = columns;
  if (only?.column && isAdded(only.column) && others.length === 0)
    return measured('sum', only, `total ${only.words}`);
  if (names !== '')
    throw unclear(`The calculation of ${names} is missing. Say "total" or "average".`);
  if (subject?.column?.isNumber)
    return isAmount(subject.column)
      ? measured('sum', subject, `total ${subject.words}`)
      : measured('distinct', subject, `different ${subject.words}`);
  return having[0]?.measure ?? measured('count', undefined, groupNoun);
}

/** The conditions that the rows refer to a row of each table whose values are shown once: no group without a customer. */
export function ofOwners(query: Query) {
  const { groups, columns, isDistinct } = query;
  const subject = columns.length === 0 ? subjectOf(query) : undefined;
  const values = [...groups, ...(subject ? [subject] : isDistinct ? columns : [])];
  const owners = values.flatMap(({ column }) => column?.owner ?? []);
  const all = new Map(owners.map((owner) => [owner.key, owner]));
  return [...all.values()].map(({ key, noun }) => ({
    ...{ noun, sql: `${key} IS NOT NULL`, words: `there is a ${noun}` },
  }));
}

/** Moves conditions that all measures share into the WHERE clause. */
export function withSharedConditions(query: Query): Query {
  const [first] = query.measures;
  const said = JSON.stringify(first?.where ?? []);
  const isShared = query.measures.every(
    ({ fn, where }) => fn !== 'share' && JSON.stringify(where) === said,
  );
  if (!first || first.where.length === 0 || query.definitions.size > 0 || !isShared) return query;
  const plain = new Map<unknown, Measure>(
    query.measures.map((one) => [one, { ...one, where: [] }]),
  );
  const orders = query.orders.map((order) => ({ ...order, by: plain.get(order.by) ?? order.by }));
  return {
    ...query,
    where: [...first.where, ...query.where],
    measures: [...plain.values()],
    orders,
  };
}

/** `the three countries with the highest total`: the values of a column by a measure. */
function rankedValues(query: Query, subject: Value, rank: Rank, table: Table): Query {
  const limit = rank.count ?? DEFAULT_COUNT;
  const value = isMeasure(rank.by) ? undefined : rank.by;
  if (value && isUnique(subject, table)) {
    const columns = [subject, value, ...query.columns];
    return firstBy({ ...query, subject: 'rows', columns }, value, rank, limit);
  }
  // A measure of the same column that is also asked for: `the costumes with the highest cost, with the sum for each`.
  const said = query.measures.find(({ of }) => value && of?.sql === value.sql);
  const by = isMeasure(rank.by)
    ? rank.by
    : value
      ? (said ?? valueMeasure(subject, value, rank, table))
      : (query.measures[0] ?? requestCount(table) ?? bestOf(rank, table));
  if (!by) throw unclear(`The column that "${rank.word}" compares is missing. Add "by …".`);
  const measures = query.measures.includes(by) ? query.measures : [by, ...query.measures];
  return firstBy({ ...query, groups: [subject], measures }, by, rank, limit);
}

/** Ranks `our best month` by money. */
function bestOf({ word, direction }: Rank, table: Table): Measure | undefined {
  const of = /^(?:best|worst|top)$/.test(word) ? moneyOf(table, word) : undefined;
  return (
    of && measured('sum', of, `${direction === 'desc' ? 'total' : 'lowest total'} ${of.words}`)
  );
}

const isUnique = ({ column, part }: Value, table: Table): boolean =>
  column !== undefined &&
  part === undefined &&
  table.isWhole &&
  !table.joins &&
  column.values.size === table.rows;

const addsUp = (own: Column | undefined): boolean =>
  own !== undefined && (isOfThings(own) || own.words.some((word) => adding.test(word)));

const isProduct = ({ sql, column }: Value): boolean => sql.includes(' * ') && !column?.unit;

/** The measure that ranks the values of a column. @throws TaskError `AMBIGUOUS` for `the country with the highest amount`, with several rows of a country. */
function valueMeasure(subject: Value, by: Value, { direction, word }: Rank, table: Table): Measure {
  if (isProduct(by)) return measured('sum', by, by.meaning?.replace(/ = .*/, '') ?? by.words);
  // `top products by quantity`, `the day with the most hours`
  const isAdding = addsUp(by.column);
  if (isAdding && /^(?:top|most|fewest)$|selling/.test(word))
    return measured('sum', by, `total ${by.words}`);
  const isOfMoney = isAdding && /expensive/.test(word);
  // Nobody has a fastest total.
  const isOne = by.column?.unit !== undefined && direction === 'asc';
  if ((subject.part !== undefined && !isOfMoney) || !by.column?.isNumber || isOne)
    return measured(direction === 'desc' ? 'max' : 'min', by, `${word} ${by.words}`);
  const way = direction === 'desc' ? 'highest' : 'lowest';
  throw new TaskError(
    'AMBIGUOUS',
    `"${subject.words} with the ${word} ${by.words}" has two meanings, since several rows have the same ${subject.words}. Ask for "the ${subject.words} with the ${way} total ${by.words} in ${table.path}", or for "the row with the ${way} ${by.words} in ${table.path}".`,
  );
}

const sizeWords = list('size|byte|gb|mb|area|capacity|acre|hectare|population');

/** Words of columns whose numbers are no size of a row. */
const noSize = /^(?:discount|vat|tax|pct|percent|percentage|rate|ratio|moisture|humidity|rating)$/;

/** Ranks `the largest order`, without a column, by the only column of amounts. */
function rowRank({ orders }: Query, rank: Rank, table: Table): Partial<Query> {
  const numbers = table.columns.filter(
    (own) => isAmount(own) && !own.words.some((word) => noSize.test(word)),
  );
  const said = orders.find(({ by }) => by !== undefined);
  if (said) {
    const { direction = rank.direction } = said;
    return {
      rank: undefined,
      limit: rank.count ?? DEFAULT_COUNT,
      orders: orders.map((order) => (order === said ? { ...order, direction } : order)),
    };
  }
  const isOfMoney = [...table.nouns].some((noun) => noun === 'order' || isMoneyNoun(noun));
  const money = isOfMoney && numbers.length > 1 ? moneyOf(table, rank.word) : undefined;
  if (money) return { rank: { ...rank, by: money } };
  const sizes = numbersOf(table, sizeWords, rank.direction);
  const isOfSize = /^(?:biggest|largest|smallest)$/.test(rank.word);
  const [column, ...others] = isOfSize && sizes.length > 0 ? sizes : numbers;
  // `the largest port`, with its parking
  const isOther = isOfSize && sizes.length === 0 && !addsUp(column) && !(column && isAdded(column));
  if (column && others.length === 0 && !isOther)
    return { rank: { ...rank, by: columnValue(column) } };
  if (numbers.length === 0)
    throw unclear(`The column that "${rank.word}" compares is missing. Add "by …".`);
  const names = numbers.map(({ name }) => name).join(', ');
  return fail(
    'AMBIGUOUS',
    `The column that "${rank.word}" compares is missing. Add "by …". Numeric columns: ${names}.`,
  );
}
