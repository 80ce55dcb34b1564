import type { Condition, Expression, TimePart } from '../tables/query.ts';
import type { Column } from '../tables/table.ts';
import { timeColumn } from './parse-dimension.ts';
import { attempt, eat, norm, type Parser, peek } from './parser.ts';

/** A date as written: a day, a month or a year. */
interface Moment {
  readonly part: TimePart;
  readonly value: string | number;
}

const yearPattern = /^(?:19|20)\d\d$/;

/** `2024-05-17`, `May 2015`, `2015`. */
function parseMoment(parser: Parser): Moment | undefined {
  const token = peek(parser);
  if (token?.kind === 'date') {
    parser.at += 1;
    return { part: token.norm.length === 10 ? 'day' : 'month', value: token.norm };
  }
  eat(parser, 'the year', 'year');
  if (peek(parser)?.kind !== 'number' || !yearPattern.test(norm(parser))) return undefined;
  parser.at += 1;
  return { part: 'year', value: Number(peek(parser, -1)?.norm) };
}

/** `on 2024-05-17`, `in May 2015`, `since …`, `before …`, `between … and …`, `from … to …`, of a column or of the only time. */
export function parseTimeCondition(parser: Parser, column?: Column): Condition | undefined {
  return (
    attempt(parser, (inner) => parseRange(inner, column)) ??
    attempt(parser, (inner) => parseBound(inner, column)) ??
    attempt(parser, (inner) => parseSame(inner, column))
  );
}

function parseRange(parser: Parser, column: Column | undefined): Condition | undefined {
  if (!eat(parser, 'between', 'from', 'is between', 'dated between')) return undefined;
  const first = parseMoment(parser);
  if (!first || !eat(parser, 'and', 'to', 'until', 'through', 'till')) return undefined;
  const last = parseMoment(parser);
  if (!last || last.part !== first.part) return undefined;
  return condition({ parser, column }, first.part, 'between', [first.value, last.value]);
}

const bounds: readonly (readonly [phrases: readonly string[], test: Condition['test']])[] = [
  [['since', 'starting from', 'on or after', 'is on or after'], '>='],
  [['until', 'till', 'up to', 'on or before', 'is on or before'], '<='],
  [['after', 'later than', 'is after', '>'], '>'],
  [['before', 'earlier than', 'prior to', 'is before', '<'], '<'],
  [['>='], '>='],
  [['<='], '<='],
];

function parseBound(parser: Parser, column: Column | undefined): Condition | undefined {
  const test = bounds.find(([phrases]) => eat(parser, ...phrases))?.[1];
  const moment = test && parseMoment(parser);
  return test && moment
    ? condition({ parser, column }, moment.part, test, [moment.value])
    : undefined;
}

function parseSame(parser: Parser, column: Column | undefined): Condition | undefined {
  const intro = eat(
    parser,
    'on',
    'in',
    'during',
    'of',
    'for',
    'from',
    'dated',
    'is in',
    'is on',
    'is',
    '=',
  );
  const moment = parseMoment(parser);
  const needsIntro = moment?.part === 'year' || column !== undefined;
  if (!moment || (needsIntro && intro === undefined)) return undefined;
  return condition({ parser, column }, moment.part, '=', [moment.value]);
}

function condition(
  { parser, column }: { parser: Parser; column: Column | undefined },
  part: TimePart,
  test: Condition['test'],
  values: readonly (string | number)[],
): Condition | undefined {
  const left = leftOf(parser, column, part);
  return left && { left, test, values };
}

/** A year may also stand in a numeric column of that name. */
function leftOf(
  parser: Parser,
  column: Column | undefined,
  part: TimePart,
): Expression | undefined {
  if (column)
    return column.type === 'time' ? { kind: 'part', part, column: column.name } : undefined;
  const hasTime = parser.table.columns.some(({ type }) => type === 'time');
  if (!hasTime) return undefined;
  return { kind: 'part', part, column: timeColumn(parser).name };
}
