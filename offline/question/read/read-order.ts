import { nameWords } from '../../language/words.ts';
import type { Direction, Order, Query, Rank } from '../sql/query.ts';
import { eatExpression, eatMeasure } from './read-measure.ts';
import { eatDimension, eatRowNoun } from './read-names.ts';
import { adjective, rankedValue, superlative } from './read-rank.ts';
import { attempt, eat, peek, type Reader, skip } from './reader.ts';

const descending = [
  'descending',
  'desc',
  'in descending order',
  'from high to low',
  'high to low',
  'from highest to lowest',
  'from largest to smallest',
  'decreasing',
  'z to a',
  'from the highest',
  'from biggest to smallest',
];

const ascending = [
  'ascending',
  'asc',
  'in ascending order',
  'from low to high',
  'low to high',
  'from lowest to highest',
  'from smallest to largest',
  'increasing',
  'a to z',
  'as text',
];

/** Words for the kind of the ordered value. */
const senses: readonly (readonly [
  { readonly sense: NonNullable<Order['sense']>; readonly isReverse: boolean },
  string[],
])[] = [
  [
    { sense: 'text', isReverse: false },
    ['alphabetically', 'in alphabetical order', 'in ascending alphabetical order', 'alphabetical'],
  ],
  [
    { sense: 'text', isReverse: true },
    ['in reverse alphabetical order', 'in descending alphabetical order', 'reverse alphabetically'],
  ],
  [
    { sense: 'time', isReverse: false },
    [
      'chronologically',
      'in chronological order',
      'chronological',
      'oldest to newest',
      'from oldest to newest',
    ],
  ],
  [
    { sense: 'time', isReverse: true },
    [
      'in reverse chronological order',
      'in descending chronological order',
      'newest to oldest',
      'from newest to oldest',
    ],
  ],
];

/** `alphabetically`, `descending`, or both in one: `alphabetically descending`. Undefined for two different directions. */
function eatManner(reader: Reader): Pick<Order, 'sense' | 'direction'> | undefined {
  const first = eatDirection(reader);
  const found = senses.find(([, words]) => eat(reader, words))?.[0];
  if (!found) return first && { direction: first };
  const second = attempt(reader, (inner) => {
    eat(inner, [',', 'and']);
    return eatDirection(inner);
  });
  const said = first ?? second;
  if (said && first && second && first !== second) return undefined;
  if (said && found.isReverse && said !== 'desc') return undefined;
  return { sense: found.sense, direction: said ?? (found.isReverse ? 'desc' : 'asc') };
}

/** `descending`, `from high to low`, `highest first`. */
function eatDirection(reader: Reader): Direction | undefined {
  if (eat(reader, descending)) return 'desc';
  if (eat(reader, ascending)) return 'asc';
  return attempt(reader, (inner) => {
    skip(inner);
    const word = adjective(inner);
    return word && eat(inner, ['first', 'ones first', 'on top']) ? word.direction : undefined;
  });
}

/** `sorted by amount descending, then by name`, `most first`, `highest total first`, `ties by name`. */
export function readOrder(reader: Reader): boolean {
  const { query } = reader;
  eat(reader, [',', 'and']);
  const verb = eat(reader, [
    'sorted by',
    'ordered by',
    'sort by',
    'order by',
    'ranked by',
    'sort them by',
    'sort it by',
    'order them by',
    'sorted',
    'ordered',
    'sort',
    'order',
    'ties by',
    'ties broken by',
    'break ties by',
    'with ties by',
    'then by',
    'sort the result by',
    'sort the results by',
    'arrange by',
    'sorted on',
    'sort on',
  ]);
  if (verb !== undefined) return orderTerms(reader, verb);
  const found = attempt(reader, eatManner);
  if (found === undefined) return leadingValue(reader);
  query.orders.push({ by: undefined, ...found });
  return true;
}

function orderTerms(reader: Reader, verb: string): boolean {
  const { query } = reader;
  const isOpen = !/by$|on$/.test(verb);
  if (isOpen) skipSorted(reader);
  const found = isOpen ? attempt(reader, eatManner) : undefined;
  if (isOpen && !eat(reader, ['by', 'on', 'by the', 'by their'])) {
    if (found !== undefined) query.orders.push({ by: undefined, ...found });
    return found !== undefined;
  }
  if (isRowsAlone(query)) query.subject ??= 'rows';
  do {
    if (!orderTerm(reader, verb.includes('tie'))) return false;
  } while (eat(reader, thenWords));
  return true;
}

const isRowsAlone = ({ measures, groups, columns, rank, isGrouped }: Query): boolean =>
  measures.length + groups.length + columns.length === 0 && !rank && !isGrouped;

const thenWords = [
  ', then by',
  'then by',
  ', then',
  'and then by',
  ', and then by',
  'and by',
  'and then',
  'then',
];

/** `sort orders.csv …`, `sort the rows of orders.csv …` */
function skipSorted(reader: Reader): void {
  skip(reader);
  eatRowNoun(reader);
  eat(reader, ['in', 'of', 'from']);
  if (peek(reader)?.kind === 'file') reader.at += 1;
}

function orderTerm(reader: Reader, isTie: boolean): boolean {
  skip(reader, ['the', 'their', 'its', 'by', 'then']);
  const isThat = eat(reader, [
    'that number',
    'that count',
    'that value',
    'that total',
    'that amount',
  ]);
  const said = isThat === undefined ? undefined : reader.query.measures.at(-1);
  const by = said ?? eatMeasure(reader) ?? eatExpression(reader) ?? attempt(reader, eatDimension);
  const name = by ? undefined : unknownName(reader);
  if (!by && name === undefined) return false;
  const manner = attempt(reader, (inner) => {
    eat(inner, [',']);
    return eatManner(inner);
  });
  const otherwise = isTie ? 'asc' : undefined;
  reader.query.orders.push({ by, name, direction: manner?.direction ?? otherwise, isTie });
  return true;
}

/** The name of a column of the answer: `by total`. */
function unknownName(reader: Reader): string | undefined {
  const token = peek(reader);
  if (token?.kind !== 'word' && token?.kind !== 'quote') return undefined;
  reader.at += 1;
  return token.norm;
}

/** `highest total first`, `most flights first`, `largest first`, `slowest first`. */
const leadingValue = (reader: Reader): boolean =>
  attempt(reader, superlativeFirst) ?? attempt(reader, valueFirst) ?? false;

function valueFirst(reader: Reader): true | undefined {
  skip(reader);
  const word = adjective(reader);
  if (!word) return undefined;
  const { direction } = word;
  const key = outputNamed(reader);
  const isRows = key === undefined && eatRowNoun({ ...reader });
  const by =
    key !== undefined || isRows
      ? undefined
      : (eatMeasure(reader) ?? attempt(reader, eatExpression));
  const name = by ? undefined : (key ?? nameBeforeFirst(reader));
  const isLast = key === undefined && eat(reader, ['last', 'values last']) !== undefined;
  if (key === undefined && !isLast && !eat(reader, ['first', 'values first', 'on top']))
    return undefined;
  const opposite = direction === 'desc' ? 'asc' : 'desc';
  reader.query.orders.push({ by, name, direction: isLast ? opposite : direction });
  return true;
}

/** The word before `first`, which can be a name in the answer; undefined if there is none. */
function nameBeforeFirst(reader: Reader): string | undefined {
  const [word, first] = [peek(reader), peek(reader, 1)];
  if (word?.kind !== 'word' || word.norm === 'first') return undefined;
  if (first?.norm !== 'first' && first?.norm !== 'last') return undefined;
  reader.at += 1;
  return word.norm;
}

/** `slowest first`, `newest first` */
function superlativeFirst(reader: Reader): true | undefined {
  skip(reader);
  const found = superlative(reader, true);
  if (!found || !eat(reader, ['first', 'ones first', 'on top'])) return undefined;
  const { orders } = reader.query;
  const last = orders.at(-1);
  const isTime = last?.by && 'column' in last.by && last.by.column?.isTime === true;
  const by =
    found.by === 'count'
      ? undefined
      : found.by === 'time' && isTime
        ? last.by
        : rankedValue(reader, found);
  const isSame =
    by &&
    last?.by &&
    last.direction === undefined &&
    'sql' in last.by &&
    'sql' in by &&
    last.by.sql === by.sql;
  if (isSame) orders.pop();
  orders.push({ by, direction: found.direction });
  return true;
}

/** A key of the answer before `first`: `highest stock value first` if the file has a column `stock_value`. */
function outputNamed(reader: Reader): string | undefined {
  const { keys, shape } = reader.query;
  for (const key of keys ?? shape?.entries.map((entry) => entry.key) ?? []) {
    const length = nameWords(key).length;
    if (peek(reader, length)?.norm !== 'first') continue;
    const said = [...Array(length).keys()].map((ahead) => peek(reader, ahead)?.stem).join(' ');
    if (said !== nameWords(key).join(' ')) continue;
    reader.at += length + 1;
    return key;
  }
  return undefined;
}

export type { Rank };
