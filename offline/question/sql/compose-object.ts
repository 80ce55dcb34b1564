import { tokenize } from '../../language/lexer.ts';
import { superlatives } from '../../language/lexicon.ts';
import { nameWords } from '../../language/words.ts';
import { eatMeasure } from '../read/read-measure.ts';
import { eatColumn, eatDimension } from '../read/read-names.ts';
import { readOne } from '../read/read-question.ts';
import { createReader, isAtEnd, type Reader } from '../read/reader.ts';
import { quoteText } from '../table/schema.ts';
import { allOf } from './all-of.ts';
import type { Composed } from './compose-sql.ts';
import { measureSql, measureWords } from './measure-sql.ts';
import type { Expression, Measure, Query, Shape, ShapeEntry } from './query.ts';
import { unclear } from './resolve.ts';

/** An answer that is one JSON object: `{"days": number of days, "hottest": {"month", "mean_temp_max"}}`. */
export function composeObject(query: Query, reader: Reader): Composed {
  if (query.groups.length > 0 || query.rank || query.measures.length > 0)
    throw unclear('An object has one value for each key: a grouping needs a list.');
  if (!query.shape) throw unclear('No shape is said.');
  const readAs: string[] = [];
  const value = objectSql({ query, reader, readAs }, query.shape);
  return { sql: `SELECT ${value} AS value`, columns: undefined, readAs };
}

interface Making {
  readonly query: Query;
  readonly reader: Reader;
  readonly readAs: string[];
}

const objectSql = (making: Making, shape: Shape): string =>
  `json_object(${shape.entries.map((entry) => `${quoteText(entry.key)}, ${entrySql(making, entry)}`).join(', ')})`;

function entrySql(making: Making, entry: ShapeEntry): string {
  if (entry.pattern !== undefined) throw unclear(`What "${entry.key}" stands for is not said.`);
  if (entry.inner?.isList) throw unclear("A list inside an object can't be made.");
  const extreme =
    entry.inner && superlatives.find(({ words }) => words.includes(nameWords(entry.key).join(' ')));
  if (entry.inner && extreme) return extremeSql(making, entry, extreme);
  if (entry.inner) return objectSql(making, entry.inner);
  const measure = entry.words
    ? readOne(making.reader, ...entry.words)
    : (making.query.definitions.get(entry.key) ?? measureOfName(making.reader, entry.key));
  if (!measure) throw unclear(`What "${entry.key}" stands for is not understood.`);
  making.readAs.push(`${entry.key} = ${measureWords(measure)}`);
  const test = allOf(making.query.where)
    .map(({ sql }) => sql)
    .join(' AND ');
  return `(SELECT ${roundedSql(making, measure)} FROM ${making.reader.table.sql}${test === '' ? '' : ` WHERE ${test}`})`;
}

const roundedSql = ({ query }: Making, measure: Measure): string => {
  const sql = measureSql(measure);
  return query.decimals === undefined || ['count', 'distinct'].includes(measure.fn)
    ? sql
    : `round(${sql}, ${query.decimals})`;
};

/** A name read as a calculation: `mean_temp_max`, `total_bytes`. */
function measureOfName({ table }: Reader, key: string): Measure | undefined {
  const inner = createReader(tokenize(nameWords(key).join(' ')), table);
  const measure = eatMeasure(inner);
  return measure && isAtEnd(inner) ? measure : undefined;
}

/** `"wettest": {"month": "YYYY-MM", "precipitation"}`: the group, or the row, whose value is the highest. */
function extremeSql(
  making: Making,
  { key, inner }: ShapeEntry,
  { by, direction }: (typeof superlatives)[number],
): string {
  const { reader, query, readAs } = making;
  const parts = (inner?.entries ?? []).map((entry) => ({
    key: entry.key,
    ...partOfExtreme(making, entry),
  }));
  const group = parts.find(
    ({ dimension }) => dimension?.part !== undefined || dimension?.column?.isNumber === false,
  );
  const value = parts.find((part) => part !== group);
  if (!group?.dimension || !value || parts.length !== 2)
    throw unclear(
      `What "${key}" holds is not clear: one thing to group by and one to calculate were expected.`,
    );
  const measure = value.measure ?? bareMeasure(value.dimension);
  if (!measure)
    throw unclear(`How "${value.key}" is calculated is not said: total_, average_, highest_ …?`);
  const goesBy = measure.of?.column?.words ?? [];
  if (typeof by !== 'string' && !goesBy.some((word) => by.includes(word)))
    throw unclear(`"${key}" is not known to go by "${measure.name}".`);
  const test = allOf(query.where)
    .map(({ sql }) => sql)
    .join(' AND ');
  const sql = measureSql(measure);
  const pairs = parts
    .map((part) => `${quoteText(part.key)}, ${part === group ? 'g' : 'v'}`)
    .join(', ');
  const source = `SELECT ${group.dimension.sql} AS g, ${roundedSql(making, measure)} AS v FROM ${reader.table.sql}${test === '' ? '' : ` WHERE ${test}`} GROUP BY 1 ORDER BY ${sql}${direction === 'desc' ? ' DESC' : ''}, 1 LIMIT 1`;
  readAs.push(
    `${key} = the ${group.dimension.words} with the ${direction === 'desc' ? 'highest' : 'lowest'} ${measureWords(measure)}`,
  );
  return `(SELECT json_object(${pairs}) FROM (${source}))`;
}

function partOfExtreme(
  { reader, query }: Making,
  { key, words }: ShapeEntry,
): { measure?: Measure | undefined; dimension?: Expression | undefined } {
  const said = words ? readOne(reader, ...words) : query.definitions.get(key);
  if (said) return { measure: said };
  const measure = measureOfName(reader, key);
  if (measure) return { measure };
  const inner = createReader(tokenize(nameWords(key).join(' ')), reader.table);
  const dimension = eatDimension(inner) ?? columnExpression(inner);
  if (!dimension || !isAtEnd(inner)) throw unclear(`What "${key}" stands for is not understood.`);
  return { dimension };
}

const columnExpression = (reader: Reader): Expression | undefined => {
  const column = eatColumn(reader);
  return column && { sql: column.sql, words: column.name, column };
};

/** Amounts are summed; for other columns, the calculation must be given. */
const adding =
  /^(?:precipitation|rain|rainfall|snow|amount|total|revenue|sale|price|cost|quantity|bytes?|count|distance)$/;
const bareMeasure = (dimension: Expression | undefined): Measure | undefined =>
  dimension?.column?.isNumber && dimension.column.words.some((word) => adding.test(word))
    ? { fn: 'sum', of: dimension, where: [], name: dimension.words }
    : undefined;
