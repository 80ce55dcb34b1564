import { list, rowNouns } from '../../../language/lexicon.ts';
import { nameWords } from '../../../language/words.ts';
import { isMeasure, type Order, type Query, type Value } from '../../sql/query.ts';
import { type Column, isAmount } from '../../table/schema.ts';
import { dimension } from '../columns/dimension.ts';
import { isDeed } from '../columns/verbs-of-rows.ts';
import { expression } from '../figures/expressions.ts';
import { measure } from '../figures/measures.ts';
import { isTime } from '../figures/ranks.ts';
import { type Adjective, direction, superlative } from '../figures/superlatives.ts';
import {
  either,
  listOf,
  looseRule,
  type Match,
  type Reads,
  rule,
  type Source,
} from '../grammar.ts';
import { number } from '../values/amounts.ts';
import { ascending, descending, senses, sortWords } from '../words.ts';
import { keysOf } from './outputs.ts';
import { nounEnd, rows } from './rows.ts';

type Manner = Pick<Order, 'sense' | 'direction' | 'word'>;

const first = '(first|ones first|values first|on top)';

const simple: Reads<Manner> = either(
  rule(`(${descending})`, (): Manner => ({ direction: 'desc' })),
  rule(`(${ascending})`, (): Manner => ({ direction: 'asc' })),
  looseRule(
    '[from] [the] ({adjective}|{superlative}) to [the] ({other:adjective}|{other:superlative})',
    ({ adjective, superlative: said = adjective, other }): Manner | undefined =>
      said && said.direction !== other?.direction && !isTime(said.by)
        ? { direction: said.direction, word: said.word }
        : undefined,
  ),
  rule(
    `[the] {adjective} ${first}`,
    ({ adjective }): Manner => ({ direction: adjective.direction, word: adjective.word }),
  ),
);

/** Reads how to sort: `alphabetically`, `alphabetically descending`, `highest first`. Directions must not differ. */
const manner: Reads<Manner> = (source, at) => {
  const before = simple(source, at);
  const sensed = sense(source, before?.end ?? at);
  if (!sensed) return before;
  const joint = source.phraseAt(sensed.end, [',', 'and']);
  const after = simple(source, joint?.end ?? sensed.end);
  const [one, other] = [before?.value.direction, after?.value.direction];
  const said = one ?? other;
  if (one && other && one !== other) return undefined;
  if (sensed.value.direction === 'desc' && said && said !== 'desc') return undefined;
  const value = { sense: sensed.value.sense, direction: said ?? sensed.value.direction ?? 'asc' };
  return { value, end: after?.end ?? sensed.end };
};

const sense: Reads<Manner> = either(
  ...senses.map(([words, kind, isReverse]) =>
    rule(`(${words})`, (): Manner => ({ sense: kind, direction: isReverse ? 'desc' : 'asc' })),
  ),
);

/** Reads an order: `sorted by amount descending, then by name`, `most first`, `highest total first`, `ties by name`. */
export const order: Reads<true> = (source, start) => {
  const at = source.phraseAt(start, [',', 'and'])?.end ?? start;
  const sorted = sortVerb(source, at) ?? rowsBy(source, at);
  if (sorted) return sortedBy(source, sorted);
  const how = manner(source, at);
  if (!how) return firstOf(source, at);
  source.query.orders.push(how.value);
  return { value: true, end: how.end };
};

/** Reads the words before a sort key. `tie` only orders rows that are equal otherwise. */
const sortVerb: Reads<'tie' | 'sort'> = either(
  rule('[with|break] ties [broken] by', () => 'tie' as const),
  rule(`(${sortWords}) [the] [{noun}] [in|of|from] [{file}]`, () => 'sort' as const),
);

const shows = /^(?:show|list|give|print|display|me|get|just|only)$/;
const calculating =
  /^(?:number|count|how|total|totals|sum|average|mean|median|share|percentage|minimum|maximum|per|each|every|most|least|group|grouped|top|tally)$/;

/** The value of `list the orders by date`, `orders by amount, largest first`: no group has one value of these. */
export function keyOfRows(source: Source, at: number): Value | undefined {
  const { tokens, query, table } = source;
  const isOfRows = query.measures.length + query.groups.length === 0 && !query.rank;
  if (tokens[at]?.norm !== 'by' || !isOfRows || table.isLog) return undefined;
  if (tokens.some(({ norm }) => calculating.test(norm))) return undefined;
  const key = dimension(source, source.skipArticles(at + 1))?.value;
  const own = key?.part ? undefined : key?.column;
  return own && (own.isTime || isAmount(own)) ? key : undefined;
}

function rowsBy(source: Source, at: number): Match<'sort'> | undefined {
  const key = keyOfRows(source, at);
  if (!key) return undefined;
  const isShown = shows.test(source.wordAt(0));
  if (isShown || !key.column?.isTime) return { value: 'sort', end: at };
  const means = `"sorted by ${key.words}" or "number of rows per ${key.words}"`;
  return source.ambiguous(`by ${key.words}`, `may be an order or a group. Say ${means}.`);
}

function sortedBy(source: Source, { value, end }: Match<'tie' | 'sort'>): Match<true> | undefined {
  const { query } = source;
  const isTie = value === 'tie';
  const how = isTie ? undefined : manner(source, end);
  const by = source.phraseAt(how?.end ?? end, ['by the', 'by their', 'by', 'on']);
  if (!isTie && !by) {
    if (how) query.orders.push(how.value);
    return how && { value: true, end: how.end };
  }
  const isBare = query.measures.length + query.groups.length + query.columns.length === 0;
  const found = listOf((_source, at) => sortKey(source, at, isTie), nextKey)(
    source,
    by?.end ?? end,
  );
  if (!found) return undefined;
  if (isBare && !query.rank && !query.isGrouped) query.subject ??= 'rows';
  query.orders.push(...found.value);
  return { value: true, end: found.end };
}

const nextKey = list(
  ', and then by|, and then|, then by|, then|and then by|and then|then by|then|and by',
);

function sortKey(source: Source, start: number, isTie: boolean): Match<Order> | undefined {
  let at = start;
  while (/^(?:the|their|its|by|then)$/.test(source.wordAt(at))) at += 1;
  const found = measure(source, at) ?? expression(source, at) ?? dimension(source, at);
  const { kind = '', norm } = source.tokens[at] ?? {};
  if (!found && !/^(?:word|quote)$/.test(kind)) return undefined;
  const end = found?.end ?? at + 1;
  const how = manner(source, source.phraseAt(end, [','])?.end ?? end);
  const direction = how?.value.direction ?? (isTie ? 'asc' : undefined);
  const key = found ? { by: found.value } : { name: norm };
  return { value: { ...key, direction, word: how?.value.word, isTie }, end: how?.end ?? end };
}

/** Reads `slowest first`, `highest total first`, `most flights first`. */
function firstOf(source: Source, start: number): Match<true> | undefined {
  const at = source.skipArticles(start);
  const named = superlative(source, at);
  const top = named && source.phraseAt(named.end, ['first', 'ones first', 'on top']);
  if (named && top) {
    addSuperlative(source.query, named.value);
    return { value: true, end: top.end };
  }
  const word = direction(source, at);
  return word && valueFirst(source, word.end, word.value.direction);
}

/** Adds an order. `newest first` after `by date` sets the direction of that order. */
function addSuperlative({ orders }: Query, { by, direction: way }: Adjective): void {
  const last = orders.at(-1);
  const own = isMeasure(by) ? undefined : by;
  const before = isMeasure(last?.by) ? undefined : last?.by;
  const isTime = own?.column?.isTime && before?.column?.isTime;
  const value = isTime ? before : own;
  if (before && last?.direction === undefined && before.sql === value?.sql) orders.pop();
  orders.push({ by: value, direction: way });
}

function valueFirst(source: Source, at: number, way: 'asc' | 'desc'): Match<true> | undefined {
  const { query, tokens } = source;
  const key = outputNamed(source, at);
  const isRows = nounEnd(source, at) !== undefined;
  const found = key || isRows ? undefined : (measure(source, at) ?? expression(source, at));
  const name = key?.value ?? (found ? undefined : tokens[at]?.norm);
  const end = key?.end ?? found?.end ?? at + 1;
  const isLast = source.phraseAt(end, ['last', 'values last']);
  const top = isLast ?? source.phraseAt(end, ['first', 'values first', 'on top']);
  if (!top || (!found && !key && tokens[at]?.kind !== 'word')) return undefined;
  const opposite = way === 'desc' ? 'asc' : 'desc';
  query.orders.push({ by: found?.value, name, direction: isLast ? opposite : way });
  return { value: true, end: top.end };
}

/** Reads a key of the answer: `highest stock value first`, if the written file has a column `stock_value`. */
function outputNamed({ query, tokens }: Source, at: number): Match<string> | undefined {
  for (const key of keysOf(query)) {
    const words = nameWords(key);
    if (words.every((word, ahead) => tokens[at + ahead]?.stem === word))
      return { value: key, end: at + words.length };
  }
  return undefined;
}

/** Reads an end of the file and a number of rows: `first 3`, `last`, or `5` after a verb such as `show`. */
function endOfFile(source: Source, start: number) {
  const at = source.skipArticles(start);
  const before = number(source, at);
  const ends = before ? ['first', 'last'] : ['first', 'last', 'top', 'head', 'tail'];
  const word = source.phraseAt(before?.end ?? at, ends);
  const after = before ? undefined : number(source, word?.end ?? at);
  const isShown = before && shows.test(source.wordAt(start - 1));
  if (!word && !isShown) return undefined;
  const end = after?.end ?? word?.end ?? before?.end ?? at;
  return { value: { word: word?.value, count: (before ?? after)?.value }, end };
}

/** Rejects `first` or `last` if a time may be meant. */
function isOfTime(source: Source, at: number, word = ''): boolean {
  const time = /^(?:first|last)$/.test(word) ? unsortedTime(source, at) : undefined;
  const other = word === 'last' ? 'latest' : 'earliest';
  const problem = `may mean the order of the file or ${time?.name}. Say "${word} row" or "${other}".`;
  if (time) source.ambiguous(word, problem, { means: [other] });
  return time !== undefined;
}

/** A time by which the file is not sorted, if the question names the rows by a specific noun. */
function unsortedTime({ tokens, table }: Source, at: number): Column | undefined {
  if (rowNouns.has(tokens[at]?.stem ?? '') || table.isLog) return undefined;
  const isSorted = ({ values }: Column) =>
    [...values].every((one, index, all) => index === 0 || (all[index - 1] ?? '') <= one);
  const times = table.columns.filter(({ isTime }) => isTime);
  // The time of the rows themselves, not of what happened to them later.
  const own = times.filter(
    ({ words: [word = ''] }) => /^(?:date|day|time|when)$/.test(word) || isDeed(table, word),
  );
  return (own.length > 0 ? own : times).find((one) => !isSorted(one));
}

/** Reads rows in the order of the file: `first 3 rows`, `last two orders`, `first row`, `show 5 rows`. */
export const slice: Reads<true> = (source, start) => {
  const { query } = source;
  const lead = endOfFile(source, start);
  const all = lead && rows(source, lead.end);
  if (!all) return undefined;
  const { word } = lead.value;
  const isOne = word !== undefined && word !== 'top' && !all.value.isPlural;
  const count = lead.value.count ?? (isOne ? 1 : undefined);
  if (count === undefined || isRanked(source, all.end, word)) return undefined;
  const twoEnds = 'The question asks for the first and the last rows. Ask for one of them.';
  if (query.slice) return source.doubt('NOT_UNDERSTOOD', twoEnds, {});
  if (isOfTime(source, lead.end, word)) return undefined;
  query.where.push(...all.value.where);
  query.slice = { end: word === 'last' || word === 'tail' ? 'last' : 'first', count };
  query.subject ??= 'rows';
  return { value: true, end: all.end };
};

/** Whether a value orders the rows: `top 3 orders by amount`, `first 2 orders with the highest amount`. */
function isRanked(source: Source, at: number, word: string | undefined): boolean {
  const lead = source.phraseAt(at, ['with', 'having', 'that have', 'by', 'which have']);
  if (direction(source, source.skipArticles(lead?.end ?? at))) return true;
  const isOfFile = /^(?:of|in|from)$/.test(source.wordAt(at));
  return word === 'top' && /^(?:by|with)$/.test(source.wordAt(isOfFile ? at + 2 : at));
}
