import { directions, ordinals, type Superlative, superlatives } from '../../language/lexicon.ts';
import { TaskError } from '../../task-error.ts';
import { type Direction, type Expression, expressionOf, type Measure } from '../sql/query.ts';
import { readAdjectives } from './read-condition.ts';
import { rowCount } from './read-count.ts';
import { eatExpression, eatMeasure } from './read-measure.ts';
import { didMost, lastInTime, oftenest } from './read-most.ts';
import {
  eatColumn,
  eatDimension,
  eatLogMeaning,
  eatRowNoun,
  isDeed,
  isLongName,
  timeColumn,
} from './read-names.ts';
import { soldMost, spentMost } from './read-spending.ts';
import { attempt, eat, eatNumber, peek, type Reader, skip, textOf } from './reader.ts';

/** What comes first by some value: `the ten slowest requests`, `top 5 orders by amount`, `the most expensive product`. */
export const readRank = (reader: Reader): boolean =>
  attempt(reader, spentMost) ??
  attempt(reader, soldMost) ??
  attempt(reader, oftenest) ??
  attempt(reader, lastInTime) ??
  attempt(reader, didMost) ??
  attempt(reader, rankAhead) ??
  false;

function rankAhead(reader: Reader): true | undefined {
  const { query } = reader;
  skip(reader);
  const nth = eatOrdinal(reader);
  const before = nth === undefined ? eatNumber(reader) : 1;
  const found = superlative(reader) ?? plainRank(reader);
  if (!found || query.rank) return undefined;
  if (found.by === 'time' && isTimeColumn({ ...reader })) return byTime(reader, found, before);
  const read = found.by === undefined ? byDirection : bySuperlative;
  if (!read(reader, found, before ?? eatNumber(reader))) return undefined;
  if (nth === undefined) return true;
  query.skip = nth - 1;
  return query.rank ? true : undefined;
}

const isTimeColumn = (reader: Reader): boolean => eatColumn(reader)?.isTime === true;

/** `the order with the latest date`; without a noun before it, the date itself is asked for. */
function byTime(
  reader: Reader,
  { word, direction }: FoundAdjective,
  given: number | undefined,
): true | undefined {
  const { query } = reader;
  const column = eatColumn(reader);
  if (!column || query.subject === undefined) return undefined;
  const count = given ?? query.subjectCount ?? (query.subjectIsPlural ? undefined : 1);
  query.rank = { direction, word, by: expressionOf(column), count };
  return true;
}

/** `second`, `3rd`, in front of a superlative. */
function eatOrdinal(reader: Reader): number | undefined {
  const token = peek(reader);
  const nth =
    token?.kind === 'word'
      ? ordinals.get(token.norm)
      : token?.kind === 'number' && /(?:nd|rd|th)$/i.test(token.text)
        ? token.value
        : undefined;
  if (nth !== undefined) reader.at += 1;
  return nth;
}

interface FoundAdjective {
  readonly direction: Direction;
  readonly word: string;
  readonly by: Superlative['by'] | undefined;
}

/** A superlative, if the table has the column that it orders by. */
export function superlative(reader: Reader, isQuiet = false): FoundAdjective | undefined {
  const start = reader.at;
  let missing: { readonly word: string; readonly by: readonly string[] } | undefined;
  for (const { words, direction, by } of superlatives) {
    const word = eat(reader, words);
    if (word === undefined) continue;
    if (hasColumnOf(reader, { word, by })) return { word, direction, by };
    if (by !== 'count') missing ??= { word, by: by === 'time' ? ['date', 'time'] : by };
    reader.at = start;
  }
  if (missing && !isQuiet) {
    const { word, by } = missing;
    throw new TaskError(
      'NOT_FOUND',
      `"${word}" goes by ${by.slice(0, 3).join(', ')}, and ${reader.table.path} has no such column. Its columns: ${reader.table.columns.map(({ name }) => name).join(', ')}.`,
    );
  }
  return undefined;
}

/** Whether the table has the column of a superlative; `most requested` needs rows that are requests. */
function hasColumnOf(
  reader: Reader,
  { word, by }: { readonly word: string; readonly by: Superlative['by'] },
): boolean {
  const { table } = reader;
  if (by === 'time') return table.columns.some(({ isTime }) => isTime);
  if (by !== 'count') return columnFor(reader, by) !== undefined;
  const verb = /\b(?:\w+ed|sold)$/.exec(word)?.[0];
  return verb === undefined || isDeed(table, verb);
}

const plainRank = (reader: Reader): FoundAdjective | undefined => {
  const found = adjective(reader);
  return found && { ...found, by: undefined };
};

/** The one column of numbers that has one of these words in its name. */
function columnFor(reader: Reader, words: readonly string[]) {
  const found = reader.table.columns.filter(
    (column) => column.isNumber && column.words.some((word) => words.includes(word)),
  );
  if (found.length > 1) {
    const names = found.map(({ name }) => `"${name}"`).join(' or ');
    throw new TaskError('AMBIGUOUS', `That may go by ${names}: name the column.`);
  }
  return found[0];
}

/** `slowest requests`, `most requested endpoints`, `newest order`, `cheapest product per category`. */
function bySuperlative(
  reader: Reader,
  found: FoundAdjective,
  given: number | undefined,
): true | undefined {
  const { query } = reader;
  const { word, direction, by } = found;
  const { noun, isPlural, isOpen } = rankedNoun(reader);
  if (by === 'count' && noun === 'rows') return undefined;
  query.subject = noun ?? query.subject ?? 'rows';
  const isMany = isPlural && !(isOpen && query.subject === 'rows');
  const count = given ?? (isMany ? undefined : 1);
  query.rank = { direction, word, by: rankedValue(reader, found), count };
  return true;
}

export function rankedValue(reader: Reader, { by, word }: FoundAdjective): Expression | Measure {
  if (by === 'count') return rowCount(reader.table.isLog ? 'requests' : 'rows');
  if (by === 'time') return expressionOf(timeColumn(reader, word));
  return expressionFor(reader, by ?? [], word);
}

function expressionFor(reader: Reader, words: readonly string[], said: string): Expression {
  const column = columnFor(reader, words);
  if (column) return expressionOf(column);
  throw new TaskError(
    'NOT_FOUND',
    `"${said}" goes by ${words.includes('duration') ? 'a duration' : words[0]}, and ${reader.table.path} has no such column. Its columns: ${reader.table.columns.map(({ name }) => name).join(', ')}.`,
  );
}

interface RankedNoun {
  readonly noun: 'rows' | Expression | undefined;
  readonly isPlural: boolean;
  readonly isOpen: boolean;
}

/** The ranked object: rows, perhaps of a kind, or the values of a column. */
function rankedNoun(reader: Reader): RankedNoun {
  const { query } = reader;
  skip(reader);
  const where = readAdjectives(reader);
  const token = peek(reader);
  const isPlural = token !== undefined && token.norm !== token.stem;
  const meaning = attempt(reader, eatLogMeaning);
  if (meaning) {
    eatRowNoun(reader);
    query.where.push(...where, meaning);
    const said = reader.tokens[reader.at - 1];
    const isOne = said?.kind === 'word' && said.norm === said.stem;
    return { noun: 'rows', isPlural: !isOne, isOpen: false };
  }
  const column = attempt(reader, (inner) => {
    if (eatRowNoun({ ...inner }) && !isLongName(inner)) return undefined;
    const found = eatDimension(inner);
    return found && !(found.column?.isNumber && found.part === undefined) ? found : undefined;
  });
  const isRows = column === undefined ? eatRowNoun(reader) : false;
  const last = reader.tokens[reader.at - 1];
  query.where.push(...where);
  return {
    noun: column ?? (isRows ? 'rows' : undefined),
    isPlural: isPlural || (last !== undefined && last.norm !== last.stem),
    isOpen: !column && !isRows,
  };
}

/**
 * `highest amount`, `largest orders by amount`, `most requests`. After a noun (`the countries with the highest …`), it
 * ranks the noun; a column of numbers alone gives a maximum or minimum.
 */
function byDirection(
  reader: Reader,
  adjective: FoundAdjective,
  given: number | undefined,
): true | undefined {
  const { query } = reader;
  const value = attempt(reader, rankValue);
  if (value) return ofValue(reader, { ...adjective, value }, given);
  const { word, direction } = adjective;
  const { noun, isPlural, isOpen } = rankedNoun(reader);
  if (isOpen && word !== 'top') return undefined;
  query.subject = noun ?? query.subject ?? 'rows';
  const by = attempt(reader, rankedBy);
  query.rank = { direction, word, by, count: given ?? (isPlural || isOpen ? undefined : 1) };
  return true;
}

/** `highest amount`: ranks the noun before it; without one, the maximum. */
function ofValue(
  { query }: Reader,
  { word, direction, value }: FoundAdjective & { readonly value: Expression | Measure },
  given: number | undefined,
): true | undefined {
  if (query.subject !== undefined && query.measures.length === 0) {
    const count = given ?? query.subjectCount ?? (query.subjectIsPlural ? undefined : 1);
    query.rank = { direction, word, by: value, count };
    return true;
  }
  if ('fn' in value || given !== undefined) return undefined;
  const fn = direction === 'desc' ? 'max' : 'min';
  query.measures.push({ fn, of: value, where: [], name: `${word} ${value.words}` });
  return true;
}

/** What an adjective measures: `total amount`, `number of orders`, `orders`, `amount`. */
function rankValue(reader: Reader): Expression | Measure | undefined {
  skip(reader);
  const measure = eatMeasure(reader) ?? attempt(reader, countedRows);
  if (measure) return measure;
  const expression = eatExpression(reader);
  const isText = expression?.column && !expression.column.isNumber && !expression.column.isTime;
  return isText ? undefined : expression;
}

/** `the most errors`, `the most orders`: how many rows. */
function countedRows(reader: Reader): Measure | undefined {
  const from = reader.at;
  const where = readAdjectives(reader);
  const meaning = eatLogMeaning(reader);
  if (meaning) where.push(meaning);
  const isRows = eatRowNoun(reader) || meaning !== undefined;
  const { subject } = reader.query;
  if (!isRows || subject === undefined || subject === 'rows') return undefined;
  return { ...rowCount(textOf(reader, from, reader.at)), where };
}

/** `by amount`, `by number of orders`, perhaps after the file: `of orders.csv by amount`. */
function rankedBy(reader: Reader): Expression | Measure | undefined {
  while (eat(reader, ['of', 'in', 'from', 'the']) !== undefined || peek(reader)?.kind === 'file') {
    if (peek(reader)?.kind === 'file') reader.at += 1;
  }
  if (!eat(reader, ['by', 'by their', 'by the', 'according to', 'in terms of', 'based on']))
    return undefined;
  skip(reader);
  return eatMeasure(reader) ?? eatExpression(reader);
}

/** An adjective that only gives a direction. */
export function adjective(
  reader: Reader,
): { readonly direction: Direction; readonly word: string } | undefined {
  for (const direction of ['desc', 'asc'] as const) {
    const word = eat(reader, directions[direction]);
    if (word !== undefined) return { direction, word };
  }
  return undefined;
}
