import type { Token } from '../../../language/lexer.ts';
import { eventNouns, meansRow, rowNouns } from '../../../language/lexicon.ts';
import { levelMeanings, logMeanings, requestNouns } from '../../../language/log-words.ts';
import { hasSingular, nameWords } from '../../../language/words.ts';
import { anyOf, type Condition } from '../../sql/query.ts';
import { nounsOf, type Table } from '../../table/schema.ts';
import { column, isBeforeMost, isParticiple, nameOf } from '../columns/names.ts';
import { stateBefore } from '../columns/states.ts';
import { either, listOf, type Match, type Reads, rule, type Source } from '../grammar.ts';
import { equals } from '../values/equals.ts';

/** The index after a noun for a row of the table: `rows`, `orders` with orders.csv, `requests` with a log. */
export function nounEnd(source: Source, at: number): number | undefined {
  const { tokens, table } = source;
  const [one, two] = [tokens[at], tokens[at + 1]];
  if (one?.kind !== 'word') return undefined;
  // `bugs` of tickets.csv with a type `bug` are not all rows.
  const isValue = (stem: string) =>
    table.columns.some(({ values }) => [...values].some((cell) => hasSingular(cell, stem)));
  // `which item` of sales.csv with several rows of an item
  const isRepeated = (stem: string) =>
    one.norm === stem &&
    table.columns.some((own) => nameOf(own) === stem && own.values.size < table.rows);
  const isRow = (stem = '') =>
    (rowNouns.has(stem) && !isValue(stem) && !isRepeated(stem)) ||
    (table.isLog && requestNouns.has(stem)) ||
    (table.format === 'log' && stem === 'message' && one.norm !== stem) ||
    (stem === 'person' && table.columns.some((own) => nameOf(own) === 'name'));
  const isColumn = table.columns.some(({ words }) => words.includes(one.stem));
  const isOwn = table.nouns.has(one.stem)
    ? !isPlace(source, at)
    : !isColumn && meansRow(one.stem, table.nouns) && !isValue(one.stem);
  const isSame = (stem: string) => rowNouns.has(stem) || stem === 'member' || table.nouns.has(stem);
  const isName = two && ` ${nounsOf(table.sql).join(' ')} `.includes(` ${one.stem} ${two.stem} `);
  if (two?.kind === 'word' && (isName || (isOwn && isSame(two.stem)) || isEvent(table, one, two)))
    return at + 2;
  if (isLogWord(table, one.norm) && isRow(two?.stem)) return at + 2;
  return isOwn || isRow(one.stem) ? at + 1 : undefined;
}

/** Whether a noun is a place in the table: `in the kitchen` of kitchen_tasks.csv, with a room `Kitchen east`. */
function isPlace(source: Source, at: number): boolean {
  const { norm = '', stem = '' } = source.tokens[at] ?? {};
  const isIn = /^(?:in|at|inside) (?:the|our|my|this)$/.test(source.normOf(at - 2, at));
  return isIn && norm === stem && hasCell(source.table, stem);
}

/** Whether a text in the table has a word, or may have it after the first rows. */
export const hasCell = ({ columns, isWhole }: Table, stem: string): boolean =>
  !isWhole ||
  columns.some(({ values }) => [...values].some((cell) => nameWords(cell).includes(stem)));

/** `log` of `log entries`. */
const isLogWord = ({ isLog, format }: Table, word: string): boolean =>
  isLog ? /^(?:log|api|http|web|access)$/.test(word) : format === 'log' && word === 'log';

/** Whether two words mean events in a table without names: `vet visits`, with vet.json. */
const isEvent = ({ columns, nouns, path }: Table, of: Token, { stem }: Token): boolean =>
  eventNouns.has(stem) &&
  (nouns.has(of.stem) || nounsOf(path).includes(of.stem)) &&
  columns.some((own) => own.isTime && /^(?:date|time|day|timestamp|when|at)$/.test(nameOf(own))) &&
  columns.every((own) => !/^(?:name|title)$/.test(nameOf(own)) && !own.words.includes(stem));

/** A condition that interprets a word, which `meaning` reports. */
export const meant = (sql: string, said: string, end: number): Match<Condition> => ({
  ...{ value: { sql, words: sql, meaning: `${said} = ${sql}` }, end },
});

/** Reads a word with a meaning in a log: `errors`, `failed`, `5xx`, `404s`. */
export const logMeaning: Reads<Condition> = (source, at) => {
  const { tokens, table } = source;
  const { stem = '' } = tokens[at] ?? {};
  const level = table.format === 'log' ? levelMeanings.get(stem) : undefined;
  if (level !== undefined) return meant(level, stem, at + 1);
  const status = statusOf(source);
  if (status === undefined) return undefined;
  if (!table.isLog && requestNouns.has(stem)) return meant(`${status} IS NOT NULL`, stem, at + 1);
  const [said] = [`${stem} ${tokens[at + 1]?.stem}`, stem].filter((one) => logMeanings.has(one));
  const sql = logMeanings.get(said ?? '')?.replace('status', status);
  return said && sql
    ? meant(sql, said, at + said.split(' ').length)
    : statusClass(source, at, status);
};

/** The column of status codes, if the rows are requests, or if a question about a program log is about requests. */
function statusOf({ tokens, table: { columns, format, isLog } }: Source): string | undefined {
  const own = columns.find((one) => /^status(?: code)?$/.test(nameOf(one)))?.sql;
  const isOfRequests = format === 'log' && tokens.some(({ stem }) => requestNouns.has(stem));
  return isLog ? (own ?? 'status') : isOfRequests ? own : undefined;
}

/** Reads a class of status codes: `5xx`. */
function statusClass({ tokens }: Source, at: number, status: string): Match<Condition> | undefined {
  const [, first] = /^([1-5])xx$/.exec(tokens[at]?.stem ?? '') ?? [];
  const isNamed = /^(?:response|error|status|code|request)$/.test(tokens[at + 1]?.stem ?? '');
  const sql = `${status} BETWEEN ${first}00 AND ${first}99`;
  const value = { sql, words: `${status} is ${first}00 to ${first}99` };
  return first === undefined ? undefined : { value, end: at + (isNamed ? 2 : 1) };
}

/** Reads a number in a log as a status code: `404`. */
export const statusCode: Reads<Condition> = ({ tokens, table }, at) => {
  const { kind, text = '' } = tokens[at] ?? {};
  if (!table.isLog || kind !== 'number' || !/^[1-5]\d\d$/.test(text)) return undefined;
  const isNamed = /^(?:errors?|responses?|s)$/.test(tokens[at + 1]?.norm ?? '');
  const value = { sql: `status = ${text}`, words: `status is ${text}` };
  return { value, end: at + (isNamed ? 2 : 1) };
};

/** Words for rows, possibly with a condition: `orders`, `paid orders`, `POST requests`, `errors and warnings`. */
export interface Rows {
  readonly where: readonly Condition[];
  /** As written. */
  readonly text: string;
  readonly stem: string;
  readonly isPlural: boolean;
  /** Whether it is a noun, not just a word with a meaning such as `errors`. */
  readonly isNoun: boolean;
}

/** Whether a noun is a plural. `404s` is two tokens. */
const isPluralNoun = (last: Token | undefined): boolean =>
  last !== undefined && (last.norm !== last.stem || last.norm === 's');

/** Reads words for rows. */
export const rows: Reads<Rows> = (source, at) => {
  const before = adjectives(source, at);
  const meaning = kindOfRows(source, before.end);
  const nounAt = meaning?.end ?? before.end;
  const end = nounEnd(source, nounAt);
  if (end === undefined && !meaning) return undefined;
  if (end !== undefined && isOfColumn(source, end)) return undefined;
  const last = source.tokens[(end ?? nounAt) - 1];
  const isPlural = isPluralNoun(last);
  const one = end !== undefined && !isPlural ? numbered(source, end) : undefined;
  const where = [...before.value, ...[meaning, one].flatMap((found) => found?.value ?? [])];
  const said = { text: source.textOf(at, end ?? nounAt), stem: last?.stem ?? '' };
  const isNoun = end !== undefined;
  return { value: { where, ...said, isPlural, isNoun }, end: one?.end ?? end ?? nounAt };
};

/** Reads the id of a row, if the first column has unique values: `12` in `booking 12`, `booking no 12`. */
function numbered(source: Source, start: number): Match<Condition> | undefined {
  const { tokens, table } = source;
  const at = /^(?:no|nr|number|id|#)$/.test(source.wordAt(start)) ? start + 1 : start;
  const [key] = table.columns;
  const { kind, text = '' } = tokens[at] ?? {};
  return kind === 'number' && key?.values.size === table.rows && key.values.has(text)
    ? { value: equals(key, text), end: at + 1 }
    : undefined;
}

/** Whether a noun belongs to the name of a column, and does not mean rows: `repair costs`, `order id`. */
function isOfColumn(source: Source, end: number): boolean {
  if ((column(source, end - 1)?.end ?? 0) > end) return true;
  const noun = source.tokens[end - 1];
  // `which concert sold the most tickets`
  if (isParticiple(source.wordAt(end)) || isBeforeMost(source, end)) return false;
  const own = noun?.norm === noun?.stem ? column(source, end)?.value.column : undefined;
  return own?.isNumber === true && !own.isLink && nounEnd(source, end) === undefined;
}

/** Reads kinds of rows in a log: `errors`, `404`, `errors and warnings`. */
function kindOfRows(source: Source, at: number): Match<Condition> | undefined {
  const found = kindsOfRows(source, at);
  return found && { value: anyOf(found.value), end: found.end };
}

const kindsOfRows = listOf(either(logMeaning, statusCode), ['and', 'or']);

/** Reads values before the noun for a row: `POST requests`, `paid orders`. */
export function adjectives(source: Source, start: number): Match<readonly Condition[]> {
  const found: Condition[] = [];
  let at = start;
  for (;;) {
    const next = adjective(source, at);
    const isBefore =
      next && (nounEnd(source, next.end) !== undefined || adjective(source, next.end));
    if (!next || !isBefore) return { value: found, end: at };
    found.push(next.value);
    at = next.end;
  }
}

const adjective: Reads<Condition> = either(
  logMeaning,
  stateBefore,
  rule('{timeBefore}', ({ timeBefore }) => timeBefore),
  rule('{numbered}', ({ numbered: found }) => found),
  // `high priority tasks`
  rule('{value} {column}', ({ value, column: { column: own }, end }, source) =>
    own === value.column && nounEnd(source, end) !== undefined ? value : undefined,
  ),
  rule('{value}', ({ value }) => value),
);
