import { columnValue, isMeasure, type Measure, measured } from '../../sql/query.ts';
import { type Column, isAmount } from '../../table/schema.ts';
import type { Source } from '../grammar.ts';
import { rowCount } from './counts.ts';
import { isOfPieces, quantityOf } from './money.ts';

/** Replaces the figures of a question by those that its other words mean. */
export function meanFigures(source: Source): void {
  averageOf(source);
  piecesOf(source);
  totalOf(source);
  shareOf(source);
}

/** Replaces sums by means for `on average`: `how much do we pay on average`. */
function averageOf(source: Source): void {
  const { query } = source;
  const isAverage = / on average\b/.test(` ${source.normOf()}`);
  if (!isAverage || query.groups.length > 0 || (query.subject ?? 'rows') !== 'rows') return;
  query.measures = query.measures.map((one) =>
    one.fn === 'sum' ? { ...one, fn: 'avg', name: one.name.replace(/^total/, 'average') } : one,
  );
}

/** Counts the pieces that rows sell instead of the rows: `tickets per month` in ticket_sales.csv, with a quantity. */
function piecesOf({ query, tokens, table }: Source): void {
  const own = quantityOf(table);
  if (!own || !isOfPieces(tokens, table)) return;
  const ofPieces = (one: Measure): Measure =>
    one.fn === 'count' && !one.of
      ? { ...measured('sum', columnValue(own), one.name), where: one.where }
      : one;
  const { measures, groups, rank } = query;
  const isListed = groups.length > 0 && measures.length === 0 && !rank;
  query.measures = (isListed ? [rowCount(tokens[0]?.norm)] : measures).map(ofPieces);
  if (isMeasure(query.rank?.by)) query.rank = { ...query.rank, by: ofPieces(query.rank.by) };
}

/** `late fees in total`: the sum of a column that would be listed. */
function totalOf(source: Source): void {
  const { query } = source;
  const { subject, columns, measures, groups, rank } = query;
  const own = (subject === 'rows' ? columns[0] : subject)?.column;
  const said = source.normOf();
  const isOfRows =
    own?.name === 'total' && / total (?:of|for) (?:the |all |our |my )*(?:\w+ )?\w+s\b/.test(said);
  const isList = query.isDistinct || (/^(?:which|what)\b/.test(said) && !isOfRows);
  if (!own || !isAmount(own) || !(isOfRows || / in total\b/.test(said)) || isList) return;
  const isOther = measures.length + groups.length > 0 || columns.length > 1 || rank;
  if (isOther || query.where.some(({ sql }) => sql.startsWith(own.sql))) return;
  query.measures.push(measured('sum', columnValue(own), `total ${own.name}`));
  Object.assign(query, { subject: undefined, columns: [] });
}

/** `which percentage of the rows have the channel online`: the value is the condition of the share, not of all rows. */
function shareOf({ query }: Source): void {
  const [only] = query.measures;
  if (only?.fn !== 'share' || query.measures.length > 1) return;
  const isFilled = (sql: string) => (column?: Column) =>
    column !== undefined && sql.startsWith(`(${column.sql} IS NOT NULL`);
  const own = query.where.filter(({ column }) =>
    only.where.some(({ sql }) => isFilled(sql)(column)),
  );
  if (own.length === 0) return;
  const others = only.where.filter(({ sql }) => !own.some(({ column }) => isFilled(sql)(column)));
  query.measures = [{ ...only, where: [...others, ...own] }];
  query.where = query.where.filter((one) => !own.includes(one));
}
