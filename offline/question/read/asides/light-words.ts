import type { Token } from '../../../language/lexer.ts';
import { being, doing, having, rootOf } from '../../../language/verbs.ts';
import { isMeasure, type Query, type Value } from '../../sql/query.ts';
import { type Column, nounsOf } from '../../table/schema.ts';
import { column } from '../columns/names.ts';
import { isAbout, isDoneBy, isLimit, starting } from '../columns/verbs-of-rows.ts';
import { isAdded } from '../figures/money.ts';
import { type Reads, rule, type Source } from '../grammar.ts';
import { hasCell, nounEnd } from '../rows/rows.ts';
import { isOfPersons } from '../rows/who.ts';
import { isVerbOf, timesSaid } from '../times/time-columns.ts';
import { condition } from '../values/conditions.ts';
import { isFiller } from '../values/values.ts';

/** A question, and the indices of the tokens that its rules read. */
export interface Sentence {
  readonly source: Source;
  readonly read: ReadonlySet<number>;
}

/**
 * Whether a word may be ignored: a verb that only repeats what the words around it say, as in `which room hosts the most
 * courses`.
 *
 * The words on both sides must be understood, and the sentence must not contain a negation.
 */
export function isLight(sentence: Sentence, at: number): boolean {
  const { source } = sentence;
  const { norm = '' } = source.tokens[at] ?? {};
  if (isNameOfFile(source, at)) return true;
  // `through which channel`
  if (/^(?:through|via)$/.test(norm))
    return /^(?:which|what|each|every|all)$/.test(source.wordAt(at + 1));
  const root = rootOf(norm);
  const { subject, where } = source.query;
  const isDoer = (own: Column | undefined) => own !== undefined && isDoneBy(own, norm);
  // `who hosts …`, with a column `host`
  const isOfSubject = subject !== 'rows' && isDoer(subject?.column);
  const isVerb =
    (being.has(root) && isRelated(source)) ||
    (doing.has(root) && isDone(sentence, root)) ||
    (having.has(root) && isOfOwn(source)) ||
    where.some(({ column }) => isDoer(column));
  const isClear = isVerb && !source.table.columns.some(isOther(source, norm));
  return (isClear || isOfSubject) && isBetween(sentence, at, being.has(root));
}

/** Whether a word repeats the file before a noun: `stall takings` with stall.db, not `scans per station` with scans.db. */
const isNameOfFile = (source: Source, at: number): boolean =>
  nounsOf(source.table.path).includes(source.tokens[at]?.stem ?? '') &&
  !hasCell(source.table, source.tokens[at]?.stem ?? '') &&
  (nounEnd(source, at + 1) ?? column(source, at + 1)) !== undefined;

/** Whether each row is a person and a value is asked for: `who plays the cello`. */
const isOfOwn = ({ query: { where }, table }: Source): boolean =>
  isOfPersons(table) &&
  where.length > 0 &&
  where.every(({ value, column: own }) => value !== undefined && own && !own.link);

/** Words that forbid ignoring a verb: negations, and `files`, which asks for file names. */
const barring =
  /^(?:files|not|never|no|none|nobody|nothing|neither|nor|without|hardly|rarely)$|n['’]t$/;

/** Words that may stand between a verb and the words before it. */
const auxiliary =
  /^(?:is|are|was|were|be|been|being|do|does|did|has|have|had|we|i|you|they|it|us|that|which|who|there|to|will|can|all|each)$/;

/** Words that may stand between a verb and the words after it. */
const joint =
  /^(?:in|on|at|by|from|to|of|for|with|under|into|onto|through|via|us|me|them|it|the|a|an|our|my|your|their|total|all)$/;

/** Whether the words on both sides are understood (after `did`, those before it), and no word forbids it. */
function isBetween({ source, read }: Sentence, at: number, isPlace: boolean): boolean {
  const { tokens } = source;
  const before = tokens.findLastIndex(
    ({ norm }, index) => index < at && norm !== ')' && (read.has(index) || !auxiliary.test(norm)),
  );
  const behind = tokens.findIndex(({ norm }, index) => index > at && !joint.test(norm));
  const isLast = source.isAtEnd(behind);
  // `the sessions they led`
  const isInverted =
    /^(?:they|he|she|we|i)$/.test(source.wordAt(at - 1)) ||
    tokens.slice(0, before).some(({ norm }) => /^(?:do|does|did|has|have|had)$/.test(norm));
  const isBarred = tokens.some(({ norm }) => barring.test(norm));
  // `how many cooks work in team.csv`
  const isInFile = isPlace && tokens[behind]?.kind === 'file';
  const isSaid = isLast ? isInverted || isInFile : read.has(behind);
  return read.has(before) && isSaid && !isBarred;
}

/** All values that a query uses. */
const valuesOf = (query: Query) => {
  const { where, columns } = query;
  return [...where, ...groupsOf(query), ...columns, ...measuredIn(query)];
};

/** The values that are calculated with or ranked by. */
const measuredIn = ({ measures, rank }: Query): readonly Value[] =>
  [...measures, rank?.by].flatMap((one) => (isMeasure(one) ? one.of : one) ?? []);

/** Returns a test for columns that the verb would mean instead of those that the query uses. */
const isOther =
  (source: Source, verb: string) =>
  (own: Column): boolean => {
    const isUsed = valuesOf(source.query).some(({ sql }) => sql.includes(own.sql));
    if (!isUsed) return isAbout(own, verb);
    return own.isTime && !plainTime.test(own.words.join(' ')) && !timesSaid(source, [own]).length;
  };

const plainTime =
  /^(?:date|time|day|timestamp|when|at|on|start|month|week|year|ts|datetime|start (?:date|time))$/;

const groupsOf = ({ groups, subject }: Query) => [
  ...groups,
  ...(subject === undefined || subject === 'rows' ? [] : [subject]),
];

/** Whether the query has a group, a condition or an order. */
const isRelated = ({ query, table }: Source): boolean =>
  groupsOf(query).length + query.where.length + query.columns.length > 0 ||
  query.rank !== undefined ||
  isOfPersons(table) ||
  query.measures.some(({ where }) => where.length > 0);

/** Whether the verb is about the rows or what is counted in them. A state of the rows may say whether it was done. */
function isDone({ source, read }: Sentence, verb: string): boolean {
  const { query, table, tokens } = source;
  const isRows = tokens.some((_token, at) => read.has(at) && nounEnd(source, at) !== undefined);
  const by = query.rank?.by;
  // `the month that used the most gas`, with readings, may mean a sum or the largest reading.
  const isCounted =
    query.measures.length > 0 || isMeasure(by) || (by?.column !== undefined && isAdded(by.column));
  const isOpen = by !== undefined && !isCounted;
  const counted = query.measures.flatMap(({ fn, of }) => (fn === 'distinct' && of ? of : []));
  const shown = [...groupsOf(query), ...counted].flatMap(({ column }) => column ?? []);
  const isOf = (own: Column) => own.words.some((word) => rootOf(word) === verb);
  const isRole = shown.some(({ words }) => words.some((word) => roles.test(word)));
  // The state of a hive is not that of its harvests.
  const own = table.columns.filter(({ link }) => !link);
  const isClear = starting.test(verb) || !own.some(isLimit) || shown.some(isOf);
  return shown.length > 0 && (isRows || isCounted) && !isOpen && !isRole && isClear;
}

/** Columns for givers and receivers. */
const roles =
  /^(?:sender|from|origin|source|seller|payer|recipient|receiver|to|destination|target|payee|home|away)$/;

/** Whether a word belongs to the name of a used column and is not a condition: `paid the fee`, with a column `fee_paid`. */
export function isOfUsedColumn(at: number, { tokens, query, table }: Source): boolean {
  const token = tokens[at] as Token;
  const { stem } = token;
  const { where, groups, columns } = query;
  const named = table.columns.filter(({ words }) => words.includes(stem));
  // `which did we buy in 2024`, with a column `bought`
  const isVerb = ({ isTime, words: [word = ''] }: Column) => isTime && isVerbOf(word, token);
  if (named.length === 0 && where.some(({ part }) => part?.column && isVerb(part.column)))
    return true;
  const isIn = (all: readonly Pick<Value, 'column'>[]) =>
    named.every((one) => one.words.length > 1 && all.some((used) => used.column === one));
  const isCondition =
    /^(?:no|not|non|never|without|\w*ed|paid|open|\w+en)$/.test(stem) ||
    table.columns.some((one) => one.values.has(stem));
  return (
    named.length > 0 &&
    (isIn(where) ||
      // `received per month`: a row without this time is in no month.
      named.every((one) => groups.some(({ part, column: time }) => part && time === one)) ||
      (!isCondition && isIn([...measuredIn(query), ...groups, ...columns])))
  );
}

/** `in total` and `on average` without such a calculation: a limit per row would be mistaken for one of the total. */
export function unusedTotal({ query, tokens }: Source): readonly Token[] {
  const { measures, having, rank } = query;
  const fns = [...measures, ...having.map(({ measure: one }) => one), rank?.by].flatMap((one) =>
    isMeasure(one) ? one.fn : [],
  );
  return tokens.filter(({ norm }, at) => {
    const [lead, limit] = [tokens[at - 1]?.norm, tokens[at - 2]?.kind];
    if (norm === 'average' && lead === 'on') return !fns.some((fn) => /avg|median/.test(fn));
    if (/^(?:altogether|overall)$/.test(norm)) return fns.length === 0;
    if (norm !== 'total' || lead !== 'in') return false;
    return limit === 'number' ? !fns.some((fn) => /sum|count/.test(fn)) : fns.length === 0;
  });
}

/** Most words that a definition explains. */
const MAX_WORDS = 2;

const denials = /^(?:not|no|never|none|nobody|without)$|n['’]t$/;

/** `shipped`, not a name such as `Berlin`. */
const isPlain = (token: Token | undefined): boolean =>
  token?.kind === 'word' && !/^\p{Lu}/u.test(token.text) && !denials.test(token.norm);

/** Whether a word is what is asked for: `guitars` of `how many guitars`. */
const isThing = (before: Token | undefined): boolean =>
  before !== undefined && /^(?:many|much|which|what|of|the|all)$/.test(before.norm);

/** Whether a definition follows: `(`, `i.e.`. */
export const opensDefinition = ({ norm }: Token): boolean => /^(?:\(|i\.?e\.?)$/.test(norm);

/**
 * The words that no rule read and that a definition behind them explains: `missed` of `who missed a test? (score is empty)`.
 *
 * @param open The indices of all words that no rule read.
 */
export function explained(source: Source, open: readonly number[]): readonly number[] {
  const { tokens } = source;
  const opening = tokens.findIndex(opensDefinition);
  const words = open.filter((at) => at !== opening);
  const isBefore = words.every(
    (at) => at < opening && isPlain(tokens[at]) && !isThing(tokens[at - 1]),
  );
  const isFew = words.length <= MAX_WORDS && (words.at(-1) ?? 0) - (words[0] ?? 0) < MAX_WORDS;
  return isBefore && isFew && isDefinition(source, opening) ? open : [];
}

const saying = /^(?:is|are|was|were|=|no|empty|missing)$/;

const comparing = /^(?:than|above|below|over|under|after|before|[<>]=?)$/;

/** Whether what is said here defines: in parentheses, it says more of a column than which of its values. */
function isDefinition(source: Source, opening: number): boolean {
  const { tokens } = source;
  const close = tokens.findIndex(({ norm }, at) => norm === ')' && at > opening);
  const isEnclosed = tokens[opening]?.norm === '(';
  const [start, end] = [opening + 1, isEnclosed ? close : tokens.length];
  if (opening < 1 || !areConditions(source, start, end)) return false;
  // `(price over 10)` behind a word says which rows are meant.
  const isApart = /^[?.:]$/.test(tokens[opening - 1]?.norm ?? '');
  const inside = tokens.slice(start, end);
  const isSaid = inside.some(({ norm }) => saying.test(norm) || (isApart && comparing.test(norm)));
  const isOfColumn = inside.some((_token, at) => column(source, start + at) !== undefined);
  return !isEnclosed || (isOfColumn && isSaid);
}

/** Whether the words here are conditions, perhaps with the noun of the rows. */
function areConditions(source: Source, start: number, end: number): boolean {
  let count = 0;
  for (let at = start; at < end; ) {
    const found = condition(source, at);
    const token = source.tokens[at];
    const next = found?.end ?? nounEnd(source, at) ?? (token && isFiller(token) ? at + 1 : at);
    if (next === at) return false;
    count += found ? 1 : 0;
    at = next;
  }
  return count > 0;
}

/** Sentences that describe the rows: `access.log is an Apache combined log.`, `orders.csv lists orders with country.` */
export const declaration: Reads<true> = (source, at) => {
  const { tokens, table } = source;
  if (at > 0 && tokens[at - 1]?.text !== '.') return undefined;
  const lead = declared(source, at);
  if (!lead) return undefined;
  const stop = tokens.findIndex(({ text }, index) => index >= lead.end && text === '.');
  const said = tokens.slice(lead.end, stop < 0 ? tokens.length : stop);
  const isMore = ({ kind, norm }: Token) =>
    kind === 'number' ||
    kind === 'file' ||
    /^(?:not|no|except|without|only|unless|but)$/.test(norm);
  if (stop < 0 || said.some(isMore)) return undefined;
  const nouns = said.filter((token) => token.kind === 'word' && !isFiller(token));
  const named = (lead.value.isPerRow ? nouns : nouns.slice(0, 1)).map(({ stem }) => stem);
  source.table = { ...table, nouns: new Set([...table.nouns, ...named]) };
  return { value: true, end: stop };
};

const declared = rule(
  '[the] [file|table|log|database] {file} (is|lists|contains|has|holds|records|stores|describes) lead:[(one|a) (line|row|record|entry) (per|for each)]',
  ({ lead }) => ({ isPerRow: lead !== undefined }),
);
