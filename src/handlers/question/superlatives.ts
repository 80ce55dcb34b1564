import type { Expression, Order } from '../tables/query.ts';
import type { Column, Role } from '../tables/table.ts';
import { TaskError } from '../task-error.ts';
import { ambiguous, columnList } from './failures.ts';
import { nameParts } from './name-parts.ts';
import { columnOfRole } from './parse-condition.ts';
import { timeColumn } from './parse-dimension.ts';
import { eat, type Parser } from './parser.ts';

type Direction = Order['direction'];

/** Adjectives that only give a direction; a measure must follow or be known. */
export const directions: readonly (readonly [phrases: readonly string[], direction: Direction])[] =
  [
    [['most', 'highest', 'largest', 'greatest', 'biggest', 'maximum', 'max', 'top'], 'descending'],
    [['least', 'lowest', 'smallest', 'fewest', 'minimum', 'min'], 'ascending'],
  ];

interface Adjective {
  readonly phrases: readonly string[];
  readonly direction: Direction;
  /** What it measures: the role of a column of a log, words of a column's name, time, or how often. */
  readonly role?: Role;
  readonly words?: readonly string[];
  readonly isTime?: boolean;
  readonly isCount?: boolean;
}

const often = [
  'common',
  'frequent',
  'popular',
  'requested',
  'visited',
  'active',
  'used',
  'frequently requested',
  'often requested',
  'accessed',
  'called',
];
const temperature = ['temp', 'temperature'];
const lengths = ['duration', 'millisecond', 'second', 'minute', 'length'];
const rain = ['precipitation', 'rain', 'rainfall'];

const adjectives: readonly Adjective[] = [
  { phrases: ['slowest'], direction: 'descending', role: 'duration' },
  { phrases: ['fastest', 'quickest'], direction: 'ascending', role: 'duration' },
  { phrases: ['longest'], direction: 'descending', role: 'duration', words: lengths },
  { phrases: ['shortest'], direction: 'ascending', role: 'duration', words: lengths },
  { phrases: ['largest', 'biggest', 'heaviest'], direction: 'descending', role: 'bytes' },
  { phrases: ['smallest', 'lightest'], direction: 'ascending', role: 'bytes' },
  { phrases: ['latest', 'newest', 'most recent'], direction: 'descending', isTime: true },
  { phrases: ['earliest', 'oldest'], direction: 'ascending', isTime: true },
  {
    phrases: ['most expensive', 'priciest', 'dearest'],
    direction: 'descending',
    words: ['price', 'cost'],
  },
  { phrases: ['cheapest', 'least expensive'], direction: 'ascending', words: ['price', 'cost'] },
  { phrases: ['hottest', 'warmest'], direction: 'descending', words: temperature },
  { phrases: ['coldest', 'coolest'], direction: 'ascending', words: temperature },
  { phrases: ['wettest', 'rainiest'], direction: 'descending', words: rain },
  { phrases: ['driest'], direction: 'ascending', words: rain },
  { phrases: ['windiest'], direction: 'descending', words: ['wind'] },
  {
    phrases: ['busiest', ...often.map((word) => `most ${word}`)],
    direction: 'descending',
    isCount: true,
  },
  {
    phrases: ['quietest', ...often.map((word) => `least ${word}`)],
    direction: 'ascending',
    isCount: true,
  },
];

/** What an adjective asks for. `by` is undefined where it counts rows. */
export interface Superlative {
  readonly word: string;
  readonly direction: Direction;
  readonly by: Expression | undefined;
  /** The column, where it is one. */
  readonly column: Column | undefined;
}

/** `slowest`, `cheapest`, `most common`, … where the table has what it measures. */
export function parseSuperlative(parser: Parser): Superlative | undefined {
  for (const adjective of adjectives) {
    const start = parser.at;
    const word = eat(parser, ...adjective.phrases);
    if (word === undefined) continue;
    const found = measured(parser, adjective, word);
    if (found) return found;
    parser.at = start;
  }
  return undefined;
}

/** The adjective's words of columns, for a shape such as `{"hottest": {"month", "mean_temp_max"}}`. */
export function adjectiveOf(
  word: string,
): { direction: Direction; words: readonly string[]; isCount: boolean } | undefined {
  const found = adjectives.find(({ phrases }) => phrases.includes(word.replaceAll('_', ' ')));
  return (
    found && {
      direction: found.direction,
      words: [...(found.words ?? []), ...(found.role ? [found.role] : [])],
      isCount: found.isCount === true,
    }
  );
}

function measured(parser: Parser, adjective: Adjective, word: string): Superlative | undefined {
  const { direction } = adjective;
  if (adjective.isCount) return { word, direction, by: undefined, column: undefined };
  if (adjective.isTime) {
    const column = timeColumn(parser);
    return { word, direction, by: { kind: 'part', part: 'second', column: column.name }, column };
  }
  const byRole = adjective.role ? columnOfRole(parser, adjective.role) : undefined;
  const column = byRole ?? columnOfWords(parser, adjective.words ?? [], word);
  if (!column && adjective.role && adjective.words === undefined && parser.table.isLog) {
    throw lacking(parser, word, adjective.role);
  }
  return column && { word, direction, by: { kind: 'column', column: column.name }, column };
}

/** A log that does not hold what an adjective goes by. */
const lacking = ({ table }: Parser, word: string, role: Role): TaskError =>
  new TaskError(
    'NOT_FOUND',
    `"${word}" goes by the ${role} of requests, and ${table.name} has no ${role}. It has: ${columnList(table)}.`,
  );

function columnOfWords(
  parser: Parser,
  words: readonly string[],
  adjective: string,
): Column | undefined {
  const found = parser.table.columns.filter(
    ({ name, type }) => type === 'number' && nameParts(name).some((part) => words.includes(part)),
  );
  if (found.length > 1) {
    throw ambiguous(
      `"${adjective}" may go by ${found.map(({ name }) => `"${name}"`).join(' or ')}: name the column.`,
    );
  }
  return found[0];
}
