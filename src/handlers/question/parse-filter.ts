import type { Filter } from '../tables/query.ts';
import { ambiguous } from './failures.ts';
import { parseColumn } from './find-column.ts';
import {
  filterOf,
  parseColumnCondition,
  parseCondition,
  parsePlainCondition,
  parseValueCondition,
} from './parse-condition.ts';
import { parseNoun } from './parse-noun.ts';
import { attempt, eat, type Parser } from './parser.ts';
import { phrases } from './phrases.ts';

/** Words that only a negation may follow; a condition that then can't be read is never dropped. */
const negations =
  phrases(`except for|except|excluding|without|other than|but not|leaving out|ignoring|that did not|which did not
  did not|do not|that are not|are not|were not|is not|which are not|not|that do not have|not having`);
const intros =
  phrases(`that have been|that have|that has|which have|which has|that had|that are|that is|which are|which is
  that were|where the|where|whose|for which|having|with|when|only|considering only|counting only|only for|only of
  have|has|had`);
/** After these a bare value is enough: "in Germany". */
const valueIntros =
  phrases(`only for|only in|for|in|from|of|by|with|where|only|to|made in|made from|that are|which are|are|is|were|at
  via|using`);

/** Conditions that narrow the rows: `with status 500`, `where Price > 5 and Stock < 3`, `except POST requests`, `in May 2015`. */
export function parseFilters(parser: Parser): Filter[] | undefined {
  return (
    attempt(parser, parseNegated) ??
    attempt(parser, parseRowsFilter) ??
    attempt(parser, (inner) => (eat(inner, ...intros) ? parseConditions(inner) : undefined)) ??
    attempt(parser, parseConditionsWithoutIntro) ??
    attempt(parser, parseValueFilter)
  );
}

function parseNegated(parser: Parser): Filter[] | undefined {
  const start = parser.at;
  if (!eat(parser, ...negations)) return undefined;
  eat(
    parser,
    'requests with',
    'requests that have',
    'those with',
    'rows with',
    'rows where',
    'lines with',
    'with',
    'for',
    'in',
    'the',
    'requests to',
    'requests from',
    'from',
    'where',
    'having',
  );
  const filter = parseCondition(parser) ?? attempt(parser, parseValueCondition);
  if (!filter) return parseLacking(parser, start);
  const joined = parseAlternatives(parser, filter, []);
  eat(parser, 'requests', 'rows', 'lines', 'responses');
  assertNotJoined(parser, 'not … and …');
  return [{ ...joined, negated: !joined.negated }];
}

/** "for products in the category Furniture", "of all GET requests": the rows that a value is about. */
function parseRowsFilter(parser: Parser): Filter[] | undefined {
  if (!eat(parser, 'for', 'of', 'over', 'among', 'across', 'from')) return undefined;
  const noun = parseNoun(parser);
  if (!noun || noun.dimension || noun.isDistinct) return undefined;
  return [...noun.filters, ...(parseFilters(parser) ?? [])];
}

/** "without a Color": nothing stands in the column. */
function parseLacking(parser: Parser, start: number): Filter[] | undefined {
  parser.at = start;
  if (!eat(parser, 'without any', 'without a', 'without')) return undefined;
  const column = parseColumn(parser);
  if (!column) return undefined;
  return [
    filterOf({ left: { kind: 'column', column: column.name }, test: 'is empty', values: [] }),
  ];
}

/** What follows may belong to the condition before or stand for itself. */
function assertNotJoined(parser: Parser, what: string): void {
  const inner = { ...parser };
  if (!eat(inner, ', and', 'and')) return;
  const next = attempt(inner, parseCondition) ?? attempt(inner, parseValueCondition);
  if (next) throw ambiguous(`"${what}" can be read in two ways; use separate conditions or "or".`);
}

/** Conditions joined by `and` and `or`; mixing the two is not understood. */
function parseConditions(parser: Parser): Filter[] | undefined {
  const first = parseCondition(parser);
  if (!first) return undefined;
  const alternatives = parseAlternatives(parser, first, intros);
  if (alternatives !== first) {
    assertNotJoined(parser, '… or … and …');
    return [alternatives];
  }
  const filters = [first];
  for (;;) {
    const next = attempt(parser, (inner) => {
      if (!eat(inner, ', and', 'and', ',')) return undefined;
      eat(inner, ...intros);
      return parseCondition(inner);
    });
    if (!next) return filters;
    filters.push(next);
  }
}

function parseAlternatives(parser: Parser, first: Filter, introduced: readonly string[]): Filter {
  let filter = first;
  for (;;) {
    const next = attempt(parser, (inner) => {
      if (!eat(inner, ', or', 'or', 'nor')) return undefined;
      eat(inner, ...introduced);
      const found = parseCondition(inner) ?? attempt(inner, parseValueCondition);
      return found?.negated || filter.negated ? undefined : found;
    });
    if (!next) return filter;
    filter = { any: [...filter.any, ...next.any], negated: false };
  }
}

function parseConditionsWithoutIntro(parser: Parser): Filter[] | undefined {
  const filter = parsePlainCondition(parser);
  return filter && [filter];
}

function parseValueFilter(parser: Parser): Filter[] | undefined {
  if (!eat(parser, ...valueIntros)) return undefined;
  const filter = attempt(parser, parseColumnCondition) ?? parseValueCondition(parser);
  return filter && [filter];
}
