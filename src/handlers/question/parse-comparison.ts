import type { Condition, Expression, Test } from '../tables/query.ts';
import type { Column } from '../tables/table.ts';
import { TaskError } from '../task-error.ts';
import { parseKnownValue } from './find-value.ts';
import { inUnitOf, parseQuantity } from './parse-quantity.ts';
import { parseTimeCondition } from './parse-time-condition.ts';
import { attempt, eat, listOf, norm, type Parser, peek, skipArticles } from './parser.ts';

/** Test words, longer phrases first. */
export const comparisons: readonly (readonly [phrases: readonly string[], test: Test])[] = [
  [
    [
      'greater than or equal to',
      'at least',
      'no less than',
      'not less than',
      '>=',
      '≥',
      'not below',
    ],
    '>=',
  ],
  [
    [
      'less than or equal to',
      'at most',
      'no more than',
      'not more than',
      '<=',
      '≤',
      'up to',
      'not above',
    ],
    '<=',
  ],
  [
    [
      'greater than',
      'more than',
      'larger than',
      'higher than',
      'bigger than',
      'longer than',
      'above',
      'over',
      'exceeding',
      'exceeds',
      '>',
    ],
    '>',
  ],
  [
    [
      'less than',
      'fewer than',
      'smaller than',
      'lower than',
      'shorter than',
      'below',
      'under',
      '<',
    ],
    '<',
  ],
];

const texts: readonly (readonly [phrases: readonly string[], test: Test])[] = [
  [
    [
      'containing the text',
      'containing',
      'contains the text',
      'contains',
      'contain',
      'including',
      'includes',
    ],
    'contains',
  ],
  [
    ['starting with', 'starts with', 'start with', 'beginning with', 'begins with', 'begin with'],
    'starts with',
  ],
  [['ending with', 'ends with', 'end with', 'ending in', 'ends in'], 'ends with'],
];

/** What stands behind a column: `> 5`, `is rain`, `between 1 and 5 s`, `contains "x"`, `is not empty`, `of Germany or France`. */
export function parseComparison(
  parser: Parser,
  column: Column,
): { condition: Condition; negated: boolean } | undefined {
  const left: Expression = { kind: 'column', column: column.name };
  const time = column.type === 'time' ? parseTimeCondition(parser, column) : undefined;
  if (time) return { condition: time, negated: false };
  if (eat(parser, '!=', '≠', '<>', 'other than', 'different from'))
    return withValues(parser, column, true);
  const link = eat(
    parser,
    'is',
    'was',
    'are',
    'were',
    'equals',
    'equal to',
    '==',
    '=',
    ':',
    'of',
    'be',
    'in',
  );
  if (link === 'is' || link === 'are' || link === 'be')
    eat(parser, 'equal to', 'one of', 'in', 'exactly');
  const negated = eat(parser, 'not', 'not equal to', "isn't") !== undefined;
  if (eat(parser, 'empty', 'missing', 'blank', 'null', 'not given', 'unknown')) {
    return { condition: { left, test: 'is empty', values: [] }, negated };
  }
  const measured =
    attempt(parser, (inner) => parseBetween(inner, column, left)) ??
    attempt(parser, (inner) => parseBound(inner, column, left)) ??
    attempt(parser, (inner) => parseText(inner, left));
  if (measured) return { condition: measured, negated };
  const isBare = !negated && (link === undefined || ['of', 'in', ':'].includes(link));
  return withValues(parser, column, negated, isBare);
}

function parseBetween(parser: Parser, column: Column, left: Expression): Condition | undefined {
  if (!eat(parser, 'between', 'from')) return undefined;
  const low = parseQuantity(parser);
  if (!low || !eat(parser, 'and', 'to')) return undefined;
  const high = parseQuantity(parser);
  if (!high || column.type !== 'number') return undefined;
  const first = { ...low, unit: low.unit ?? high.unit };
  return { left, test: 'between', values: [inUnitOf(column, first), inUnitOf(column, high)] };
}

function parseBound(parser: Parser, column: Column, left: Expression): Condition | undefined {
  const test = comparisons.find(([phrases]) => eat(parser, ...phrases))?.[1];
  if (!test || column.type !== 'number') return undefined;
  const quantity = parseQuantity(parser);
  return quantity && { left, test, values: [inUnitOf(column, quantity)] };
}

function parseText(parser: Parser, left: Expression): Condition | undefined {
  const test = texts.find(([phrases]) => eat(parser, ...phrases))?.[1];
  const token = peek(parser);
  if (!test || !token) return undefined;
  const isPath = token.kind === 'op' && token.text === '/';
  if (isPath) return parsePathText(parser, left, test);
  if (token.kind !== 'quoted' && token.kind !== 'word' && token.kind !== 'number') return undefined;
  parser.at += 1;
  return { left, test, values: [token.text] };
}

/** `starting with /api/v1`: taken up to the next space. */
function parsePathText(parser: Parser, left: Expression, test: Test): Condition {
  const start = peek(parser)?.start ?? 0;
  const text = /^\/[^\s,;)"]*/.exec(parser.text.slice(start))?.[0].replace(/\.$/, '') ?? '';
  while ((peek(parser)?.end ?? Number.POSITIVE_INFINITY) <= start + text.length) parser.at += 1;
  return { left, test, values: [text] };
}

function withValues(
  parser: Parser,
  column: Column,
  negated: boolean,
  isBare = false,
): { condition: Condition; negated: boolean } | undefined {
  const left: Expression = { kind: 'column', column: column.name };
  const values = listOf(parser, (inner) => parseValue(inner, column), [
    ', or',
    ', and',
    ',',
    'or',
    'and',
    'nor',
  ]);
  if (values) return { condition: { left, test: '=', values }, negated };
  const token = peek(parser);
  const isName = token?.kind === 'word' && !functionWords.has(token.norm);
  if (isBare || column.type !== 'text' || !isName || !column.values) return undefined;
  throw new TaskError(
    'NOT_FOUND',
    `No row has "${token.text}" in "${column.name}". There: ${[...column.values].slice(0, 12).join(', ')}${column.values.size > 12 ? ', …' : ''}.`,
  );
}

/** Words that begin something else than a value. */
const functionWords = new Set(
  'the a an all most least highest lowest largest smallest not that which who per by in of for with and or as is are was were has have had each every any only'.split(
    ' ',
  ),
);

/** One value for a column: a number in its unit, a quoted text, or a value that occurs. */
export function parseValue(parser: Parser, column: Column): string | number | undefined {
  skipArticles(parser);
  const token = peek(parser);
  if (token?.kind === 'quoted') {
    parser.at += 1;
    return token.text;
  }
  if (column.type === 'number') {
    if (['per', 'each'].includes(norm(parser, 1))) return undefined;
    const quantity = parseQuantity(parser);
    return quantity && inUnitOf(column, quantity);
  }
  if (token?.kind === 'op' && token.text === '/') {
    return String(parsePathText(parser, { kind: 'number', value: 0 }, '=').values[0]);
  }
  return parseKnownValue(parser, column);
}
