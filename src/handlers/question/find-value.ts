import type { Column } from '../tables/table.ts';
import { ambiguous } from './failures.ts';
import { nameParts } from './name-parts.ts';
import { attempt, type Parser, peek } from './parser.ts';

/** A value of a column that stands here, as the column spells it; the longest one. */
export function parseKnownValue(parser: Parser, column: Column): string | undefined {
  const token = peek(parser);
  if (!token || token.kind === 'quoted' || !column.values) return undefined;
  let best = '';
  for (const value of column.values) {
    if (value.length > best.length && standsHere(parser, value, token.start)) best = value;
  }
  if (best !== '') {
    moveBehind(parser, token.start + best.length);
    return best;
  }
  return parseSpelledValue(parser, column);
}

function standsHere(parser: Parser, value: string, start: number): boolean {
  const end = start + value.length;
  const text = parser.text.slice(start, end);
  if (text.toLowerCase() !== value.toLowerCase()) return false;
  return parser.tokens.some((token) => token.end === end);
}

function moveBehind(parser: Parser, end: number): void {
  while ((peek(parser)?.end ?? Number.POSITIVE_INFINITY) <= end) parser.at += 1;
}

/** The same in another spelling: `in stock` for `in_stock`. */
function parseSpelledValue(parser: Parser, column: Column): string | undefined {
  return attempt(parser, (inner) => {
    const found = [...(column.values ?? [])].filter((value) => {
      const words = nameParts(value);
      return (
        words.length > 0 &&
        words.length <= 6 &&
        words.every((word, ahead) => wordAt(inner, ahead) === word)
      );
    });
    const longest = found.toSorted((a, b) => b.length - a.length)[0];
    if (longest === undefined) return undefined;
    inner.at += nameParts(longest).length;
    return longest;
  });
}

const wordAt = (parser: Parser, ahead: number): string | undefined => {
  const token = peek(parser, ahead);
  return token?.kind === 'word' || token?.kind === 'number'
    ? nameParts(token.text).join(' ')
    : undefined;
};

/**
 * A value of exactly one text column, and that column.
 *
 * @throws TaskError `AMBIGUOUS` where several columns have it.
 */
export function parseValueOfAnyColumn(
  parser: Parser,
): { column: Column; value: string } | undefined {
  const token = peek(parser);
  if (!token || token.kind === 'punct' || token.kind === 'op') return undefined;
  const found = parser.table.columns.flatMap((column) => {
    if (column.type !== 'text') return [];
    const inner = { ...parser };
    const value =
      token.kind === 'quoted' ? quotedValue(column, token.text) : parseKnownValue(inner, column);
    if (value === undefined) return [];
    return [{ column, value, at: token.kind === 'quoted' ? parser.at + 1 : inner.at }];
  });
  const furthest = Math.max(...found.map(({ at }) => at));
  const longest = found.filter(({ at }) => at === furthest);
  const [first, second] = longest;
  if (!first) return undefined;
  if (second) {
    throw ambiguous(
      `"${first.value}" is a value of ${longest.map(({ column }) => `"${column.name}"`).join(' and ')}. Say which column is meant.`,
    );
  }
  parser.at = first.at;
  return { column: first.column, value: first.value };
}

const quotedValue = (column: Column, text: string): string | undefined =>
  [...(column.values ?? [])].find((value) => value.toLowerCase() === text.toLowerCase());
