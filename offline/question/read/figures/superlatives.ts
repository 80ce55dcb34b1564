import {
  columnValue,
  type Direction,
  isMeasure,
  type Measure,
  type Value,
} from '../../sql/query.ts';
import { type Column, isAmount, type Table } from '../../table/schema.ts';
import { column } from '../columns/names.ts';
import { isDeed } from '../columns/verbs-of-rows.ts';
import type { Match, Reads, Source } from '../grammar.ts';
import { spanIn } from '../times/spans.ts';
import { ages, isOfYears, timeColumn } from '../times/time-columns.ts';
import { larger, type Superlative, smaller, superlatives } from '../words.ts';
import { rowCount } from './counts.ts';
import { isMoneyNoun, moneyOf, numbersOf } from './money.ts';

/** An adjective and the value that it ranks by. Undefined if the value follows or is missing. */
export interface Adjective {
  readonly word: string;
  readonly direction: Direction;
  readonly by: Value | Measure | undefined;
}

/** Columns of which less is better. */
export const lowIsBest =
  /rank|place|position|downtime|latency|error|failure|delay|cost|price|duration|\blate\b|absence|penalt|\bfine|loss|rmse|mae|mse|perplexity/i;

/** The direction of `best` and `worst`: the best rank is the lowest one. */
export function wayOf(word: string, order: Direction, by: Value | Measure | undefined): Direction {
  const own = (isMeasure(by) ? by.of : by)?.column;
  const isFlipped =
    /^(?:best|worst)$/.test(word) && (own?.unit ?? own?.words.some((one) => lowIsBest.test(one)));
  return isFlipped ? (order === 'desc' ? 'asc' : 'desc') : order;
}

/** Reads an adjective that is only a direction: `highest`, `top`. */
export const direction: Reads<Adjective> = (source, at) => {
  const down = source.phraseAt(at, larger.split('|'));
  const up = source.phraseAt(at, smaller.split('|'));
  const found = down ?? up;
  if (!found || isOfName(source, at)) return undefined;
  const value = { word: found.value, direction: down ? 'desc' : 'asc', by: undefined } as const;
  return { value, end: found.end };
};

/** Whether an adjective belongs to the name of a column: `last service`, with a column `last_service`. */
export const isOfName = ({ tokens, table }: Source, at: number): boolean =>
  table.columns.some(
    ({ words }) =>
      words.length > 1 &&
      words.every((word, i) => word === tokens[at + i]?.norm || word === tokens[at + i]?.stem),
  );

/** Reads an adjective that implies its value: `slowest`, `most requested`, `best rated`. */
export const superlative: Reads<Adjective> = (source, at) => {
  const said = superlatives.flatMap((one) => {
    const found = isOfName(source, at) ? undefined : source.phraseAt(at, one.words);
    return found ? [{ ...one, word: found.value, end: found.end }] : [];
  });
  for (const one of said) {
    const { word, direction: order, end } = one;
    const value = superlativeValue(source, one, word);
    if (value) return { value: { word, direction: order, by: value }, end };
  }
  const missing = said.find(({ by }) => by !== 'count');
  return missing && !direction(source, at) ? noColumn(source, missing) : participle(source, at);
};

function noColumn(source: Source, { word, by }: Pick<Superlative, 'by'> & { word: string }) {
  const { table } = source;
  const goal = by === 'time' ? 'dates' : by.includes('duration') ? 'durations' : by.slice(0, 3);
  const names = table.columns.map(({ name }) => name).join(', ');
  const message = `"${word}" needs a column of ${[goal].flat().join(', ')}, which ${table.path} does not have. Its columns: ${names}.`;
  return source.doubt('NOT_FOUND', message, { said: word });
}

function superlativeValue(
  source: Source,
  { by, direction: order }: Superlative,
  word: string,
): Value | Measure | undefined {
  if (by === 'count') return oftenest(source.table, word);
  const found = by === 'time' ? timesOf(source, word) : numbersOf(source.table, by, order);
  const [only] = found;
  const isOfMoney =
    found.length === 0 && by.includes('price') && [...source.table.nouns].some(isMoneyNoun);
  if (isOfMoney) return moneyOf(source.table, word);
  const meant = by.includes('price') ? pricesOf(source.table, found) : found;
  const time = found.length === 0 && by.includes('duration') ? spanIn(source) : undefined;
  // A race may be the longest by its distance.
  const span = time?.column?.unit ? undefined : time;
  return meant.length < 2 ? (span ?? (only && columnValue(only))) : oneOf(source, word, meant);
}

/** The column that `by` names, of several. */
function oneOf(source: Source, word: string, meant: readonly Column[]): Value | undefined {
  // `the most expensive flat by rent`
  const lead = source.tokens.findIndex(({ norm }) => norm === 'by');
  const said = lead < 0 ? undefined : column(source.with({ doubts: [] }), lead + 1)?.value;
  if (said && meant.some(({ sql }) => sql === said.sql)) return said;
  const names = meant.map(({ name }) => `"${name}"`).join(' or ');
  const by = meant.map(({ name }) => name);
  return source.ambiguous(word, `may mean ${names}. Name the column.`, { by });
}

/** The columns that may be a price. A fee beside a rent is not the only one. */
function pricesOf({ columns }: Table, found: readonly Column[]): readonly Column[] {
  const [only] = found;
  const isPrice = found.length !== 1 || only?.words.some((one) => /^(?:price|cost)$/.test(one));
  const all = isPrice || !only ? [] : columns.filter((one) => isOfSameMoney(one, only));
  return all.length > 1 ? all : found;
}

/** Whether two columns are amounts in the same currency, or one has a noun for money in its name. */
const isOfSameMoney = (own: Column, { words }: Column): boolean =>
  isAmount(own) &&
  (own.words.some(isMoneyNoun) ||
    own.words.some((one) => /^(?:rent|rate|fee|fare)$/.test(one)) ||
    (/^(?:eur|usd|gbp|chf)$/.test(own.words.at(-1) ?? '') && own.words.at(-1) === words.at(-1)));

/** The number of rows, if they record the verb: `most requested`, with a log. */
function oftenest(table: Table, word: string): Measure | undefined {
  const verb = /\b(?:\w+ed|sold)$/.exec(word)?.[0];
  const isRecorded = verb === undefined || isDeed(table, verb);
  return isRecorded ? rowCount(table.isLog ? 'requests' : 'rows') : undefined;
}

/** An age is also told by a year, and not by a time to come: `next_inspection`. */
function timesOf(source: Source, word: string): readonly Column[] {
  const { columns } = source.table;
  const isAge = ages.test(word);
  const years = isAge ? columns.filter(isOfYears) : [];
  const time = columns.some(({ isTime }) => isTime) ? timeColumn(source, word) : undefined;
  const isToCome =
    isAge && /^(?:next|due|deadline|until|valid|expir|renew)/.test(time?.words[0] ?? '');
  return [...years, ...(time && !isToCome && !years.includes(time) ? [time] : [])];
}

/** Reads a direction with a participle: `best rated`, `highest paid`. */
function participle(source: Source, at: number): Match<Adjective> | undefined {
  const found = direction(source, at);
  const verb = found && source.tokens[found.end];
  if (!found || verb?.kind !== 'word' || !/ed$|^paid$/.test(verb.norm)) return undefined;
  const by =
    verb.norm === 'paid' ? moneyOf(source.table, 'earn') : column(source, found.end)?.value;
  return by?.column?.isNumber ? { value: { ...found.value, by }, end: found.end + 1 } : undefined;
}
