import type { Token } from '../language/lexer.ts';
import { TaskError } from '../task-error.ts';
import type { Statement } from './not-meant.ts';
import { isParticiple } from './read/columns/names.ts';
import { isOfThings } from './read/figures/money.ts';
import { isOfYears } from './read/times/time-columns.ts';
import { isMeasure, type Query } from './sql/query.ts';
import { isAmount, isCode, type Table } from './table/schema.ts';

/** Explains why another figure or column may be meant than the one that a statement shows. Undefined if none is. */
export function otherFigure(
  tokens: readonly Token[],
  query: Query,
  { table, sql }: Statement,
): string | undefined {
  const text = tokens.map(({ norm }) => norm).join(' ');
  return (
    ofRowOrTotal(query, table) ??
    eachOrTotal(query) ??
    ratioOf(text, query) ??
    eventsOrThings(text, query, table) ??
    timeForThing(text, query) ??
    sizeOfCode(tokens, query, table) ??
    figureOfCode(query) ??
    wholeShare(query) ??
    countOrValue(tokens, table, sql)
  );
}

/** A quotient for each group, not two groups: `kilograms per hectare for each field`, `members per staff person at each branch`. */
function ratioOf(text: string, { groups, measures }: Query): string | undefined {
  const [direct] = /\bper \w+(?: \w+)? (?:for|of|in|on|at|by) (?:each|every)\b/.exec(text) ?? [];
  const [said] = /\bper \w+.*?\b(?:each|every|per|by)\b/.exec(text) ?? [];
  const isAmong = groups.some(({ column }) => column?.isNumber && isAmount(column));
  const isQuotient = isAmong ? groups.length > 1 || direct : direct && groups.length === 1;
  return said && isQuotient && measures.every(({ fn }) => fn !== 'ratio')
    ? `"${said} …" may mean a quotient or two groups. Say "divided by", or "per … and …".`
    : undefined;
}

const different = /\b(?:different|distinct|unique)\b/;
const passive = /\b(?:was|were|is|are|got|get|been) (\w+)/;
const active =
  /\bhow many \w+ (?:did (?!not\b)|(?:do|have|has) (?:we|i|they|you|he|she) (?!have\b|had\b|got\b))/;

/** What happens to a thing several times may be counted each time: `how many books were borrowed each month`. */
function eventsOrThings(text: string, { measures }: Query, { rows, path }: Table): undefined {
  const counted = measures.find(({ fn }) => fn === 'distinct');
  const own = counted?.of?.column;
  if (!counted || !own || different.test(text)) return;
  const isDone = isParticiple(passive.exec(text)?.[1] ?? '') || active.test(text);
  if (!isDone || (!own.link && own.values.size === rows)) return;
  throw new TaskError(
    'AMBIGUOUS',
    `"${counted.name}" may be counted once, or each time. Say "number of different ${counted.name}" or "number of rows in ${path}".`,
    { isRead: true },
  );
}

/** The time of a deed is not what it was done to: `what has Ann borrowed`, with a date in `borrowed`. */
function timeForThing(text: string, { subject, measures }: Query): string | undefined {
  const own = subject === 'rows' ? undefined : subject?.column;
  const isDeed = own?.isTime && own.words.some(isParticiple) && measures.length === 0;
  return isDeed && /\bwhat (?:has|have|had|did|do|does|was|were)\b/.test(text)
    ? `"what" does not ask for ${own.name}, which is a time. Name the column to show.`
    : undefined;
}

/** A comparison may be about one row or a total: `days with more than 5 hours`, with several rows for each day. */
function ofRowOrTotal({ subject, where, groups }: Query, table: Table): string | undefined {
  if (subject === undefined || subject === 'rows' || groups.length > 0) return undefined;
  const compared = where.map(({ sql }) => /^(.+?) [<>]=? /.exec(sql)?.[1]);
  const own = table.columns.find((one) => compared.includes(one.sql) && isOfThings(one));
  if (!own || subject.column?.values.size === table.rows) return undefined;
  return `"${own.name}" may mean one row or the total of each ${subject.words}. Ask for the rows, or say "total ${own.name} per ${subject.words}".`;
}

/** A list of distinct values would drop repeated ones: `litres between June and August`. */
function eachOrTotal({ subject, isDistinct, groups, measures, rank }: Query): string | undefined {
  const own = subject === 'rows' ? undefined : subject?.column;
  if (!own || !isOfThings(own) || isDistinct || rank || groups.length + measures.length > 0)
    return undefined;
  return `"${own.name}" may mean the total or each row. Say "total ${own.name}", or ask for the rows.`;
}

/** A number that names a row has no size: `members under 18`, with `member_no`. */
function sizeOfCode(tokens: readonly Token[], { where }: Query, { columns }: Table) {
  const own = columns.find(
    (one) =>
      isCode(one) &&
      !isOfYears(one) &&
      where.some(({ sql }) => /^(?:[<>]|BETWEEN)/.test(sql.replace(`${one.sql} `, ''))),
  );
  const isNamed = tokens.some(({ stem }) => stem === own?.words.at(-1));
  return own && !isNamed ? `${own.name} names a row and has no size.` : undefined;
}

/** The share of all rows in all rows is always 100 %. */
const wholeShare = ({ measures, groups, isCompared, subject }: Query): string | undefined =>
  measures.some(({ fn, where }) => fn === 'share' && where.length === 0) &&
  groups.length === 0 &&
  !isCompared &&
  (subject === undefined || subject === 'rows')
    ? 'The condition of the share is missing. Say "share of … that …", or "share of … per …".'
    : undefined;

const noSum =
  /%|percent|\bpct|(?:^|_)(?:ratings?|grades?|ages?|floor|humidity|latitude|longitude|rank)(?:_c)?$/i;

/** Codes have no sum and no mean, and percentages no sum: `total discount`, with `discount_percent`. */
function figureOfCode({ measures, rank }: Query): string | undefined {
  const all = [...measures, ...(isMeasure(rank?.by) ? [rank.by] : [])];
  const found = all.find(
    ({ fn, of }) =>
      (/^(?:sum|avg|median|stddev|percentile|ratio|share)$/.test(fn) &&
        of?.column &&
        isCode(of.column)) ||
      (fn === 'sum' && of?.column && noSum.test(of.column.name)),
  );
  return (
    found &&
    `${found.of?.words} can't be added up or averaged like an amount. Ask for its "highest" or "lowest", or for another column.`
  );
}

/** A noun of rows before a word for money is not their number: `order value per town`. */
function countOrValue(
  tokens: readonly Token[],
  { nouns, columns }: Table,
  sql: string,
): string | undefined {
  const at = tokens.findIndex(
    ({ kind, stem, norm }, at) =>
      kind === 'word' &&
      nouns.has(stem) &&
      (/^(?:value|amount|worth)s?$/.test(tokens[at + 1]?.norm ?? '') ||
        (norm === stem && /^totals?$/.test(tokens[at + 1]?.norm ?? ''))),
  );
  const isOfNumbers = columns.some((own) => isAmount(own) && sql.includes(own.sql));
  return at >= 0 && !isOfNumbers && sql.includes('count(*)')
    ? `"${tokens[at]?.text} ${tokens[at + 1]?.text}" is not a number of rows. Name the column.`
    : undefined;
}
