import { roleWords } from '../tables/roles.ts';
import type { Column } from '../tables/table.ts';
import { ambiguous } from './failures.ts';
import { nameParts } from './name-parts.ts';
import { attempt, eat, type Parser, peek } from './parser.ts';

/** Words for money that was taken, and the column names that they may mean. */
const moneyWords = ['revenue', 'turnover', 'sale', 'sales'];
const moneyColumns = [
  'total',
  'amount',
  'revenue',
  'sale',
  'turnover',
  'total amount',
  'total price',
];

/** Longest name of a column in words. */
const MAX_WORDS = 8;

/**
 * The column named here, by its name in any spelling, by a word that logs use, or by the last words of its name where that
 * fits one column only.
 *
 * @throws TaskError `AMBIGUOUS` where several columns fit equally.
 */
export function parseColumn(parser: Parser): Column | undefined {
  return attempt(parser, (inner) => {
    const label = eat(inner, 'column', 'columns', 'field', 'the column');
    const found = matchColumn(inner);
    if (!found) return undefined;
    if (label === undefined) eatLabel(inner, found);
    return found;
  });
}

/** "the Price column", "country name": a label that adds nothing. */
function eatLabel(parser: Parser, column: Column): void {
  const isName = column.type === 'text' && eat(parser, 'name', 'names', 'value', 'values');
  if (!isName) eat(parser, 'column', 'columns', 'field', 'fields');
}

function matchColumn(parser: Parser): Column | undefined {
  const written = matchWritten(parser);
  if (written) return written;
  const words = wordsAhead(parser);
  for (let length = words.length; length > 0; length -= 1) {
    const phrase = words.slice(0, length).flat().join(' ');
    const column = columnOfPhrase(parser, phrase, rawText(parser, length));
    if (column) {
      parser.at += length;
      return column;
    }
  }
  return undefined;
}

/** A name with marks in it, letter by letter: `Cost Total $`, `temp (C)`. */
function matchWritten(parser: Parser): Column | undefined {
  const start = peek(parser)?.start;
  if (start === undefined) return undefined;
  const found = parser.table.columns.filter(({ name }) => {
    const hasMarks = /[^\p{L}\p{N}_\s.'-]/u.test(name);
    const end = start + name.length;
    const text = parser.text.slice(start, end).toLowerCase();
    return (
      hasMarks && text === name.toLowerCase() && parser.tokens.some((token) => token.end === end)
    );
  });
  const longest = found.toSorted((a, b) => b.name.length - a.name.length)[0];
  if (!longest) return undefined;
  while ((peek(parser)?.end ?? Number.POSITIVE_INFINITY) <= start + longest.name.length)
    parser.at += 1;
  return longest;
}

const rawText = (parser: Parser, length: number): string =>
  parser.text.slice(peek(parser)?.start ?? 0, peek(parser, length - 1)?.end ?? 0);

function wordsAhead(parser: Parser): string[][] {
  const words: string[][] = [];
  for (let ahead = 0; ahead < MAX_WORDS; ahead += 1) {
    const token = peek(parser, ahead);
    if (!token || !['word', 'number', 'quoted'].includes(token.kind)) break;
    if (ahead === 0 && token.kind === 'number') break;
    words.push(nameParts(token.text));
  }
  return words;
}

function columnOfPhrase(parser: Parser, phrase: string, raw: string): Column | undefined {
  const { columns, isLog } = parser.table;
  const asWritten = columns.filter(({ name }) => name === raw);
  if (asWritten.length === 1) return asWritten[0];
  const byName = columns.filter(({ name }) => nameParts(name).join(' ') === phrase);
  if (byName.length > 0) return only(byName, raw);
  const byRole = isLog
    ? columns.filter(({ role }) => role !== undefined && roleWords[role].includes(phrase))
    : [];
  if (byRole.length > 0) return only(preferNamed(byRole), raw);
  return columnOfMoney(parser, phrase, raw) ?? columnOfLastWords(columns, phrase, raw);
}

/** A log may hold `path` and the `endpoint` derived from it; roles are told apart, so only true doubles are left. */
const preferNamed = (columns: readonly Column[]): readonly Column[] =>
  columns.length > 1 &&
  columns.every(({ role }) => role === columns[0]?.role) &&
  columns.some(({ name, role }) => name === role)
    ? columns.filter(({ name, role }) => name === role)
    : columns;

function columnOfMoney(parser: Parser, phrase: string, raw: string): Column | undefined {
  if (!moneyWords.includes(phrase)) return undefined;
  const found = parser.table.columns.filter(
    ({ name, type }) =>
      type === 'number' &&
      moneyColumns.includes(nameParts(name.split('.').at(-1) ?? name).join(' ')),
  );
  if (found.length === 0) return undefined;
  const column = only(found, raw);
  parser.meanings.add(`${raw} = ${column.name}`);
  return column;
}

/** Words too general to stand for a longer name. */
const general = new Set([
  'name',
  'id',
  'date',
  'time',
  'number',
  'total',
  'count',
  'value',
  'type',
  'key',
  'of',
  'in',
  'first',
  'last',
  'line',
  'row',
  'code',
  'max',
  'min',
]);

function columnOfLastWords(
  columns: readonly Column[],
  phrase: string,
  raw: string,
): Column | undefined {
  if (phrase === '' || general.has(phrase)) return undefined;
  const ids = columns.filter(
    ({ name, table }) => table === undefined && nameParts(name).join(' ') === `${phrase} id`,
  );
  const byEnd = columns.filter(({ name }) => nameParts(name).join(' ').endsWith(` ${phrase}`));
  const found = byEnd.length > 0 ? byEnd : ids;
  return found.length === 0 ? undefined : only(found, raw);
}

function only(columns: readonly Column[], raw: string): Column {
  const [first, ...others] = columns;
  if (first && others.length === 0) return first;
  throw ambiguous(
    `"${raw}" may mean ${columns.map(({ name }) => `"${name}"`).join(' or ')}. Use the full name of the column.`,
  );
}
