import { nameWords } from '../../language/words.ts';
import type { Reader } from '../read/reader.ts';
import { type Column, quoteName, type Table } from '../table/schema.ts';
import { allOf } from './all-of.ts';
import type { Composed } from './compose-sql.ts';
import {
  clause,
  firstWords,
  limitOf,
  named,
  orderOf,
  type SqlOrder,
  whereWords,
} from './group-statement.ts';
import type { Direction, Expression, Order, Query } from './query.ts';
import { DEFAULT_COUNT, isMeasure, unclear } from './resolve.ts';
import { isOfSense } from './sense.ts';

/** The columns of an access log that people look at. */
const logColumns = ['time', 'client', 'method', 'path', 'status', 'bytes'];

function shownColumns(query: Query, table: Table): readonly Expression[] {
  if (query.columns.length > 0) return query.columns;
  const { subject } = query;
  if (subject !== undefined && subject !== 'rows') return [subject];
  if (!table.isLog)
    return table.columns.map((column) => ({ sql: column.sql, words: column.name, column }));
  const extra = table.columns.filter(({ name }) => /^request_time$|_ms$/.test(name));
  const main = logColumns.flatMap((name) => table.columns.filter((column) => column.name === name));
  const line = table.columns.filter(({ name }) => name === 'line');
  return [...main, ...extra, ...line].map((column) => ({
    sql: column.sql,
    words: column.name,
    column,
  }));
}

type Slice = NonNullable<Query['slice']>;

const isByRowid = ({ groups }: Query, { end }: Slice): boolean =>
  end === 'last' || groups.length > 0;

const sliceWords = ({ groups }: Query, { end, count }: Slice): string[] => [
  `the ${end} ${count} in the order of the file`,
  ...clause(
    'for each',
    groups.map(({ words }) => words),
    ' and ',
  ),
];

export function rowStatement(query: Query, { table }: Reader): Composed {
  const { slice } = query;
  const isOfFound = table.beginning !== undefined;
  const isDistinct =
    query.isDistinct || (isValues(query) && query.columns.length === 0 && !isOfFound);
  const shown = outputs(query, table);
  const orders = rowOrders(query, shown, isDistinct);
  assertAsked(query, isDistinct || orders.length > 0);
  const limit = limitFor(query);
  const list = shown ? shown.map(namedOutput).join(', ') : '*';
  const isByRow = slice !== undefined && isByRowid(query, slice);
  const lines = [
    `SELECT ${isDistinct ? 'DISTINCT ' : ''}${list}`,
    `FROM ${table.sql}`,
    ...(isByRow ? lastRows(query, table, slice) : inOrder(query, orders, limit)),
  ];
  const words = orders.map((order) => order.words);
  const readAs = [
    subjectWords(shown, isDistinct),
    ...whereWords(query),
    ...clause('ordered by', words, ', then '),
    ...(slice ? sliceWords(query, slice) : firstWords(query, limit)),
  ];
  const columns = (shown ?? table.columns.map(columnOutput)).map(outputColumn);
  const cut = slice ? {} : { limit, goesBy: orders[0]?.name };
  return { sql: lines.join('\n'), columns, readAs, ...cut };
}

const limitFor = ({ slice, rank, limit }: Query): number | undefined =>
  slice?.count ?? (rank ? (rank.count ?? DEFAULT_COUNT) : limit);

function subjectWords(shown: readonly Output[] | undefined, isDistinct: boolean): string {
  const names = shown?.map(({ name }) => name).join(', ');
  if (isDistinct) return `different values of ${names}`;
  return names === undefined ? 'rows' : `rows (${names})`;
}

const whereClause = ({ where }: Query): string[] =>
  clause(
    'WHERE',
    allOf(where).map(({ sql }) => sql),
    ' AND ',
  );

const inOrder = (
  query: Query,
  orders: readonly SqlOrder[],
  limit: number | undefined,
): string[] => [
  ...whereClause(query),
  ...clause(
    'ORDER BY',
    orders.map(({ sql }) => sql),
  ),
  ...limitOf(query, limit),
];

/** The last rows of the file, or the first or last of each group. */
const lastRows = (
  query: Query,
  table: Table,
  { end, count }: NonNullable<Query['slice']>,
): string[] => {
  const groups = query.groups.map(({ sql }) => sql);
  const inner =
    groups.length > 0
      ? [
          `SELECT ${end === 'last' ? 'max' : 'min'}(rowid) FROM ${table.sql}`,
          ...whereClause(query),
          `GROUP BY ${groups.join(', ')}`,
        ]
      : [
          `SELECT rowid FROM ${table.sql}`,
          ...whereClause(query),
          `ORDER BY rowid DESC LIMIT ${count}`,
        ];
  return [`WHERE rowid IN (${inner.join(' ')})`, 'ORDER BY rowid'];
};

const columnOutput = (column: Column): Output =>
  output({ sql: column.sql, words: column.name, column });

function assertAsked(
  { subject, columns, where, orders, slice, rank }: Query,
  isOrdered: boolean,
): void {
  if (subject === undefined && columns.length + where.length + orders.length === 0)
    throw unclear('What is wanted of the table is not said.');
  if (slice && (isOrdered || rank))
    throw unclear(
      `"${slice.end}" and an order do not go together: say "top ${slice.count}" or "the ${slice.count} … with the highest …".`,
    );
}

interface Output {
  readonly expression: Expression;
  readonly name: string;
}

const namedOutput = ({ expression: { sql }, name }: Output) => named({ sql, name });

const output = (expression: Expression): Output => ({ expression, name: expression.words });

const isValues = ({ subject }: Query): boolean => subject !== undefined && subject !== 'rows';

/** The columns that are shown; undefined for all of them. */
function outputs(query: Query, table: Table): readonly Output[] | undefined {
  const keys = query.keys ?? query.shape?.entries.map(({ key }) => key);
  const shown = shownColumns(query, table);
  if (keys) return keyedColumns(keys, shown, table);
  const isAll =
    query.columns.length === 0 && !isValues(query) && !table.isLog && !table.sql.includes(' JOIN ');
  return isAll ? undefined : shown.map(output);
}

const outputColumn = ({ expression: { column, part }, name }: Output) => ({
  name,
  source: part ? undefined : column,
  isNumber: column?.isNumber === true && !part,
});

function keyedColumns(keys: readonly string[], shown: readonly Expression[], table: Table) {
  return keys.map((key) => {
    const words = nameWords(key).join(' ');
    const found =
      shown.find((one) => nameWords(one.words).join(' ') === words) ??
      table.columns
        .filter((column) => column.words.join(' ') === words)
        .map((column) => ({ sql: column.sql, words: column.name, column }))[0];
    if (!found) throw unclear(`There is no column "${key}".`);
    return { expression: found as Expression, name: key };
  });
}

function rowOrders(query: Query, shown: readonly Output[] = [], isDistinct = false): SqlOrder[] {
  const { rank, orders } = query;
  const found = ofRank(rank);
  for (const { by, name, direction, sense } of orders) {
    if (isMeasure(by)) throw unclear(`"${by.name}" is a calculation: name what to group by.`);
    if (by === undefined && name === undefined && rank) assertSame(rank.direction, direction);
    else
      found.push(
        byExpression(by ?? orderedOutput(shownOfSense(shown, sense), name), direction ?? 'asc'),
      );
  }
  if (found.length > 0 || !isDistinct) return found;
  return shown.map(({ name }) => orderOf(quoteName(name), name, 'asc'));
}

/** The output of the kind that the order asks for. */
const shownOfSense = (shown: readonly Output[], sense: Order['sense']): readonly Output[] =>
  sense === undefined ? shown : shown.filter(({ expression }) => isOfSense(expression, sense));

function assertSame(one: Direction, other: Direction | undefined): void {
  if (one !== other) throw unclear('Two orders are asked for: say one.');
}

/** The output that an order names, or the only one. */
function orderedOutput(shown: readonly Output[], said: string | undefined): Expression {
  const wanted = nameWords(said ?? '').join(' ');
  const found = shown.find(({ name }) => nameWords(name).join(' ') === wanted);
  const numbers = shown.filter(
    ({ expression }) => expression.column?.isNumber && !expression.column.words.includes('id'),
  );
  const [only, ...others] = shown.length === 1 ? shown : numbers;
  const one = said === undefined && others.length === 0 ? only : found;
  if (one) return one.expression;
  throw unclear(
    said === undefined
      ? 'By which column to order is not said: add "by …".'
      : `There is no column "${said}" to order by.`,
  );
}

function byExpression({ sql, words }: Expression, direction: Direction): SqlOrder {
  const order = orderOf(sql, words, direction);
  return { ...order, sql: `${order.sql} NULLS LAST` };
}

const ofRank = (rank: Query['rank']): SqlOrder[] =>
  rank?.by && !isMeasure(rank.by) ? [byExpression(rank.by, rank.direction)] : [];
