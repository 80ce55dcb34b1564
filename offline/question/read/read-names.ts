import { deeds, rowNouns, synonyms, timeParts } from '../../language/lexicon.ts';
import { levelMeanings, logMeanings, requestNouns } from '../../language/log-words.ts';
import { TaskError } from '../../task-error.ts';
import type { Condition, Expression } from '../sql/query.ts';
import type { Column, Table } from '../table/schema.ts';
import { eat, peek, type Reader, skip, wordsAhead } from './reader.ts';

/** Longest name of a column or value in tokens. */
export const MAX_TOKENS = 7;

/** Words that are too general for the longer name of a column. */
const general = new Set(
  'name id date time number total count value type key first last line row code max min'.split(' '),
);

/** The column that is named here: by its name in any spelling, by the end of its name, or by a synonym. */
export function eatColumn(reader: Reader): Column | undefined {
  const label = eat(reader, ['column', 'columns', 'field', 'fields']);
  const found = matchColumn(reader);
  if (!found) {
    if (label !== undefined) reader.at -= 1;
    return undefined;
  }
  reader.at += found.length;
  const isName =
    !['name', 'id'].includes(found.column.words.at(-1) ?? '') && !found.column.isNumber;
  eat(reader, [
    'column',
    'columns',
    'field',
    'fields',
    'value',
    'values',
    ...(isName && isOnlyName(reader) ? ['name', 'names'] : []),
    ...(found.column.isTime ? ['date', 'time'] : []),
  ]);
  return found.column;
}

/** `country names` means the country; if the table has a column of names, only at the end. */
function isOnlyName(reader: Reader): boolean {
  if (!reader.table.columns.some((column) => nameOf(column) === 'name')) return true;
  const next = peek(reader, 1);
  return next === undefined || ['mark', 'file'].includes(next.kind);
}

interface Match {
  readonly column: Column;
  readonly length: number;
}

function matchColumn(reader: Reader): Match | undefined {
  const marked = matchWritten(reader);
  if (marked) return marked;
  const words = wordsAhead(reader, MAX_TOKENS);
  for (let length = words.length; length > 0; length -= 1) {
    const phrase = words.slice(0, length).flat().join(' ');
    const column = columnOf(reader, phrase, peek(reader)?.text ?? '');
    if (column) return { column, length };
  }
  return undefined;
}

/** A name with punctuation, such as `Cost ($)`, letter by letter. */
function matchWritten(reader: Reader): Match | undefined {
  for (const column of reader.table.columns) {
    if (!/[^\p{L}\p{N}_\s]/u.test(column.name)) continue;
    const goal = column.name.toLowerCase().replace(/\s/g, '');
    let text = '';
    for (let ahead = 0; text.length < goal.length && ahead < 12; ahead += 1) {
      const token = peek(reader, ahead);
      if (!token) break;
      text += token.norm.replace(/\s/g, '');
      if (text === goal) return { column, length: ahead + 1 };
    }
  }
  return undefined;
}

/** The first match of a column: its name, a synonym, the end of its name, its name before a unit or `id`. */
function columnOf(reader: Reader, phrase: string, said: string): Column | undefined {
  const { columns, nouns } = reader.table;
  if (phrase === '') return undefined;
  const spelled = columns.find(({ name }) => name === said && phrase === said.toLowerCase());
  if (spelled) return spelled;
  const named = columns.filter((column) => nameOf(column) === phrase);
  if (named.length > 0) return only(named, phrase);
  if (nouns.has(phrase)) return undefined;
  if (phrase === 'id')
    return columns.find(({ words: [of, id] }) => id === 'id' && nouns.has(of ?? ''));
  return columnOfSynonym(reader, phrase) ?? columnOfPart(columns, phrase);
}

const nameOf = ({ words }: Column) => words.join(' ');

function columnOfSynonym({ table, query }: Reader, phrase: string): Column | undefined {
  const names = synonyms.flatMap(([words, others]) => (words.includes(phrase) ? others : []));
  const found = names.flatMap((name) =>
    table.columns.filter((column) => nameOf(column) === name),
  )[0];
  if (found) query.meanings.add(`${phrase} = ${found.name}`);
  return found;
}

const unitWords = /^(?:ms|m|s|sec|usd|eur|kg|km|c|f|pct|percent)$/;

function columnOfPart(columns: readonly Column[], phrase: string): Column | undefined {
  if (general.has(phrase)) return undefined;
  const starts = (column: Column, rest: RegExp) =>
    nameOf(column).startsWith(`${phrase} `) && rest.test(nameOf(column).slice(phrase.length + 1));
  const ways = [
    columns.filter((column) => nameOf(column).endsWith(` ${phrase}`)),
    columns.filter((column) => starts(column, unitWords)),
    columns.filter((column) => starts(column, /^id$/)),
  ];
  const found = ways.find(({ length }) => length > 0) ?? timesLike(columns, phrase);
  return found && only(found, phrase);
}

/** `hire date` is `hired`. */
function timesLike(columns: readonly Column[], phrase: string): readonly Column[] | undefined {
  const [, said] = /^(\w{3,}) (?:date|day|time)$/.exec(phrase) ?? [];
  if (said === undefined) return undefined;
  const found = columns.filter((column) => column.isTime && nameOf(column).startsWith(said));
  return found.length > 0 ? found : undefined;
}

function only(columns: readonly Column[], said: string): Column {
  const [first, ...others] = columns;
  if (first && others.length === 0) return first;
  const names = columns.map(({ name }) => `"${name}"`).join(' or ');
  throw new TaskError('AMBIGUOUS', `"${said}" may mean ${names}: use the full name of the column.`);
}

/** A column, or a part of the table's time such as `month`. */
export function eatDimension(reader: Reader): Expression | undefined {
  skip(reader);
  const start = reader.at;
  const isPart = eatTimePart({ ...reader }) !== undefined;
  const column = eatColumn(reader);
  if (column && !(isPart && column.isTime && column.words.join(' ') !== 'date'))
    return { sql: column.sql, words: column.name, column };
  reader.at = start;
  const part = eatTimePart(reader);
  if (part === undefined) return undefined;
  const { name, sqlOf } = part;
  const time =
    ofColumn(reader) ??
    (reader.table.columns.some(({ isTime }) => isTime) ? timeColumn(reader, name) : undefined);
  return time && { sql: sqlOf(time.sql), words: name, part: name, column: time };
}

/** `month`, `hour of the day` */
function eatTimePart(reader: Reader) {
  const token = peek(reader);
  if (token?.kind !== 'word' || !timeParts.has(token.stem)) return undefined;
  reader.at += 1;
  const isOfDay = token.stem === 'hour' && eat(reader, ['of the day', 'of day', 'of a day']);
  const name = isOfDay ? 'hour of the day' : token.stem;
  const sqlOf = timeParts.get(name);
  return sqlOf && { name, sqlOf };
}

/** `month of order_date` */
function ofColumn(reader: Reader): Column | undefined {
  const start = reader.at;
  if (eat(reader, ['of the', 'of', 'from the', 'in'])) {
    const column = eatColumn(reader);
    if (column?.isTime) return column;
  }
  reader.at = start;
  return undefined;
}

/** The one column of time. @throws TaskError `NOT_FOUND` or `AMBIGUOUS`. */
export function timeColumn(reader: Reader, said: string): Column {
  const { table } = reader;
  const times = table.columns.filter(({ isTime }) => isTime);
  if (times[0] === undefined) {
    throw new TaskError(
      'NOT_FOUND',
      `"${said}" needs a column of dates (YYYY-MM-DD), and ${table.path} has none.`,
    );
  }
  const [found, ...others] = ofRows(reader, times) ?? times;
  if (found && others.length === 0) return found;
  const names = times.map(({ name }) => `"${name}"`).join(' or ');
  const sayings = times.map(({ name }) => `"${withTime(said, name)}"`).join(' or ');
  throw new TaskError('AMBIGUOUS', `"${said}" may go by ${names}: say ${sayings}.`);
}

/** The words for a time with the name of a column. */
function withTime(said: string, column: string): string {
  if (timeParts.has(said)) return `${said} of ${column}`;
  if (/^(?:latest|newest|most recent)/.test(said)) return `sorted by ${column} descending`;
  if (/^(?:earliest|oldest)/.test(said)) return `sorted by ${column} ascending`;
  return `${column} in ${said}`;
}

/** The column for the time that a row records: `borrowed` of loans that also have `returned`. */
function ofRows({ table, query }: Reader, times: readonly Column[]): readonly Column[] | undefined {
  const found = times.filter(({ words: [word = ''] }) => isDeed(table, word));
  const [first] = found;
  if (first === undefined || found.length > 1 || times.length === 1) return undefined;
  query.meanings.add(`time = ${first.name}`);
  return found;
}

/** Whether a verb is about what the rows of this table record: `requested` for a log, `borrowed` for loans. */
export function isDeed({ nouns, columns, isLog }: Table, verb: string): boolean {
  if (isLog && !columns.some(({ words }) => words.includes(verb))) return true;
  return [...nouns].some(
    (noun) =>
      (noun.length > 2 && verb.startsWith(noun.replace(/e$/, ''))) ||
      deeds.some(([one, verbs]) => one === noun && verbs.includes(verb)),
  );
}

/** A word for a row of this table: `rows`, `orders` in orders.csv, `requests` in a log. */
export function eatRowNoun(reader: Reader): boolean {
  const { table } = reader;
  const [one, two] = [peek(reader), peek(reader, 1)];
  if (one?.kind !== 'word') return false;
  if (
    table.isLog &&
    ['log', 'api', 'http', 'web', 'access'].includes(one.norm) &&
    two &&
    (requestNouns.has(two.stem) || rowNouns.has(two.stem))
  ) {
    reader.at += 2;
    return true;
  }
  if (two?.kind === 'word' && table.nouns.has(one.stem) && rowNouns.has(two.stem)) {
    reader.at += 2;
    return true;
  }
  const isNoun =
    table.nouns.has(one.stem) ||
    rowNouns.has(one.stem) ||
    (table.isLog && requestNouns.has(one.stem));
  if (isNoun) reader.at += 1;
  return isNoun;
}

/** A word with a meaning in a log: `errors`, `failed`, `5xx`, `404s`. */
export function eatLogMeaning(reader: Reader): Condition | undefined {
  const { table, query } = reader;
  if (table.format === 'log') return eatLevel(reader);
  if (!table.isLog) return undefined;
  const [one, two] = [peek(reader), peek(reader, 1)];
  const status =
    table.columns.find(({ words }) => /^status(?: code)?$/.test(words.join(' ')))?.sql ?? 'status';
  const code = /^([1-5])xx$/.exec(one?.stem ?? '') ?? undefined;
  if (code) {
    reader.at += 1;
    const first = Number(code[1]) * 100;
    eat(reader, [
      'responses',
      'errors',
      'response',
      'error',
      'status',
      'codes',
      'requests',
      'statuses',
      'status codes',
    ]);
    return {
      sql: `${status} BETWEEN ${first} AND ${first + 99}`,
      words: `status is ${first} to ${first + 99}`,
    };
  }
  for (const length of [2, 1]) {
    const phrase = length === 2 ? `${one?.stem} ${two?.stem}` : (one?.stem ?? '');
    const sql = logMeanings.get(phrase)?.replace('status', status);
    if (sql === undefined) continue;
    reader.at += length;
    query.meanings.add(`${phrase} = ${sql}`);
    return { sql, words: sql };
  }
  return undefined;
}

function eatLevel(reader: Reader): Condition | undefined {
  const stem = peek(reader)?.stem ?? '';
  const sql = levelMeanings.get(stem);
  if (sql === undefined) return undefined;
  reader.at += 1;
  reader.query.meanings.add(`${stem} = ${sql}`);
  return { sql, words: sql };
}

/** `order status` is a column where `order` is a row. */
export function isLongName(reader: Reader): boolean {
  const inner = { ...reader };
  return eatColumn(inner) !== undefined && inner.at - reader.at > 1;
}
