import { normalize } from 'node:path';
import type { Token } from '../../language/lexer.ts';
import { numberWords, ordinals } from '../../language/lexicon.ts';
import { larger, smaller, superlatives } from '../read/words.ts';
import type { Direction } from '../sql/query.ts';
import { filesIn } from '../table/place.ts';
import type { Asked, Check } from './asked.ts';

/** Words of order for one direction. */
const ordering = (way: Direction, others: string) =>
  new Set([
    ...others.split('|'),
    ...superlatives.filter(({ direction }) => direction === way).flatMap(({ words }) => words),
  ]);

export const down = ordering('desc', `${larger}|worst|descending|desc`);
export const up = ordering('asc', `${smaller}|best|ascending|asc`);

/** Names the numbers, files, superlatives and words of order that a statement does not use. */
export const unusedWords: Check = (asked) => {
  const { tokens } = asked;
  const unused = tokens.filter(
    (token, at) =>
      !isOfDeed(tokens, at) &&
      !isUnit(tokens[at - 1], token) &&
      !isUsed(token, tokens[at + 1], asked),
  );
  const words = unused.map(({ text }) => `"${text}"`).join(', ');
  return words === ''
    ? undefined
    : `The answer would be the same without ${words}, so the question was not understood. Leave it out, or use the names of columns.`;
};

/** Whether `write` is a verb of the rows, and does not ask for a file: `how many letters did each customer write`. */
const isOfDeed = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.norm === 'write' &&
  /^(?:did|does|do)$/.test(
    tokens.slice(0, at).findLast(({ norm }) => /^(?:did|does|do|and|then)$/.test(norm))?.norm ?? '',
  );

/** Whether `second` is a unit of time, not a position: `1 second`. */
const isUnit = (before: Token | undefined, { norm }: Token): boolean =>
  before?.kind === 'number' && norm === 'second';

/** Words, with what the statement must contain for them. */
const marks: readonly (readonly [word: RegExp, statement: RegExp])[] = [
  [/^(?:first|last)$/, /ORDER BY|LIMIT|'now'|'-Q'|max\(|min\(/],
  // A figure for each, or a list of rows
  [/^each$/, /GROUP BY|PARTITION BY|^(?!.*\b(?:count|sum|avg|median)\()/],
  [/^(?:sorted|ordered|sort)$/, /ORDER BY|EXISTS/],
  [/^(?:filter|narrow|restrict)$/, /WHERE/],
  [/^median$/, /median|percentile/],
  [/^(?:average|mean)$/, /avg\(/],
  [/^sum$/, /sum\(/],
];

/** Nouns for data, which are ignored unless a key has this name. */
export const containers =
  /^(?:database|db|server|web|log|file|data|table|content|report|value|result)$/;

function isUsed(token: Token, next: Token | undefined, asked: Asked): boolean {
  const { table, sql, file = '' } = asked;
  // `the port of the database`, with a key `database`
  const named = containers.test(token.norm)
    ? table.columns.filter(
        ({ words: [of, ...more], isPart }) => of === token.stem && (isPart || more.length === 0),
      )
    : [];
  if (named.length > 0)
    return sql.startsWith('SELECT *') || named.some((own) => sql.includes(own.sql));
  const stem = token.stem.replace(/^(m(?:in|ax))imum$/, '$1');
  if (table.columns.some(({ words }) => words.includes(token.stem) || words.includes(stem)))
    return true;
  // `at the peak`, with a station `peak`
  if (token.kind === 'word' && sql.toLowerCase().includes(`'${token.norm}'`)) return true;
  switch (token.kind) {
    case 'file':
      return [file, ...filesIn(table, sql)].map(normalize).includes(normalize(token.text));
    case 'date':
      return sql.includes(token.norm);
    case 'number':
      return isNumeralUsed(token, asked);
    case 'word':
      return isWordUsed(token.norm, next?.norm ?? '', asked);
    default:
      return true;
  }
}

function isNumeralUsed({ text, value = 0 }: Token, asked: Asked): boolean {
  const { sql } = asked;
  if (!/(?:st|nd|rd|th)$/i.test(text)) return isNumberUsed(value, asked);
  const day = `-${String(value).padStart(2, '0')}'`;
  return /percentile/.test(sql) || sql.includes(`OFFSET ${value - 1}`) || sql.includes(day);
}

/** Factors between units: `0.3 s` is compared as 300 ms, 20 kg as 44.1 lb. */
const scales =
  '1|7|24|60|100|1000|1024|1440|3600|60000|1e6|1048576|3.6e6|1e9|0.45359237|453.59237|1.609344'
    .split('|')
    .map(Number);

/** Whether a statement uses a number, possibly in another unit. */
function isNumberUsed(value: number, { decimals, sql }: Asked): boolean {
  if (decimals === value) return true;
  // `3 pm`, `the last 2 weeks`
  if (sql.includes(`'${value + 12}:`) || sql.includes(`'-${7 * value} days'`)) return true;
  const numbers = (sql.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  return numbers.some((one) =>
    scales.some((scale) => isNear(one, value * scale) || isNear(one * scale, value)),
  );
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));

function isWordUsed(word: string, next: string, asked: Asked): boolean {
  const { sql } = asked;
  const value = numberWords.get(word);
  if (value !== undefined) return value < 2 || isNumberUsed(value, asked);
  if (ordinals.has(word)) return /OFFSET|'-Q'/.test(sql);
  if (/^(?:save|write|export|store)$/.test(word)) return asked.file !== undefined;
  if (down.has(word) && up.has(word)) return /ORDER BY|max\(|min\(/.test(sql);
  const isPart = [down, up].some((words) => words.has(`${word} ${next}`));
  if (down.has(word) && !isPart)
    return / DESC\b|max\(|percentile|>=|ORDER BY rowid|'now'/.test(sql);
  if (up.has(word) && !isPart) return /ORDER BY|min\(|<=|>=/.test(sql);
  return marks.every(([pattern, statement]) => !pattern.test(word) || statement.test(sql));
}
