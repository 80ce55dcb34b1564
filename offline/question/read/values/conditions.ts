import type { Token } from '../../../language/lexer.ts';
import { list } from '../../../language/lexicon.ts';
import { TaskError } from '../../../task-error.ts';
import { anyOf, type Condition, columnValue, denied, type Value } from '../../sql/query.ts';
import { quoteText } from '../../sql/quote.ts';
import type { Column } from '../../table/schema.ts';
import { flags } from '../columns/flags.ts';
import { column, isHowOften, isParticiple } from '../columns/names.ts';
import { never, relatedConditions } from '../columns/related.ts';
import { isEmpty, isFilled, state, stateOf } from '../columns/states.ts';
import {
  type Captures,
  either,
  listOf,
  type Match,
  type Reads,
  rule,
  type Source,
  single,
} from '../grammar.ts';
import { logMeaning, nounEnd, statusCode } from '../rows/rows.ts';
import { timeCondition } from '../times/times.ts';
import { emptyWords, exceptWords, filledWords, textTests } from '../words.ts';
import { amountFor } from './amounts.ts';
import { amountConditions, columnOfAmount, compare, comparison } from './comparisons.ts';
import { isProse } from './parts-of-values.ts';
import { quantified } from './quantifiers.ts';
import { valueList, valuesOf } from './values.ts';

const like = (text: string) => text.replace(/[%_\\]/g, '\\$&');

const tests = {
  has: (text: string) => ['LIKE', `%${like(text)}%`, 'contains'],
  lacks: (text: string) => ['NOT LIKE', `%${like(text)}%`, 'does not contain'],
  starts: (text: string) => ['LIKE', `${like(text)}%`, 'starts with'],
  ends: (text: string) => ['LIKE', `%${like(text)}`, 'ends with'],
} as const;

/** A condition on the text of a column; of a message, with its source. */
function textTest(
  { sql, words, column }: Value,
  test: keyof typeof tests,
  text: string,
): Condition {
  const [op, pattern = '', said] = tests[test](text);
  const escaping = /[%_\\]/.test(text) ? " ESCAPE '\\'" : '';
  return {
    sql: `${column?.isNumber === false ? (column.shown ?? sql) : sql} ${op} ${quoteText(pattern)}${escaping}`,
    words: `${words} ${said} "${text}"`,
  };
}

/** Whether a word may be looked for in texts: not `nothing`, without quotes. */
const isSaid = ({ kind, norm }: Token): boolean =>
  kind === 'quote' ||
  !/^(?:(?:no|any|some|every)(?:thing|one|body)?|none|neither|nor|not|never|all|what|it|this|that|them|about)$/.test(
    norm,
  );

/** Text conditions, about a named column or the subject: `contains "x"`, `starts with A`. */
const textRules: readonly Reads<Condition>[] = textTests.map(([phrases, test]) =>
  rule(
    `[{of2:column} [that|which|who]] op:(${phrases}) lead:[a|an] [the] [text|word|letter|letters] {text}`,
    (found, { query }) => {
      const { subject } = query;
      // `begins with a B`
      const isLong = found.lead !== undefined && found.text.text.length > 1;
      // `who does not like the ferry`, `where do we mention the gate`
      const isOther = !found.of2 && /^(?:like|mention)/.test(found.op);
      if ((isLong || isOther) && found.text.kind !== 'quote') return undefined;
      const own = found.of2 ?? (subject === 'rows' ? undefined : subject);
      return own?.column?.isNumber === false && found.text.kind !== 'mark' && isSaid(found.text)
        ? textTest(own, test, found.text.text)
        : undefined;
    },
  ),
);

/** Conditions on the values of a column: `country is DE or FR`, `status 500`, `country: DE`, `managed by Dan`. */
const ofColumn: Reads<Condition> = (source, start) => {
  const found = column(source, start);
  const own = found?.value.column;
  if (!found || !own || isHowOften(source, found.end)) return undefined;
  const { value: op, end } = equality(source, found.end, own);
  if (op !== '=' && op !== '<>') return undefined;
  const isSure = end > found.end && !source.table.nouns.has(own.words.join(' '));
  const values = valuesOf(source, end, { own, op, isSure });
  return values && { ...values, value: { ...values.value, meaning: found.value.meaning } };
};

/** The operator after a column: `is`, `is not`, `by`, or none, which means equality. */
function equality(source: Source, at: number, own: Column): Match<string> {
  const by = own.isNumber ? undefined : source.phraseAt(at, ['by', 'to', 'with']);
  const said = comparison(source, at) ?? { value: '=', end: by?.end ?? at };
  const isNot =
    said.value === '=' && said.end > at ? source.phraseAt(said.end, ['not']) : undefined;
  return isNot ? { value: '<>', end: isNot.end } : said;
}

/** The operator for `or more`, `or less` and the like; default: the given one. */
export const more = (said: string | undefined, op: string): string =>
  said === undefined ? op : /more|above|higher|older|later/.test(said) ? '>=' : '<=';

const bounds =
  '[lead:(or more|or above|or higher|or older|or later|or less|or below|or lower|or fewer|or earlier)]';

const columnConditions: readonly Reads<Condition>[] = [
  rule(`{column} [,] (${filledWords})`, ({ column: own }) => isFilled(own)),
  rule(`{column} [,] (${emptyWords})`, ({ column: own }) =>
    own.column?.truth && !own.column.hasEmpty ? stateOf(own, false) : isEmpty(own),
  ),
  ...textRules,
  rule(
    '{column} [is|are|was] (between|from|ranging from) {amount} (and|to|-) {high:amount}',
    between,
  ),
  // `parcels between 5 and 10 kg`
  rule('(between|from) {amount} (and|to) {high:amount} [{of2:column}]', (found, source) => {
    const { amount, high, of2, end } = found;
    const isClear = high.unit || high.isMoney || of2;
    const own = isClear && (of2?.column ?? columnOfAmount(source, high, end));
    const low = { ...high, number: amount.number };
    return own ? between({ ...found, amount: low, column: columnValue(own) }) : undefined;
  }),
  rule(
    `{column} [of] [{op:comparison}] {amount} ${bounds}`,
    ({ column: own, op = '=', amount, lead, end }, { tokens }) =>
      (/^[<>]=?$/.test(op) || lead) && tokens[end]?.norm !== 'times'
        ? compare(own, more(lead, op), amount)
        : undefined,
  ),
  ofColumn,
];

/** A condition for a range of numbers, both ends included. */
export function between({ column: own, amount, high }: Captures): Condition | undefined {
  const [low, top] = own.column ? [amountFor(own.column, amount), amountFor(own.column, high)] : [];
  if (low === undefined || top === undefined || !own.column?.isNumber) return undefined;
  return { sql: `${own.sql} BETWEEN ${low} AND ${top}`, words: `${own.words} is ${low} to ${top}` };
}

/** Text in a column: `"lamp" in the name`; in the messages of a log: `about login`. */
const placedTexts: readonly Reads<Condition>[] = [
  rule(
    'lead:[have|has|having|with] [the (word|words|text|phrase|term)] {text} [or {second:text}] word:(in the|in their|in its|in) {column}',
    ({ lead, text, second = text, word, column: own }) => {
      const isText = text.kind === 'quote' || (text.kind === 'word' && lead && word !== 'in');
      return isText && own.column?.isNumber === false
        ? anyOf([text, second].map((one) => textTest(own, 'has', one.text)))
        : undefined;
    },
  ),
  rule(
    '[that|which] (about|regarding|concerning|mention|mentions|mentioning|contain|contains|containing|say|says|saying) [the|a|an] {text}',
    ({ text }, { table: { columns } }) => {
      const isLevelLog = columns.some(({ name }) => name === 'level');
      // `which reviews mention breakfast`, with one column of prose
      const message = isLevelLog
        ? columns.find(({ name }) => name === 'message')
        : single(columns.filter((own) => !own.isNumber && isProse(own)));
      const isText = text.kind === 'quote' || (text.kind === 'word' && isSaid(text));
      return message && isText ? textTest(columnValue(message), 'has', text.text) : undefined;
    },
  ),
];

/** Conditions on stock: `in stock`, `out of stock`. */
const stocked = rule(
  '(lead:(in stock)|out of stock|sold out|not in stock)',
  ({ lead }, { table }) => {
    const own = table.columns.find(({ words, isNumber }) => isNumber && words.includes('stock'));
    const test = `${lead ? '>' : '='} 0`;
    return own && { sql: `${own.sql} ${test}`, words: `${own.name} ${test}` };
  },
);

const bare: Reads<Condition> = either(
  stocked,
  ...quantified,
  timeCondition,
  ...columnConditions,
  ...amountConditions,
  ...state,
  ...placedTexts,
  ...relatedConditions,
  ...flags,
  logMeaning,
  statusCode,
  valueList,
);

/** Words before a condition that do not change it. */
const leads =
  'with space for|with room for|space for|room for|against|went to|go to|goes to|shipped to|sent to|paid in|but|gave a|got a|paid by|paid with|ran|run|runs|lasted|last|lasts|take|takes|took|where|with a|with|whose|having|that|which|who|for|in|from|of|is|are|was|were|have|has|had|only|made by|made in|when|if the|on|by|and|at|the|a|an|to the|to|rows|ones|be|responses|answered|ended|returned|returning|work in|works in|live in|lives in|belong to|belongs to|assigned to|written by|sold by|placed by|owned by|bought by|ordered by'.split(
    '|',
  );

const beforeExcept = 'that are|which are|who are|are|is|where|and|, but|but|,'.split('|');

const everything = list('all|, all|any|every|from all|from any|from every|of all|in all|in every');

/** Excluding conditions: `except DE`, `excluding the paid ones`. */
const exception: Reads<Condition> = (source, first) => {
  // `all villages except Upwell`
  const of = source.phraseAt(first, everything);
  const named = of && column(source, of.end);
  const start = named?.end ?? first;
  const lead = source.phraseAt(start, beforeExcept);
  const word = source.phraseAt(lead?.end ?? start, exceptWords);
  // `customers without orders in Kiel` is about other rows.
  if (!word || (word.value === 'without' && nounEnd(source, word.end) !== undefined))
    return undefined;
  const inner = excluded(source, word.end);
  if (!inner) return undefined;
  const after = source.phraseAt(inner.end, ['ones', 'rows', 'entries']);
  return { value: denied(inner.value), end: after?.end ?? inner.end };
};

const skipped = /^(?:for|the|a|an|those|ones|from|with|in|of|by|against|about|at|on|to|rows|paid)$/;

/** What an exception is about, possibly after words and nouns that say no more. */
const excluded: Reads<Condition> = either(
  ...columnConditions,
  ...flags,
  logMeaning,
  valueList,
  (source, at) =>
    skipped.test(source.wordAt(at)) || nounEnd(source, at) !== undefined
      ? excluded(source, at + 1)
      : undefined,
);

/** The condition, unless `paid by card` may also mean more rows than the paid ones. @throws TaskError `AMBIGUOUS` */
function notByVerb(source: Source, found: Match<Condition>): Match<Condition> {
  const { column: own, value } = found.value;
  const verb = source.wordAt(found.end - 1);
  const by = source.phraseAt(found.end, ['by', 'with', 'via', 'through']);
  const other = own && value && isVerbLike(verb) && by ? valueList(source, by.end) : undefined;
  const { column: of, words = '' } = other?.value ?? {};
  if (!of || of === own) return found;
  throw new TaskError(
    'AMBIGUOUS',
    `"${verb} ${by?.value} …" may mean that ${words}, or also that ${own?.name} is ${value}. Say "where ${words}", or add "and ${own?.name} is ${value}".`,
  );
}

const isVerbLike = (word: string): boolean => word === 'paid' || isParticiple(word);

/** Reads one condition, after up to five leading words. */
export function one(source: Source, start: number): Match<Condition> | undefined {
  return never(source, start) ?? exception(source, start) ?? afterLeads(source, start);
}

/** @param owner The noun of another table that the condition must be about: `orders of customers from Germany`. */
function afterLeads(
  source: Source,
  at: number,
  owner?: string,
  left = 4,
): Match<Condition> | undefined {
  const found = bare(source, at);
  const isOfOwner = !owner || found?.value.column?.words[0] === owner;
  if (found) return isOfOwner ? notByVerb(source, found) : undefined;
  const lead = left > 0 ? source.phraseAt(at, leads) : undefined;
  if (!lead) return undefined;
  const noun = ownerAt(source, lead.end);
  if (owner && noun) return undefined;
  return afterLeads(source, noun ? lead.end + 1 : lead.end, owner ?? noun, left - 1);
}

function ownerAt(source: Source, at: number): string | undefined {
  const { stem } = source.tokens[at] ?? {};
  const isOwner = source.table.columns.some(({ link, words }) => link && words[0] === stem);
  return isOwner && nounEnd(source, at) === undefined ? stem : undefined;
}

/** Reads a condition, or several joined by `or`: `where amount > 50`, `from DE or FR`, `since March 2024`. */
export const condition: Reads<Condition> = (source, at) => {
  const all = alternatives(source, at);
  return all && { value: anyOf(all.value), end: all.end };
};

const alternatives = listOf(one, ['or', ', or']);
