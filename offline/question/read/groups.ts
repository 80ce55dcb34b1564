import { list, timeParts } from '../../language/lexicon.ts';
import { singular } from '../../language/words.ts';
import { measured, type Query, type Value } from '../sql/query.ts';
import { comparison } from './comparisons.ts';
import { rowCount } from './counts.ts';
import { dimension } from './dimension.ts';
import {
  type Captures,
  either,
  type Match,
  phraseAt,
  type Reads,
  rule,
  type Source,
} from './grammar.ts';
import { isFilled } from './states.ts';
import { timeColumn } from './time-columns.ts';
import { groupWords, havingWords, periods } from './words.ts';

const plural = (name: string) => (name === singular(name) ? `${name}s` : name);

/** `with more than one order`, `having a total amount above 100`, `ordered more than once` */
export const having: Reads<true> = either(
  // `duplicate email addresses`
  rule(
    '[are there|is there|have] [any] (duplicate|duplicates of|duplicated|repeated|double) {of:dimension}',
    ({ of }, { query }) => {
      if (!of.column) return undefined;
      query.where.push(isFilled(of));
      query.groups.push(of);
      query.having.push({ measure: rowCount(), op: '>', value: 1 });
      return true;
    },
  ),
  // `an address that occurs twice`
  rule(
    '[that|which] [has been|have been|was|were|is|are] (occurs?|appears?|is there|are there|exists?|entered|listed|used|comes? up|turns? up) (twice|more than once|several times|multiple times|repeatedly)',
    (_found, { query }) => {
      const { subject } = query;
      if (subject === undefined || subject === 'rows' || query.groups.length > 0) return undefined;
      query.where.push(isFilled(subject));
      query.groups.push(subject);
      query.having.push({ measure: rowCount(), op: '>', value: 1 });
      return true;
    },
  ),
  rule(
    `[and|,] (${havingWords}) [the|a|an] {op:comparison} word:(once|twice)`,
    ({ op, word }, { query }) =>
      addHaving(query, { measure: rowCount(), op, value: word === 'once' ? 1 : 2 }),
  ),
  rule(
    `[and|,] (${havingWords}) [the|a|an] {op:comparison} {number} {rows}`,
    ({ op, number: count, rows: all }, { query }) =>
      addHaving(query, { measure: rowCount(plural(all.text), all.where), op, value: count }),
  ),
  // `students with more than two courses`
  rule(
    `[and|,] (${havingWords}) {op:comparison} {number} {of:dimension}`,
    ({ op, number: count, of }, { query }) =>
      of.column?.isNumber === false
        ? addHaving(query, {
            measure: measured('distinct', of, `different ${of.words}`),
            op,
            value: count,
          })
        : undefined,
  ),
  rule(
    `[and|,] (${havingWords}) [the|a|an] {op:comparison} {number} times?`,
    ({ op, number: count }, { query }) =>
      addHaving(query, { measure: rowCount(), op, value: count }),
  ),
  rule(
    `[and|,] (${havingWords}) [the|a|an] {measure} {op:comparison} {number}`,
    ({ measure: of, op, number: least }, { query }) => {
      query.having.push({ measure: of, op, value: least });
      return true;
    },
  ),
);

function addHaving(query: Query, test: Query['having'][number]): true | undefined {
  if (test.op === '=' || (query.subject === 'rows' && query.groups.length === 0)) return undefined;
  query.having.push(test);
  return true;
}

/** `per country`, `by status and method`, `for each month`, `group the errors by endpoint`, `monthly` */
export const group: Reads<true> = either(
  rule(
    '(group|grouped|group them|grouping|tally|break down|split) [the] [{file}] [{of2:rows}] [in|of|from] [{file}]',
    ({ of2 }: { of2?: unknown }, { query }) => {
      const found = of2 as Captures['rows'] | undefined;
      query.isGrouped = true;
      if (!found) return true;
      query.where.push(...found.where);
      query.subject ??= 'rows';
      query.groupNoun = found.text;
      return true;
    },
  ),
  // `the largest order per country by amount`
  rule('by [the|their] {of:expression}', ({ of }, { query }) => {
    if (!query.rank || query.rank.by || query.groups.length === 0) return undefined;
    query.rank = { ...query.rank, by: of };
    return true;
  }),
  // `month by month`
  rule(
    'unit:(hour|day|week|month|quarter|year) by word:(hour|day|week|month|quarter|year)',
    ({ unit, word, from }, source) => {
      const found = unit === word ? dimension(source, from) : undefined;
      if (found) source.query.groups.push(found.value);
      return found && (true as const);
    },
  ),
  rule(
    '(compared (to|with)|compare (to|with)|versus|vs) [the|that of|those of]',
    (_found, { query }) => {
      query.isCompared = true;
      return true;
    },
  ),
  rule('compare [the]', ({ from }, { query }) => {
    query.isCompared ||= from === 0;
    return from === 0 ? true : undefined;
  }),
  rule('how (do|did|does) {start}', ({ start }, { tokens }) =>
    tokens.slice(start).some(({ norm }) => norm === 'compare') ? true : undefined,
  ),
  groupBy,
  period,
);

const anotherGroup = list(', and by|and by|, and|and|,|and per|per|, then by|and for each');

const rated =
  /^(?:km|mile|kilometre|distance|kg|litre|liter|kwh|quantity|qty|price|cost|amount|page)$/;

/** `cost per night` of a column `nights` is a rate, not a group. */
const isRate = ({ tokens }: Source, { value: { column: own }, end }: Match<Value>): boolean =>
  own?.isNumber === true &&
  (singular(own.name) !== own.name.toLowerCase() || rated.test(own.words.at(-1) ?? '')) &&
  tokens[end - 1]?.norm === singular(own.name);

function groupBy(source: Source, start: number): Match<true> | undefined {
  const { query } = source;
  const lead = phraseAt(source, start, groupWords.split('|'));
  let next = lead && dimension(source, lead.end);
  if (!next || (lead?.value === 'per' && isRate(source, next))) return undefined;
  let end = start;
  while (next) {
    const { value: own }: Match<Value> = next;
    if (query.groups.every(({ sql }) => sql !== own.sql)) query.groups.push(own);
    end = next.end;
    const joint = phraseAt(source, end, anotherGroup);
    const after: Match<Value> | undefined = joint && dimension(source, joint.end);
    // Behind `and`, a column may belong to a condition.
    next = after && !comparison(source, after.end) ? after : undefined;
  }
  query.isGrouped = true;
  return { value: true, end };
}

/** `monthly revenue` */
function period(source: Source, at: number): Match<true> | undefined {
  const part = periods.get(source.tokens[at]?.norm ?? '');
  const own =
    part && source.table.columns.some(({ isTime }) => isTime)
      ? timeColumn(source, part)
      : undefined;
  const sqlOf = timeParts.get(part ?? '');
  if (!part || !own || !sqlOf) return undefined;
  source.query.groups.push({ sql: sqlOf(own.sql), words: part, part, column: own });
  source.query.isGrouped = true;
  return { value: true, end: at + 1 };
}
