import type { Token } from '../../language/lexer.ts';
import { timeParts } from '../../language/lexicon.ts';
import { singular } from '../../language/words.ts';
import {
  type Condition,
  columnValue,
  type Measure,
  newQuery,
  type Query,
  type Value,
} from '../sql/query.ts';
import type { Table } from '../table/schema.ts';
import { comparison, condition, isCompared } from './conditions.ts';
import {
  type Captures,
  doubt,
  either,
  isWord,
  type Match,
  phraseAt,
  type Reads,
  rule,
  type Slots,
  type Source,
  skipArticles,
} from './grammar.ts';
import { expression, measure, measures, noun, rowCount } from './measures.ts';
import { quantityOf } from './money.ts';
import {
  adjectives,
  column,
  dimension,
  isDeed,
  isHowOften,
  nounEnd,
  rows,
  timeColumn,
} from './names.ts';
import { order, slice } from './orders.ts';
import { decimals, format, output } from './outputs.ts';
import { direction, rank, superlative } from './ranks.ts';
import { bound, moment } from './times.ts';
import { amount, isFiller, number, value } from './values.ts';
import { groupWords, havingWords, periods } from './words.ts';

const ofKind =
  (fits: (token: Token) => boolean): Reads<Token> =>
  ({ tokens }, at) => {
    const token = tokens[at];
    return token && fits(token) ? { value: token, end: at + 1 } : undefined;
  };

const slots: Slots = {
  ...{
    amount,
    bound,
    column,
    comparison,
    condition,
    decimals,
    dimension,
    expression,
    format,
    measure,
    moment,
    noun,
  },
  ...{ number, rows, value, adjective: direction },
  text: ofKind(({ kind }) => kind !== 'mark' && kind !== 'op' && kind !== 'file'),
  file: ofKind(({ kind }) => kind === 'file'),
  start: (_source, at) => ({ value: at, end: at }),
};

/** A question as it was read, and the words that no rule understood. */
export interface ReadQuestion {
  readonly query: Query;
  readonly source: Source;
  readonly leftover: readonly Token[];
}

/** Reads a question against the columns and values of a table. */
export function readQuestion(tokens: readonly Token[], table: Table): ReadQuestion {
  const source: Source = { tokens, table, slots, query: newQuery(), doubts: [] };
  const leftover = readAll(source);
  if (leftover.length === 0 && isWholeTable(tokens)) source.query.subject ??= 'rows';
  return { query: source.query, source, leftover };
}

const wholeTable =
  /^(?:me|all|the|whole|entire|everything|contents?|data|rows|of|in|from|a|as|table|markdown|csv|json|tsv|to|into|file|please)$/;

/** `Show orders.csv as a table`: only a verb, the file and a format. */
const isWholeTable = (tokens: readonly Token[]): boolean =>
  /^(?:show|list|display|print|view|convert|export|save|read|open)$/.test(tokens[0]?.norm ?? '') &&
  tokens.slice(1).every(({ kind, norm }) => kind !== 'word' || wholeTable.test(norm));

function readAll(source: Source): Token[] {
  const leftover: Token[] = [];
  for (let at = 0; at < source.tokens.length; ) {
    const found = sentence(source, at);
    const token = source.tokens[at];
    if (!found && token && !isFiller(token)) leftover.push(token);
    at = found && found.end > at ? found.end : at + 1;
  }
  return leftover;
}

/** The measure that some words describe, with its conditions; undefined if a word is not understood. */
export function readMeasure(
  { tokens, table }: Source,
  from: number,
  end: number,
): Measure | undefined {
  const { query, leftover } = readQuestion(tokens.slice(from, end), table);
  const [only] = query.measures;
  const isOne = leftover.length === 0 && query.measures.length === 1 && query.groups.length === 0;
  return only && isOne && !query.rank
    ? { ...only, where: [...only.where, ...query.where] }
    : undefined;
}

/** `access.log is an Apache combined log.`, `orders.csv lists orders with country and amount.`: describes the rows. */
const declaration: Reads<true> = (source, at) => {
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
  for (const { stem } of lead.value.isPerRow ? nouns : nouns.slice(0, 1))
    (table.nouns as Set<string>).add(stem);
  return { value: true, end: stop };
};

const declared = rule(
  '[the] [file|table|log|database] {file} (is|lists|contains|has|holds|records|stores|describes) lead:[(one|a) (line|row|record|entry) (per|for each)]',
  ({ lead }) => ({ isPerRow: lead !== undefined }),
);

/** `(not_found = number of their requests answered with 404)` */
const definition: Reads<true> = (source, start) => {
  const { tokens, query } = source;
  const at = phraseAt(source, start, ['(', ',', 'where', 'and'])?.end ?? start;
  const key = tokens[at];
  const keys =
    query.keys ??
    query.shape?.entries.flatMap((one) => [
      one.key,
      ...(one.inner?.entries ?? []).map((inner) => inner.key),
    ]);
  const means = phraseAt(source, at + 1, ['=', 'is', 'means', 'being', ':']);
  if (key?.kind !== 'word' || !means || !keys?.includes(key.text)) return undefined;
  let end = means.end;
  while (end < tokens.length && !/^[);.]$/.test(tokens[end]?.norm ?? '')) end += 1;
  const found = readMeasure(source, means.end, end);
  if (!found) return undefined;
  query.definitions.set(key.text, { ...found, name: key.text });
  return { value: true, end: Math.min(tokens.length, end + 1) };
};

const plural = (name: string) => (name === singular(name) ? `${name}s` : name);

/** `with more than one order`, `having a total amount above 100`, `ordered more than once` */
const having: Reads<true> = either(
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
const group: Reads<true> = either(
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
  groupBy,
  period,
);

const anotherGroup = [
  ', and by',
  'and by',
  ', and',
  'and',
  ',',
  'and per',
  'per',
  ', then by',
  'and for each',
];

function groupBy(source: Source, start: number): Match<true> | undefined {
  const { query } = source;
  const lead = phraseAt(source, start, groupWords.split('|'));
  let next = lead && dimension(source, lead.end);
  if (!next) return undefined;
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

const counting: Reads<true> = either(
  rule('[and] count (them|each|it)', (_found, { query }) => {
    query.measures.push(rowCount(query.groupNoun));
    return true;
  }),
  // `different clients: how many?`
  rule('how many [are there|are they]', ({ end }, { query, tokens }) => {
    const { subject } = query;
    const isEnd = tokens[end] === undefined || tokens[end]?.kind === 'mark';
    if (subject === undefined || query.measures.length > 0 || query.rank || !isEnd)
      return undefined;
    if (subject === 'rows') query.measures.push(rowCount());
    else
      query.measures.push({
        fn: 'distinct',
        of: subject,
        where: [],
        name: `different ${subject.words}`,
      });
    if (subject !== 'rows') query.subject = undefined;
    query.isDistinct = false;
    return true;
  }),
);

function calculation(source: Source, at: number): Match<true> | undefined {
  const found = measures(source, at);
  if (!found) return undefined;
  source.query.measures.push(...found.value);
  if (found.value.some(({ fn }) => fn === 'count' || fn === 'share'))
    source.query.subject ??= 'rows';
  return { value: true, end: found.end };
}

/** Words before the columns to show. */
const onlyWords = [
  'only the columns',
  'only the column',
  'only the',
  'only',
  'just the',
  'just',
  'the columns',
  'columns',
  'with their',
  'with its',
];

/** `the name and price of all products`, `only name and price`, `with their price` */
function columns(source: Source, start: number): Match<true> | undefined {
  const { query } = source;
  if (query.columns.length > 0 || query.measures.length > 0) return undefined;
  const only = phraseAt(source, start, onlyWords);
  const { value: found, end } = columnList(source, only?.end ?? start);
  const after = phraseAt(source, end, ['only']);
  if (found.length === 0 || !((only ?? after) || areColumns(source, end, found.length)))
    return undefined;
  const isWith = only?.value.startsWith('with') || isWord(source.tokens[start - 1], 'with');
  query.columns.push(...(isWith ? withLabel(source, found) : found));
  query.subject ??= 'rows';
  return { value: true, end: after?.end ?? end };
}

const areColumns = (source: Source, end: number, count: number): boolean =>
  count === 1
    ? isAlone(source, end)
    : source.tokens[end]?.norm === 'of' || !comparison(source, end);

function columnList(source: Source, start: number): Match<Value[]> {
  const value: Value[] = [];
  let end = start;
  for (let at: number | undefined = start; at !== undefined; ) {
    const next: Match<Value> | undefined = column(source, skipColumnWords(source, at));
    if (!next) break;
    value.push(next.value);
    end = next.end;
    at = phraseAt(source, end, [', and', 'and', ','])?.end;
  }
  return { value, end };
}

/** `products with their price`, `vehicles with make and depot`: what names a row is shown, too. */
function withLabel({ query, table }: Source, found: readonly Value[]): readonly Value[] {
  const label = query.subject === 'rows' ? labelOf(table) : undefined;
  const isNew = label !== undefined && !found.some(({ sql }) => sql === label.sql);
  return isNew ? [label, ...found] : found;
}

/** The column that names a row: its name, else the first column. */
function labelOf({ columns: all }: Table): Value | undefined {
  const found = all.find(({ words }) => /^(?:name|title)$/.test(words.join(' '))) ?? all[0];
  return found && columnValue(found);
}

function skipColumnWords(source: Source, start: number): number {
  let at = start;
  while (/^(?:the|their|its|columns|fields|column)$/.test(source.tokens[at]?.norm ?? '')) at += 1;
  return at;
}

/** `the customer of each order`, `the customer column`: the cells of one column, not its different values. */
function isAlone(source: Source, at: number): boolean {
  if (/^(?:column|field)$/.test(source.tokens[at - 1]?.norm ?? '')) return true;
  if (!/^(?:of|for|from|in)$/.test(source.tokens[at]?.norm ?? '')) return false;
  const inner = { ...source, query: newQuery() };
  let next = skipArticles(source, at + 1);
  if (/^(?:each|every)$/.test(source.tokens[next]?.norm ?? '')) next += 1;
  next = number(source, next)?.end ?? next;
  const before = adjectives(inner, next);
  return (
    before.end > next || nounEnd(inner, before.end) !== undefined || rank(inner, next) !== undefined
  );
}

/** Rows (`the orders`, `errors`, `POST requests`) or the values of a column (`which countries`). */
function subject(source: Source, start: number): Match<true> | undefined {
  const { query, tokens } = source;
  let back = start - 1;
  while (/^(?:the|their|its|all|a|an|of)$/.test(tokens[back]?.norm ?? '')) back -= 1;
  const isJoined = /^(?:and|,)$/.test(tokens[back]?.norm ?? '');
  const at = skipArticles(source, start);
  const count = query.subject === undefined ? number(source, at) : undefined;
  const from = count?.end ?? at;
  const all = rows(source, from);
  if (!all)
    return adjectives(source, from).value.length === 0
      ? values(source, from, count?.value)
      : undefined;
  // `customers and their orders` has two subjects: one of them would be left out.
  if (isJoined && query.subject !== undefined && query.subject !== 'rows') return undefined;
  addConditions(query, all.value.where);
  if (all.value.where.length === 0 || all.value.isNoun)
    query.groupNoun ??= tokens[all.end - 1]?.norm;
  query.subject ??= 'rows';
  query.subjectCount ??= count?.value;
  query.subjectIsPlural ||= all.value.isPlural;
  return { value: true, end: all.end };
}

/** The values of a column, if there is no subject yet. */
function values(source: Source, at: number, count: number | undefined): Match<true> | undefined {
  const { query, tokens } = source;
  if (query.subject !== undefined || query.measures.length > 0) return undefined;
  const found = dimension(source, at);
  if (!found || isAtValue(source, found.end)) return undefined;
  const last = tokens[found.end - 1];
  query.subject = found.value;
  query.subjectCount = count;
  query.subjectIsPlural = last !== undefined && last.norm !== last.stem;
  return { value: true, end: found.end };
}

/** A comparison or a value follows: the column belongs to a condition. */
function isAtValue(source: Source, at: number): boolean {
  const { kind = '', norm = '' } = source.tokens[at] ?? {};
  if (kind === '' || norm === 'of') return false;
  if (/^(?:number|quote|date)$/.test(kind) || norm === 'between') return true;
  const isBeforeValue = value(source, at + 1) !== undefined;
  if (norm === 'by') return isBeforeValue;
  if (/^(?:is|are|was|were)$/.test(norm) && !isBeforeValue) return isCompared(source, at);
  const found = isHowOften(source, at) ? undefined : comparison(source, at);
  return found !== undefined && source.tokens[found.end]?.norm !== 'the';
}

const different = rule('(distinct|different|unique) {of:dimension}', ({ of }, { query }) => {
  query.subject = of;
  query.isDistinct = true;
  return true as const;
});

/** After a share, conditions are those of the share. */
function addConditions(query: Query, found: readonly Condition[]): void {
  const last = query.measures.at(-1);
  if (last?.fn === 'share' && last.where.length === 0)
    query.measures[query.measures.length - 1] = { ...last, where: found };
  else query.where.push(...found);
}

const where = rule('{condition}', ({ condition: found }, { query }) => {
  addConditions(query, [found]);
  return true as const;
});

/** `France (country FR)`: an unknown word with its value. */
function glossed(source: Source, at: number): Match<true> | undefined {
  if (source.tokens[at]?.kind !== 'word' || !isWord(source.tokens[at + 1], '(')) return undefined;
  const found = condition(source, at + 2);
  if (found?.value.value === undefined || !isWord(source.tokens[found.end], ')')) return undefined;
  addConditions(source.query, [found.value]);
  return { value: true, end: found.end + 1 };
}

/** Verbs that say no more than that the rows exist. */
const plainVerbs = /^(?:used|involved|represented|mentioned|recorded|seen|found|made|listed)$/;

/** `were sold`, of rows that are sales: no more than that the rows exist. */
const deed = rule('[was|were|is|are|been|did|do|have been|has been] {text}', ({ text }, source) => {
  const { query, table } = source;
  const verb = text.norm.replace(/^sell$/, 'sold').replace(/^buy$/, 'bought');
  const isVerb = /(?:ed|sold|bought|made|seen|paid|lent)$/.test(verb);
  const isDone = plainVerbs.test(verb) || (isVerb && !table.isLog && isDeed(table, verb));
  const last = query.measures.at(-1);
  if (text.kind !== 'word' || !(query.subject ?? last) || !isDone) return undefined;
  const units =
    /^(?:sold|bought|ordered)$/.test(verb) && last?.fn === 'count' ? quantityOf(table) : undefined;
  if (!units) return true as const;
  const said = `"how many ${last?.name} … ${text.norm}" may be a number of rows or a sum`;
  return doubt(source, 'AMBIGUOUS', `${said}: say "number of rows" or "total ${units.name}".`);
});

/** Words that ask for rows without naming them, and for values that the rest of the sentence names. */
const asking: Reads<true> = either(
  rule('everything', (_found, { query }) => {
    query.subject ??= 'rows';
    return true as const;
  }),
  rule('when (was|were|is|are|did|do|does)', () => true as const),
  rule('how much (does|do|is|are)', () => true as const),
  (source, at) => {
    const found = howMuch(source, at);
    return found && superlative(source, skipArticles(source, found.end)) ? found : undefined;
  },
);

const howMuch = rule(
  'how (long|old|big|large|tall|heavy|expensive|fast) (is|was|are|were)',
  () => true as const,
);

/** The first rule that matches wins. */
const sentence: Reads<true> = either(
  declaration,
  definition,
  output,
  order,
  having,
  slice,
  rank,
  group,
  counting,
  calculation,
  columns,
  subject,
  where,
  different,
  asking,
  deed,
  glossed,
);
