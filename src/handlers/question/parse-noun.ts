import type { Condition, Dimension, Filter } from '../tables/query.ts';
import { ambiguous } from './failures.ts';
import { parseValueOfAnyColumn } from './find-value.ts';
import { nameParts } from './name-parts.ts';
import {
  columnOfRole,
  filterOf,
  isStatusNumber,
  parseErrors,
  parseStatusClass,
} from './parse-condition.ts';
import { parseDimension } from './parse-dimension.ts';
import { attempt, eat, norm, type Parser, peek, skipArticles } from './parser.ts';
import { isRowNoun } from './row-nouns.ts';

/** What a phrase such as "POST requests", "distinct clients" or "server errors" is about. */
export interface Noun {
  /** Undefined: the rows themselves. */
  readonly dimension: Dimension | undefined;
  readonly filters: readonly Filter[];
  readonly isDistinct: boolean;
  readonly isPlural: boolean;
  /** As written. */
  readonly phrase: string;
}

/** A row, a column that names things, or errors; with adjectives that are values: `GET requests`, `404 responses`. */
export function parseNoun(parser: Parser): Noun | undefined {
  return attempt(parser, (inner) => {
    eat(inner, 'all columns of', 'all the columns of', 'all fields of');
    skipArticles(inner);
    const start = inner.at;
    const isDistinct = eat(inner, 'distinct', 'unique', 'different') !== undefined;
    const made =
      attempt(inner, parseErrorNoun) ??
      attempt(inner, parseRowNoun) ??
      attempt(inner, parseDimensionNoun);
    if (!made) return undefined;
    const last = peek(inner, -1);
    const phrase = inner.text.slice(inner.tokens[start]?.start ?? 0, last?.end);
    const isPlural = /s$/i.test(last?.text ?? '');
    return { ...made, isDistinct, isPlural, phrase };
  });
}

type Made = Pick<Noun, 'dimension' | 'filters'>;
const rows = (...filters: Filter[]): Made => ({ dimension: undefined, filters });

/** `errors`, `server errors`, `404 errors`, `5xx responses`, `404s`, `failed requests`. */
function parseErrorNoun(parser: Parser): Made | undefined {
  const byNumber = attempt(parser, parseNumberedStatus);
  if (byNumber) return rows(filterOf(byNumber));
  const success = parseSuccess(parser);
  if (success) return rows(filterOf(success));
  const value = attempt(parser, parseValueAdjective);
  const errors = parseErrors(parser) ?? parseFailed(parser);
  if (!errors) return undefined;
  eatRowNoun(parser);
  return rows(...(value ? [value] : []), filterOf(errors));
}

function parseNumberedStatus(parser: Parser): Condition | undefined {
  const statusClass = parseStatusClass(parser);
  if (statusClass) {
    eatRowNoun(parser);
    eat(parser, 'error', 'errors', 'status', 'statuses');
    return statusClass;
  }
  const status = columnOfRole(parser, 'status');
  if (!status || !isStatusNumber(parser)) return undefined;
  const value = Number(norm(parser));
  const isGlued = peek(parser, 1)?.start === peek(parser)?.end && norm(parser, 1) === 's';
  parser.at += 1;
  const named = isGlued
    ? eat(parser, 's')
    : (eat(parser, 'status', 'not found') ?? '') +
      (eat(parser, 'errors', 'error', 'responses', 'response', 'answers') ?? '');
  if (!named) return undefined;
  return { left: { kind: 'column', column: status.name }, test: '=', values: [value] };
}

function parseFailed(parser: Parser): Condition | undefined {
  const status = columnOfRole(parser, 'status');
  if (!status || !/^(?:failed|failing|erroneous|unsuccessful)$/.test(norm(parser)))
    return undefined;
  const word = norm(parser);
  parser.at += 1;
  if (!isRowNounNext(parser)) return undefined;
  parser.meanings.add(`${word} = ${status.name} ≥ 400`);
  return { left: { kind: 'column', column: status.name }, test: '>=', values: [400] };
}

function parseSuccess(parser: Parser): Condition | undefined {
  const status = columnOfRole(parser, 'status');
  if (!status) return undefined;
  return attempt(parser, (inner) => {
    if (!eat(inner, 'successful') || !eatRowNoun(inner)) return undefined;
    inner.meanings.add(`successful = ${status.name} 200–299`);
    return { left: { kind: 'column', column: status.name }, test: 'between', values: [200, 299] };
  });
}

/** A value in front of a row noun: `POST` in "POST requests". */
function parseValueAdjective(parser: Parser): Filter | undefined {
  const found = parseValueOfAnyColumn(parser);
  if (!found) return undefined;
  const followed = isRowNounNext(parser) || /^(?:errors?|failed)$/.test(norm(parser));
  return followed
    ? filterOf({
        left: { kind: 'column', column: found.column.name },
        test: '=',
        values: [found.value],
      })
    : undefined;
}

function parseRowNoun(parser: Parser): Made | undefined {
  const filters: Filter[] = [];
  for (;;) {
    const value = attempt(parser, parseValueAdjective);
    if (!value) break;
    filters.push(value);
  }
  if (!eatRowNoun(parser)) return undefined;
  return rows(...filters);
}

const isRowNounNext = (parser: Parser): boolean => eatRowNoun({ ...parser }) !== undefined;

/** Takes the word for a row; the longer name of a column wins over it. */
export function eatRowNoun(parser: Parser): string | undefined {
  for (const length of [3, 2, 1]) {
    const tokens = parser.tokens.slice(parser.at, parser.at + length);
    if (tokens.length < length || tokens.some(({ kind }) => kind !== 'word')) continue;
    const phrase = tokens.map(({ text }) => nameParts(text).join(' ')).join(' ');
    if (!isRowNoun(parser, phrase)) continue;
    if (columnReachesFurther(parser, length)) return undefined;
    parser.at += length;
    return phrase;
  }
  return undefined;
}

function columnReachesFurther(parser: Parser, length: number): boolean {
  const inner = { ...parser };
  const column = attempt(inner, (deeper) => parseDimension(deeper));
  if (column?.expression.kind !== 'column') return false;
  if (inner.at > parser.at + length) return true;
  const exact =
    nameParts(column.name).join(' ') === nameParts(parser.tokens[parser.at]?.text ?? '').join(' ');
  if (exact && !parser.table.isLog) {
    throw ambiguous(
      `"${parser.tokens[parser.at]?.text}" is both a row and the column "${column.name}": say "rows" or "distinct ${column.name}".`,
    );
  }
  return false;
}

function parseDimensionNoun(parser: Parser): Made | undefined {
  const dimension = parseDimension(parser);
  return dimension && { dimension, filters: [] };
}
