import type { Condition, Filter } from '../tables/query.ts';
import type { Column, Role } from '../tables/table.ts';
import { ambiguous } from './failures.ts';
import { parseColumn } from './find-column.ts';
import { parseKnownValue, parseValueOfAnyColumn } from './find-value.ts';
import { comparisons, parseComparison } from './parse-comparison.ts';
import { inUnitOf, parseQuantity, type Quantity } from './parse-quantity.ts';
import { parseTimeCondition } from './parse-time-condition.ts';
import { attempt, eat, firstOf, norm, type Parser, peek, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';
import { isRowWord } from './row-nouns.ts';
import { unitKind } from './units.ts';

/** The column of a log with that meaning; undefined where there is none. */
export function columnOfRole(parser: Parser, role: Role): Column | undefined {
  if (!parser.table.isLog) return undefined;
  const found = parser.table.columns.filter((column) => column.role === role);
  const named = found.find(({ name }) => name === role);
  if (found.length > 1 && !named) {
    throw ambiguous(
      `The ${role} may be ${found.map(({ name }) => `"${name}"`).join(' or ')}: name the column.`,
    );
  }
  return named ?? found[0];
}

export const filterOf = (condition: Condition, negated = false): Filter => ({
  any: [condition],
  negated,
});

const on = (
  column: Column,
  test: Condition['test'],
  ...values: (string | number)[]
): Condition => ({
  left: { kind: 'column', column: column.name },
  test,
  values,
});

/** One condition of a `with`, `where` or `that have`. */
export const parseCondition = (parser: Parser): Filter | undefined =>
  firstOf<Filter>(parser, [
    parseStatus,
    parseAnswered,
    parseMissing,
    parsePath,
    parseMeasured,
    (inner) => mapCondition(parseTimeCondition(inner)),
    parseColumnCondition,
    parseErrorCondition,
  ]);

/** A condition that stands without `with` or `where`: `answered with 404`, `slower than 2 s`, `since May 2015`, `Price above 5`. */
export const parsePlainCondition = (parser: Parser): Filter | undefined =>
  firstOf<Filter>(parser, [
    (inner) => (isStatusNumber(inner) ? undefined : parseAnswered(inner)),
    parseFailedVerb,
    (inner) => (eat(inner, 'to', 'for', 'on', 'of') ? parsePath(inner) : undefined),
    parseMeasured,
    (inner) => mapCondition(parseTimeCondition(inner)),
    (inner) => (isValueBehindColumn(inner) ? undefined : parseColumnCondition(inner)),
  ]);

/** "Index 5": without a word between them, column and value may belong to different things. */
function isValueBehindColumn(parser: Parser): boolean {
  const inner = { ...parser };
  skipArticles(inner);
  const column = parseColumn(inner);
  if (!column) return false;
  skipArticles(inner);
  const isQuoted = peek(inner)?.kind === 'quoted';
  return (
    isQuoted ||
    parseQuantity({ ...inner }) !== undefined ||
    parseKnownValue(inner, column) !== undefined
  );
}

const mapCondition = (condition: Condition | undefined): Filter | undefined =>
  condition && filterOf(condition);

/** `5xx`, `status 4xx`, `status code 5xx`. */
export function parseStatusClass(parser: Parser): Condition | undefined {
  const status = columnOfRole(parser, 'status');
  const found = /^([1-5])xx$/.exec(norm(parser));
  if (!status || !found) return undefined;
  parser.at += 1;
  const low = Number(found[1]) * 100;
  return on(status, 'between', low, low + 99);
}

function parseStatus(parser: Parser): Filter | undefined {
  skipArticles(parser);
  eat(parser, 'http status code', 'status code', 'http status', 'status', 'response code', 'a');
  eat(parser, 'of', 'is', '=');
  return mapCondition(parseStatusClass(parser));
}

const statusNumber = /^[1-5]\d\d$/;

/** Whether a number that can only be an HTTP status stands here. */
export const isStatusNumber = (parser: Parser): boolean =>
  peek(parser)?.kind === 'number' && statusNumber.test(norm(parser));

const answerVerbs =
  phrases(`that were answered with|which were answered with|were answered with|answered with|answered by
  that returned|which returned|that return|return|got|returned|returning|responded with|responding with
  resulting in|that resulted in|that ended in|that ended with|ended with|ended in|that got|that got a
  that failed with|failed with`);

/** `answered with 404`, `that returned a 5xx`, `responded with status 500 or 503`. */
function parseAnswered(parser: Parser): Filter | undefined {
  const status = columnOfRole(parser, 'status');
  if (!status) return undefined;
  const verb = eat(parser, ...answerVerbs);
  if (verb === undefined && !isStatusNumber(parser)) return undefined;
  skipArticles(parser);
  eat(parser, 'http status code', 'status code', 'http status', 'status', 'code', 'response code');
  return mapCondition(parseStatusClass(parser)) ?? parseStatusNumbers(parser, status);
}

function parseStatusNumbers(parser: Parser, status: Column): Filter | undefined {
  if (!isStatusNumber(parser)) return undefined;
  if (['request', 'requests', 'hits', 'lines', 'rows', 'times'].includes(norm(parser, 1)))
    return undefined;
  const found = parseComparison(parser, status);
  eat(parser, 'response', 'responses', 'status', 'error', 'errors', 'code');
  return found && filterOf(found.condition, found.negated);
}

/** `requests that failed`: errors. */
function parseFailedVerb(parser: Parser): Filter | undefined {
  const status = columnOfRole(parser, 'status');
  const isBehindRows = isRowWord(parser, peek(parser, -1)?.text ?? '');
  const words = ['that failed', 'which failed', 'have failed', ...(isBehindRows ? ['failed'] : [])];
  if (!status || !eat(parser, ...words)) return undefined;
  parser.meanings.add(`failed = ${status.name} ≥ 400`);
  return filterOf(on(status, '>=', 400));
}

/** `a missing Price`, `no Price`, `an empty Color`. */
function parseMissing(parser: Parser): Filter | undefined {
  skipArticles(parser);
  if (!eat(parser, 'missing', 'empty', 'blank', 'no')) return undefined;
  const column = parseColumn(parser);
  return column && filterOf(on(column, 'is empty'));
}

/** `/api/orders`, `to /api/orders/:id`. */
function parsePath(parser: Parser): Filter | undefined {
  eat(parser, 'to', 'the endpoint', 'the path', 'path', 'endpoint');
  if (peek(parser)?.text !== '/') return undefined;
  const isTemplate = /^\/[^\s,;)]*:id/.test(parser.text.slice(peek(parser)?.start));
  const column = columnOfRole(parser, isTemplate ? 'endpoint' : 'path');
  const found = column && parseComparison(parser, column);
  return found && filterOf(found.condition, found.negated);
}

const slower =
  phrases(`that took longer than|which took longer than|slower than|longer than|that took more than
  which took more than|that took over|taking more than|taking longer than|taking over|took longer than
  took more than|lasting longer than|lasting more than|that lasted longer than`);
const faster =
  phrases(`that took less than|faster than|quicker than|shorter than|taking less than|took less than
  that took under`);
const slowerOrSame = phrases(`that took at least|taking at least|lasting at least`);
const larger = phrases(`larger than|bigger than|heavier than`);
const smaller = phrases(`smaller than`);

/** `slower than 2 s`, `above 200 ms`, `larger than 1 MB`: the column follows from the word or the unit. */
function parseMeasured(parser: Parser): Filter | undefined {
  const between = attempt(parser, parseTookBetween);
  if (between) return between;
  const role = roleAndTest(parser);
  if (!role) return undefined;
  const quantity = parseQuantity(parser);
  if (quantity && role.role === 'duration' && quantity.unit === undefined) {
    throw ambiguous(
      `"${quantity.text}" has no unit: say ${quantity.text} ms or ${quantity.text} s.`,
    );
  }
  const column = quantity && columnOfQuantity(parser, role.role, quantity);
  return column && quantity && filterOf(on(column, role.test, inUnitOf(column, quantity)));
}

/** `took between 100 ms and 2 s`. */
function parseTookBetween(parser: Parser): Filter | undefined {
  if (!eat(parser, 'that took between', 'took between', 'taking between', 'lasting between'))
    return undefined;
  const low = parseQuantity(parser);
  const high = low && eat(parser, 'and') ? parseQuantity(parser) : undefined;
  const column = columnOfRole(parser, 'duration');
  if (!low || !high || !column) return undefined;
  const bounds = [{ ...low, unit: low.unit ?? high.unit }, high];
  return filterOf(on(column, 'between', ...bounds.map((bound) => inUnitOf(column, bound))));
}

function roleAndTest(
  parser: Parser,
): { role: Role | undefined; test: Condition['test'] } | undefined {
  if (eat(parser, ...slower)) return { role: 'duration', test: '>' };
  if (eat(parser, ...faster)) return { role: 'duration', test: '<' };
  if (eat(parser, ...slowerOrSame)) return { role: 'duration', test: '>=' };
  if (eat(parser, ...larger)) return { role: 'bytes', test: '>' };
  if (eat(parser, ...smaller)) return { role: 'bytes', test: '<' };
  const test = comparisons.find(([phrases]) => eat(parser, ...phrases))?.[1];
  return test && { role: undefined, test };
}

function columnOfQuantity(
  parser: Parser,
  role: Role | undefined,
  quantity: Quantity,
): Column | undefined {
  if (role) return columnOfRole(parser, role);
  const kind = unitKind(quantity.unit);
  if (kind === 'time') return columnOfRole(parser, 'duration');
  return kind === 'size' ? columnOfRole(parser, 'bytes') : undefined;
}

/** `status is 500`, `a Price above 100`, `method POST`. */
export function parseColumnCondition(parser: Parser): Filter | undefined {
  skipArticles(parser);
  const column = parseColumn(parser);
  if (!column) return undefined;
  const found = parseComparison(parser, column);
  return found && filterOf(found.condition, found.negated);
}

const errorKinds: readonly (readonly [phrases: readonly string[], low: number, high: number])[] = [
  [['server errors', 'server error'], 500, 599],
  [['client errors', 'client error'], 400, 499],
  [['errors', 'error', 'failures'], 400, 599],
];

/** The words for errors that stand here, as a condition on the status (or the level) of a log. */
export function parseErrors(parser: Parser): Condition | undefined {
  if (!parser.table.isLog) return undefined;
  for (const [phrases, low, high] of errorKinds) {
    const word = eat(parser, ...phrases);
    if (word !== undefined) return errorCondition(parser, word, low, high);
  }
  return undefined;
}

function errorCondition(
  parser: Parser,
  word: string,
  low: number,
  high: number,
): Condition | undefined {
  const status = columnOfRole(parser, 'status');
  const level = columnOfRole(parser, 'level');
  if (status && level && low === 400 && high === 599) {
    throw ambiguous(
      `"${word}" may mean "${status.name}" ≥ 400 or "${level.name}" = error: say which.`,
    );
  }
  if (status?.type === 'number') {
    const range = high === 599 ? `≥ ${low}` : `${low}–${high}`;
    parser.meanings.add(`${word.replace(/([^s])$/, '$1s')} = ${status.name} ${range}`);
    return high === 599 ? on(status, '>=', low) : on(status, 'between', low, high);
  }
  if (!level || low !== 400 || high !== 599) return undefined;
  parser.meanings.add(`errors = ${level.name} error, fatal or critical`);
  return on(level, '=', 'error', 'fatal', 'critical', 'err', 'crit');
}

const parseErrorCondition = (parser: Parser): Filter | undefined =>
  mapCondition(parseErrors(parser));

/** A value that only one column has: `Germany`, `POST`. */
export function parseValueCondition(parser: Parser): Filter | undefined {
  skipArticles(parser);
  const found = parseValueOfAnyColumn(parser);
  if (!found) return undefined;
  eat(parser, 'requests', 'rows');
  const values = [found.value];
  for (;;) {
    const start = parser.at;
    const next = eat(parser, ', or', 'or') ? parseValueOfAnyColumn(parser) : undefined;
    if (next?.column.name !== found.column.name) {
      parser.at = start;
      break;
    }
    values.push(next.value);
  }
  return filterOf(on(found.column, '=', ...values));
}
