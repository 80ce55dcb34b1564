import { tokenize } from '../../language/lexer.ts';
import { nameWords } from '../../language/words.ts';
import { dimension } from '../read/columns/dimension.ts';
import { measure } from '../read/figures/measures.ts';
import { adding } from '../read/figures/money.ts';
import type { Reads, Source } from '../read/grammar.ts';
import { readMeasure } from '../read/read-question.ts';
import { type Superlative, superlatives } from '../read/words.ts';
import type { Composed } from './clauses.ts';
import {
  type Measure,
  measured,
  measureSql,
  measureWords,
  type Query,
  rounded,
  type Shape,
  type ShapeEntry,
  sqlOfAll,
  unclear,
  type Value,
} from './query.ts';
import { quoteText } from './quote.ts';

/** Composes an answer that is one JSON object: `{"days": number of days, "hottest": {"month", "mean_temp_max"}}`. */
export function composeObject(query: Query, source: Source): Composed {
  const { shape, groups, rank } = query;
  if (!shape || groups.length > 0 || rank)
    throw unclear('An object has one value for each key. Ask for a JSON list of groups.');
  const readAs: string[] = [];
  const test = sqlOfAll(query.where);
  const from = `FROM ${source.table.sql}${test === '' ? '' : ` WHERE ${test}`}`;

  const objectSql = ({ entries }: Shape): string =>
    `json_object(${entries.map((entry) => `${quoteText(entry.key)}, ${entrySql(entry)}`).join(', ')})`;

  const entrySql = (entry: ShapeEntry): string => {
    const { key, inner, pattern } = entry;
    if (pattern !== undefined)
      throw unclear(`The meaning of "${key}" is missing. Write it after the key.`);
    if (inner?.isList)
      throw unclear("A list inside an object can't be made. Ask for a list of objects.");
    if (inner) {
      const extreme = superlatives.find(({ words }) => words.includes(nameWords(key).join(' ')));
      return extreme ? extremeSql(key, inner, extreme) : objectSql(inner);
    }
    const found = measureOf(entry);
    if (!found) throw unclear(notUnderstood(key));
    readAs.push(`${key} = ${measureWords(found)}`);
    return `(SELECT ${rounded(found, query.decimals)} ${from})`;
  };

  /** The calculation of an entry: as described, or by its key, such as `mean_temp_max`. */
  const measureOf = ({ key, words }: ShapeEntry): Measure | undefined =>
    words
      ? readMeasure(source, ...words)
      : (query.definitions.get(key) ?? whole(source, key, measure));

  /** `"wettest": {"month": "YYYY-MM", "precipitation"}`: the group whose value is the highest. */
  const extremeSql = (key: string, { entries }: Shape, extreme: Superlative): string => {
    const parts = entries.map((entry) => {
      const found = measureOf(entry);
      const group = found ? undefined : whole(source, entry.key, dimension);
      if (!found && !group) throw unclear(notUnderstood(entry.key));
      return { key: entry.key, measure: found, group };
    });
    const { group, figure } = pairOf(key, parts, extreme);
    const pairs = parts.map(
      (part) => `${quoteText(part.key)}, ${part.group === group ? 'g' : 'v'}`,
    );
    const isDown = extreme.direction === 'desc';
    const order = `${measureSql(figure)}${isDown ? ' DESC' : ''}, 1`;
    readAs.push(
      `${key} = the ${group.words} with the ${isDown ? 'highest' : 'lowest'} ${measureWords(figure)}`,
    );
    return `(SELECT json_object(${pairs.join(', ')}) FROM (SELECT ${group.sql} AS g, ${rounded(figure, query.decimals)} AS v ${from} GROUP BY 1 ORDER BY ${order} LIMIT 1))`;
  };

  return { sql: `SELECT ${objectSql(shape)} AS value`, columns: undefined, readAs };
}

interface Part {
  readonly key: string;
  readonly measure: Measure | undefined;
  readonly group: Value | undefined;
}

/** Of the two parts of an object, the one to group by and the one to calculate. */
function pairOf(key: string, parts: readonly Part[], { by }: Superlative) {
  const named = parts.find(({ group }) => group && (group.part ?? !group.column?.isNumber));
  const other = parts.find((part) => part !== named);
  if (!named?.group || !other || parts.length !== 2)
    throw unclear(`"${key}" needs two keys: a column to group by, and a calculation.`);
  const figure = other.measure ?? summed(other.group);
  if (!figure)
    throw unclear(`"${other.key}" has no calculation. Say "total_${other.key}" or "average_…".`);
  const goesBy = figure.of?.column?.words ?? [];
  if (typeof by !== 'string' && !goesBy.some((word) => by.includes(word)))
    throw unclear(`"${key}" does not go with "${figure.name}". Say "highest" or "lowest".`);
  return { group: named.group, figure };
}

const notUnderstood = (key: string) =>
  `The meaning of "${key}" can't be understood. Describe it after the key.`;

/** Reads a key as a phrase: `mean_temp_max`. Undefined if some of its words have no meaning. */
function whole<T>(source: Source, key: string, read: Reads<T>): T | undefined {
  const tokens = tokenize(nameWords(key).join(' '));
  const found = read(source.with({ tokens }), 0);
  return found?.end === tokens.length ? found.value : undefined;
}

const summed = (value: Value | undefined): Measure | undefined =>
  value?.column?.isNumber && value.column.words.some((word) => adding.test(word))
    ? measured('sum', value, value.words)
    : undefined;
