import { attempt, eat, isAtEnd, listOf, norm, type Parser, peek } from './parser.ts';
import type { Token } from './tokens.ts';

/** One key of a JSON shape as it was said: `{"month": "YYYY-MM", "days": number of days, "revenue"}`. */
export interface ShapeEntry {
  readonly key: string;
  /** A pattern such as `YYYY-MM`, in quotes. */
  readonly pattern?: string | undefined;
  readonly inner?: Shape | undefined;
  /** What the value is, in words. */
  readonly words?: readonly Token[] | undefined;
}

export interface Shape {
  readonly isList: boolean;
  readonly entries: readonly ShapeEntry[];
}

const MAX_DEPTH = 3;

/** A shape in braces, or in brackets for a list of such. */
export function parseShape(parser: Parser, depth = 0): Shape | undefined {
  return attempt(parser, (inner) => {
    const isList = depth <= MAX_DEPTH && eat(inner, '[') !== undefined;
    const entries = depth <= MAX_DEPTH ? parseEntries(inner, depth) : undefined;
    if (isList) eat(inner, ', ...', ', …', ', . . .', '…', '. . .');
    return entries && (!isList || eat(inner, ']')) ? { isList, entries } : undefined;
  });
}

function parseEntries(parser: Parser, depth: number): ShapeEntry[] | undefined {
  if (!eat(parser, '{')) return undefined;
  const entries = listOf(parser, (inner) => parseEntry(inner, depth), [',']);
  return entries && eat(parser, '}') ? entries : undefined;
}

function parseEntry(parser: Parser, depth: number): ShapeEntry | undefined {
  const token = peek(parser);
  if (token?.kind !== 'quoted' && token?.kind !== 'word') return undefined;
  parser.at += 1;
  const key = token.text;
  if (!eat(parser, ':')) return { key };
  const inner = parseShape(parser, depth + 1);
  if (inner) return { key, inner };
  const isPattern = peek(parser)?.kind === 'quoted' && [',', '}'].includes(norm(parser, 1));
  if (isPattern) {
    parser.at += 1;
    return { key, pattern: peek(parser, -1)?.text };
  }
  const words = takeValue(parser);
  return words.length > 0 ? { key, words } : undefined;
}

/** The words of a value, up to the comma or brace that ends it. */
function takeValue(parser: Parser): Token[] {
  const words: Token[] = [];
  let depth = 0;
  while (!isAtEnd(parser)) {
    const token = peek(parser);
    if (!token) break;
    if (depth === 0 && [',', '}'].includes(token.text) && token.kind === 'punct') break;
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    words.push(token);
    parser.at += 1;
  }
  return words;
}
