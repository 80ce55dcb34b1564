import type { Order } from '../tables/query.ts';
import type { Column } from '../tables/table.ts';
import { attempt, eat, isAtEnd, norm, type Parser, peek, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';
import { directions, parseSuperlative } from './superlatives.ts';
import type { Token } from './tokens.ts';

type Direction = Order['direction'];

/** One item of an order as it was said; what `words` refer to is found once the result's columns are known. */
export interface SaidOrder {
  /** Empty: what the result is ranked by. */
  readonly words: readonly Token[];
  readonly direction: Direction | undefined;
  /** The column that an adjective goes by: "slowest first". */
  readonly column?: Column | undefined;
  readonly asText: boolean;
  /** Only where the items before are equal. */
  readonly isTie: boolean;
}

const sortVerbs = [
  'ordered by',
  'sorted by',
  'order by',
  'sort by',
  'order them by',
  'sort them by',
  'order the result by',
  'order the results by',
  'sort the result by',
  'sort the results by',
  'sort the rows by',
  'order the rows by',
  'sort the list by',
  'order the list by',
  'ranked by',
  'in order of',
  'sorted on',
  'arranged by',
  'order it by',
  'sort it by',
];
const alone: readonly (readonly [phrases: readonly string[], direction: Direction])[] = [
  [
    [
      'sorted in descending order',
      'ordered in descending order',
      'sorted descending',
      'ordered descending',
      'in descending order',
      'descending',
      'from high to low',
      'from highest to lowest',
      'from the highest to the lowest',
      'high to low',
      'from large to small',
      'largest to smallest',
      'from largest to smallest',
      'from most to least',
      'desc',
      'highest to lowest',
      'in decreasing order',
      'from newest to oldest',
      'newest to oldest',
    ],
    'descending',
  ],
  [
    [
      'sorted in ascending order',
      'ordered in ascending order',
      'sorted ascending',
      'ordered ascending',
      'in ascending order',
      'ascending',
      'from low to high',
      'from lowest to highest',
      'low to high',
      'from small to large',
      'smallest to largest',
      'from smallest to largest',
      'from least to most',
      'asc',
      'lowest to highest',
      'in increasing order',
      'from oldest to newest',
      'oldest to newest',
      'chronologically',
      'in chronological order',
    ],
    'ascending',
  ],
];
const byText = ['alphabetically', 'in alphabetical order', 'as text'];

/** An order: `ordered by revenue from high to low, then by name`, `most requests first`, `ties by address as text`. */
export function parseOrder(parser: Parser): SaidOrder[] | undefined {
  return (
    attempt(parser, parseTies) ??
    attempt(parser, parseSorted) ??
    attempt(parser, parseAdjectiveFirst) ??
    attempt(parser, parseFirst) ??
    attempt(parser, parseAlone)
  );
}

function parseTies(parser: Parser): SaidOrder[] | undefined {
  skipArticles(parser);
  if (!eat(parser, 'ties', 'tie')) return undefined;
  eat(parser, 'are broken', 'broken', 'are ordered', 'are sorted', 'ordered', 'sorted', 'resolved');
  if (eat(parser, 'alphabetically', 'in alphabetical order')) return [tie([], true)];
  if (!eat(parser, 'by', 'in order of', 'on')) return undefined;
  return parseReferences(parser, true);
}

const tie = (words: readonly Token[], asText: boolean): SaidOrder => ({
  words,
  direction: 'ascending',
  asText,
  isTie: true,
});

function parseSorted(parser: Parser): SaidOrder[] | undefined {
  if (eat(parser, 'then by', 'and then by')) return parseReferences(parser, true);
  if (!eat(parser, ...sortVerbs)) return undefined;
  return parseReferences(parser, false);
}

/** References separated by commas, `and` or `then by`; those after the first decide ties. */
export function parseReferences(parser: Parser, isTie: boolean): SaidOrder[] | undefined {
  const first = parseReference(parser, isTie);
  if (!first) return undefined;
  const all = [first];
  for (;;) {
    const next = attempt(parser, (inner) => {
      if (
        !eat(
          inner,
          ', and then by',
          ', then by',
          'and then by',
          'then by',
          ', then',
          'then',
          'and by',
          'and',
        )
      )
        return undefined;
      return isInstruction(inner) ? undefined : parseReference(inner, true);
    });
    if (!next) return all;
    all.push(next);
  }
}

const parseLead = (parser: Parser): string | undefined => {
  skipArticles(parser);
  return eat(parser, 'descending', 'ascending', 'decreasing', 'increasing');
};

function parseReference(parser: Parser, isTie: boolean): SaidOrder | undefined {
  const lead = attempt(parser, parseLead);
  skipArticles(parser);
  const words = takeWords(parser);
  if (words.length === 0) return undefined;
  const asText = eat(parser, ...byText) !== undefined;
  const behind = parseDirection(parser);
  const direction = lead ? (/^(?:desc|decr)/.test(lead) ? 'descending' : 'ascending') : behind;
  eat(parser, 'order');
  return { words, direction, asText, isTie };
}

const stops = new Set(
  phrases(`ascending|descending|asc|desc|alphabetically|then|first|rounded|ties|with|as|from|and|in|chronologically|high|low
    largest|smallest|highest|lowest|using|per|for|where|to`),
);
/** After "and" these begin another instruction: "ordered by Price and write it to x.csv". */
const verbs = new Set(
  phrases(
    `write|save|store|export|put|output|create|count|find|show|list|group|make|produce|print|give|return|report`,
  ),
);

const isInstruction = (parser: Parser): boolean =>
  verbs.has(norm(parser)) && ['word', 'file', 'number'].includes(peek(parser, 1)?.kind ?? '');

/** The words of a reference: up to a mark or a word that starts something else. */
function takeWords(parser: Parser): Token[] {
  const words: Token[] = [];
  while (!isAtEnd(parser)) {
    const token = peek(parser);
    if (!token || token.kind === 'file' || token.kind === 'date') break;
    if (token.kind === 'punct' || (token.kind === 'word' && stops.has(token.norm))) break;
    words.push(token);
    parser.at += 1;
  }
  return words;
}

/** A direction behind a reference, in brackets or not. */
function parseDirection(parser: Parser): Direction | undefined {
  return attempt(parser, (inner) => {
    eat(inner, ',');
    const hasBracket = eat(inner, '(') !== undefined;
    const found = parseBareDirection(inner);
    return found && hasBracket && !eat(inner, ')') ? undefined : found;
  });
}

function parseBareDirection(parser: Parser): Direction | undefined {
  const found = alone.find(([words]) => eat(parser, ...words))?.[1];
  if (found) return found;
  const shown = directions.find(([words]) => eat(parser, ...words))?.[1] ?? timeDirection(parser);
  return shown && eat(parser, 'first') ? shown : undefined;
}

function timeDirection(parser: Parser): Direction | undefined {
  if (eat(parser, 'newest', 'latest', 'most recent')) return 'descending';
  return eat(parser, 'oldest', 'earliest') ? 'ascending' : undefined;
}

/** `slowest first`, `most expensive first`, `newest first`. */
function parseAdjectiveFirst(parser: Parser): SaidOrder[] | undefined {
  skipArticles(parser);
  const found = parseSuperlative(parser);
  const isBare = directions.some(([words]) => words.includes(found?.word ?? ''));
  if (!found || isBare || !eat(parser, 'first')) return undefined;
  const { direction, column } = found;
  return [{ words: [], direction, column, asText: false, isTie: false }];
}

/** `most requests first`, `highest stock value first`, `highest first`. */
function parseFirst(parser: Parser): SaidOrder[] | undefined {
  skipArticles(parser);
  const direction = directions.find(([phrases]) => eat(parser, ...phrases))?.[1];
  if (!direction) return undefined;
  skipArticles(parser);
  const words: Token[] = [];
  while (peek(parser)?.kind === 'word' && norm(parser) !== 'first' && words.length < 8) {
    words.push(...parser.tokens.slice(parser.at, parser.at + 1));
    parser.at += 1;
  }
  if (!eat(parser, 'first') || eat({ ...parser }, 'ones')) return undefined;
  return [{ words, direction, asText: false, isTie: false }];
}

function parseAlone(parser: Parser): SaidOrder[] | undefined {
  const direction = alone.find(([phrases]) => eat(parser, ...phrases))?.[1];
  if (!direction) {
    return eat(
      parser,
      'sorted alphabetically',
      'ordered alphabetically',
      'in alphabetical order',
      'alphabetically',
    )
      ? [{ words: [], direction: 'ascending', asText: true, isTie: false }]
      : undefined;
  }
  const isNamed = eat(parser, 'of', 'by') !== undefined;
  if (isNamed) skipArticles(parser);
  const words = isNamed ? takeWords(parser) : [];
  return [{ words, direction, asText: false, isTie: false }];
}
