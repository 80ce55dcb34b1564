import { tokenize } from '../../language/lexer.ts';
import { nameWords } from '../../language/words.ts';
import { dimension } from '../read/dimension.ts';
import type { Reads, Source } from '../read/grammar.ts';
import { measure } from '../read/measures.ts';
import { adding } from '../read/money.ts';
import { readMeasure } from '../read/read-question.ts';
import { type Superlative, superlatives } from '../read/words.ts';
import { quoteText } from '../table/schema.ts';
import type { Composed } from './clauses.ts';
import { measureSql, measureWords, rounded } from './measure-sql.ts';
import {
  type Measure,
  measured,
  type Query,
  type Shape,
  type ShapeEntry,
  sqlOfAll,
  unclear,
  type Value,
} from './query.ts';

/** An answer that is one JSON object: `{"days": number of days, "hottest": {"month", "mean_temp_max"}}`. */
export function composeObject(query: Query, source: Source): Composed {
  const { shape, groups, rank } = query;
  if (!shape || groups.length > 0 || rank)
    throw unclear('An object has one value for each key: a grouping needs a list.');
  const readAs: string[] = [];
  const test = sqlOfAll(query.where);
  const from = `FROM ${source.table.sql}${test === '' ? '' : ` WHERE ${test}`}`;

  const objectSql = ({ entries }: Shape): string =>
    `json_object(${entries.map((entry) => `${quoteText(entry.key)}, ${entrySql(entry)}`).join(', ')})`;

  const entrySql = (entry: ShapeEntry): string => {
    const { key, inner, pattern } = entry;
    if (pattern !== undefined) throw unclear(`What "${key}" stands for is not said.`);
    if (inner?.isList) throw unclear("A list inside an object can't be made.");
    if (inner) {
      const extreme = superlatives.find(({ words }) => words.includes(nameWords(key).join(' ')));
      return extreme ? extremeSql(key, inner, extreme) : objectSql(inner);
    }
    const found = measureOf(entry);
    if (!found) throw unclear(`What "${key}" stands for is not understood.`);
    readAs.push(`${key} = ${measureWords(found)}`);
    return `(SELECT ${rounded(found, query.decimals)} ${from})`;
  };

  /** The calculation that is described, or that a name such as `mean_temp_max` says. */
  const measureOf = ({ key, words }: ShapeEntry): Measure | undefined =>
    words
      ? readMeasure(source, ...words)
      : (query.definitions.get(key) ?? whole(source, key, measure));

  /** `"wettest": {"month": "YYYY-MM", "precipitation"}`: the group whose value is the highest. */
  const extremeSql = (key: string, { entries }: Shape, extreme: Superlative): string => {
    const parts = entries.map((entry) => {
      const found = measureOf(entry);
      const group = found ? undefined : whole(source, entry.key, dimension);
      if (!found && !group) throw unclear(`What "${entry.key}" stands for is not understood.`);
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

/** Of two parts of an object, the one to group by and the one to calculate. */
function pairOf(key: string, parts: readonly Part[], { by }: Superlative) {
  const named = parts.find(({ group }) => group && (group.part ?? !group.column?.isNumber));
  const other = parts.find((part) => part !== named);
  if (!named?.group || !other || parts.length !== 2)
    throw unclear(
      `What "${key}" holds is not clear: one thing to group by and one to calculate were expected.`,
    );
  const figure = other.measure ?? summed(other.group);
  if (!figure)
    throw unclear(`How "${other.key}" is calculated is not said: total_, average_, highest_ …?`);
  const goesBy = figure.of?.column?.words ?? [];
  if (typeof by !== 'string' && !goesBy.some((word) => by.includes(word)))
    throw unclear(`"${key}" is not known to go by "${figure.name}".`);
  return { group: named.group, figure };
}

/** A name that is read as a whole: `mean_temp_max`. */
function whole<T>(source: Source, key: string, read: Reads<T>): T | undefined {
  const tokens = tokenize(nameWords(key).join(' '));
  const found = read({ ...source, tokens }, 0);
  return found?.end === tokens.length ? found.value : undefined;
}

const summed = (value: Value | undefined): Measure | undefined =>
  value?.column?.isNumber && value.column.words.some((word) => adding.test(word))
    ? measured('sum', value, value.words)
    : undefined;
