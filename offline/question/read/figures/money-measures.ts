import type { Token } from '../../../language/lexer.ts';
import {
  type Condition,
  columnValue,
  isMeasure,
  type Measure,
  measured,
  sqlOfAll,
  type Value,
} from '../../sql/query.ts';
import { type Column, isAmount, type Table } from '../../table/schema.ts';
import { column } from '../columns/names.ts';
import { isOwedByUs, unendedOf, unmet } from '../columns/states.ts';
import { isDeed, isState } from '../columns/verbs-of-rows.ts';
import { looseRule, type Reads, rule, type Source } from '../grammar.ts';
import { nounEnd } from '../rows/rows.ts';
import { timeColumn } from '../times/time-columns.ts';
import { value } from '../values/values.ts';
import { earnVerbs, larger, moneyParticiples, moneyVerbs, smaller, spendVerbs } from '../words.ts';
import { isMoneyNoun, isStock, moneyOf, priceOf, stockValue } from './money.ts';
import { isSettled } from './settled.ts';
import { isOfName } from './superlatives.ts';

const visits = /^(?:visit|check-?in|appointment|session|stay|attendance|consultation|treatment)$/;

/** Words of a column of times that are still to come. */
const later = /^(?:valid|due|expir\w*|next|until|till|end|planned|scheduled)$/;

const untilToday = ({ sql, name }: Column): Condition => ({
  sql: `date(${sql}) <= date('now', 'localtime')`,
  words: `${name} until today`,
});

/** The money of a column or of all rows. If `worth` is asked for, that of the pieces in stock. */
function worthOf(
  table: Table,
  { named, text, isWorth }: { named: Value | undefined; text: string; isWorth: boolean },
): Value | undefined {
  const isOfStock = isWorth && named?.column !== undefined && isStock(named.column);
  const money = isOfStock ? undefined : (named ?? moneyOf(table, text));
  if (money || !isWorth) return money;
  const isInStock = table.columns.some((own) => isStock(own) || own.words.includes('copy'));
  const price = isInStock ? undefined : priceOf(table);
  return stockValue(table, 'stock') ?? (price && columnValue(price));
}

/** Calculations with times and money: `earliest date`, `total spent`. */
export const timesAndMoney: readonly Reads<Measure>[] = [
  // `value of the orders`, `what do the orders from DE add up to`
  looseRule(
    "([total] (value|worth|amount) of [the|all|our|my] {rows}|((what|how much) (do|does|did|is|are|was|were)|what's) [all] [the|all|our|my] ({rows}|{of:column}) [{condition}] [in {file}] [in total] (add up to|come to|amount to|sum up to|word:(worth)) [together|in total|altogether|all together])",
    ({ rows: all, of: named, condition: kind, word }, { table }) => {
      if (named && !(named.column && isAmount(named.column))) return undefined;
      const of = worthOf(table, { named, text: all?.text ?? '', isWorth: word !== undefined });
      const where = [...(all?.where ?? []), ...(kind ? [kind] : [])];
      return of && { ...measured('sum', of, `total ${of.words}`), where };
    },
  ),
  // `when was the last error`
  looseRule(
    'when (lead:(was|were|did)|is) [the|our|my] [very] word:(first|last|latest|earliest|most recent) ({rows}|{value}) [happen|occur|take place]',
    ({ lead, word = '', rows: all, value: kind }, source) => {
      const own = all?.isPlural ? undefined : timeColumn(source, word);
      const fn = /^(?:first|earliest)$/.test(word) ? 'min' : 'max';
      const which = all?.where ?? (kind ? [kind] : []);
      const where = own && lead ? [...which, untilToday(own)] : which;
      return own && { ...measured(fn, columnValue(own), `${word} ${own.name}`), where };
    },
  ),
  // `when was Pepper last vaccinated`, `when was Ann last here`: not where a row may be of the future, or of what was cancelled
  rule(
    'when (was|were|did|has|have) {condition} [been] last {text}',
    ({ condition: kind, text: { norm } }, source) => {
      const { table } = source;
      const isOfVisits = [...table.nouns].some((noun) => visits.test(noun));
      const isDone = /^(?:here|in)$/.test(norm) ? isOfVisits : isDeed(table, norm);
      const own = isDone && !table.columns.some(isState) ? timeColumn(source, 'last') : undefined;
      if (!own || own.words.some((word) => later.test(word))) return undefined;
      const where = [kind, untilToday(own)];
      return { ...measured('max', columnValue(own), `last ${own.name}`), where };
    },
  ),
  // `how much do customers still owe us`
  rule(
    '((how much|what) [money] [do|does|did] [the|our|my|we|i|you|they] [{stateWord}] [{noun}|{of2:column}|{value}] [still] (owe|owes|owed) [us|me]|how much [money] (is|was) [still] word:(unpaid|outstanding|open|owed))',
    ({ value: kind, stateWord: state, word }, source) => {
      const { table } = source;
      const unpaid = isOwedByUs(source) ? undefined : unendedOf(table, 'owed');
      if (word === 'open' && unendedOf(table, word) !== unpaid) return undefined;
      const price = priceOf(table);
      const of = unpaid && (moneyOf(table, 'owed') ?? (price && columnValue(price)));
      if (!unpaid || !of) return undefined;
      const owed = unmet(unpaid, 'owed');
      const where = [
        owed,
        ...[state, kind].flatMap((one) => (one && one.sql !== owed.sql ? [one] : [])),
      ];
      return { ...measured('sum', of, `total ${of.words}`), where };
    },
  ),
  rule(
    'word:(earliest|latest|first|last|newest|oldest|most recent) {column}',
    ({ word, column: own, from }, source) => {
      const fn = /^(?:earliest|first|oldest)$/.test(word) ? 'min' : 'max';
      return own.column?.isTime && !isOfName(source, from)
        ? measured(fn, own, `${word} ${own.words}`)
        : undefined;
    },
  ),
  rule(
    `(difference|gap|spread|range) (between|of) [the|our|my] word:(${larger}|${smaller}) [{of:expression}] and [the|our|my] op:(${larger}|${smaller}) {of2:expression}`,
    ({ word, op, of2 }) =>
      word !== op && of2?.column?.isNumber
        ? measured('spread', of2, `difference of ${of2.words}`)
        : undefined,
  ),
  // `difference between the dearest and the cheapest tool`
  rule(
    '[price|age] (difference|gap) [in price|in age] between [the|our|my] {superlative} [{those:rows}] and [the|our|my] {other:superlative} [{these:rows}]',
    ({ superlative: one, other, those, these, end }, source) => {
      const where = these?.where ?? those?.where ?? [];
      // `the dearest book and the cheapest fiction book` are not of the same rows.
      const isOpen = !these && source.tokens[end]?.kind === 'word';
      const isFile = /^(?:in|from|of)$/.test(source.wordAt(end));
      if (those && ((isOpen && !isFile) || sqlOfAll(those.where) !== sqlOfAll(where)))
        return undefined;
      const [by, to] = [one.by, other.by];
      if (one.direction === other.direction || isMeasure(by) || isMeasure(to)) return undefined;
      return by?.column?.isNumber && by.sql === to?.sql
        ? { ...measured('spread', by, `difference of ${by.words}`), where }
        : undefined;
    },
  ),
  // `how many days are there between the first and the last rehearsal`
  rule(
    '[how many] days [are there|were there|lie|passed|went by|are] between [the|our|my] (first|earliest) and [the|our|my] (last|latest|most recent) {rows}',
    ({ rows: { where } }, source) => {
      const own = timeColumn(source, 'first');
      if (!own?.isTime) return undefined;
      const of = { sql: `julianday(date(${own.sql}))`, words: `days of ${own.name}` };
      return { ...measured('spread', of, `days from the first to the last ${own.name}`), where };
    },
  ),
  rule(
    `(total money|total amount|total|amount|money) {start} word:(${spendVerbs}|${earnVerbs}|${moneyParticiples})`,
    (found, source) => {
      const isNamed = column(source, found.start) ?? value(source, found.start);
      const of = isNamed ? undefined : moneyOf(source.table, found.word);
      // `paid` may be a state of the rows.
      const isState = source.table.columns.some(
        ({ words, truth, isTime }) => (truth ?? isTime) && words[0] === found.word,
      );
      return of && !isState ? measured('sum', of, source.textOf(found.from, found.end)) : undefined;
    },
  ),
  rule(
    '(how (much|many)|what) word:[money|euros?|dollars?|pounds|eur|usd] [of (the|our|my|all)] [{noun}] [did|do|does|was|were|is|are|has|have|been|each|every] [i|we|they|you] [have] {start}',
    ({ from, word, noun, start }, source) => howMuch(source, from, start, noun?.stem ?? word ?? ''),
  ),
];

const verbs = new RegExp(`^(?:${spendVerbs}|${earnVerbs}|${moneyVerbs}|${moneyParticiples})$`);

/** Verbs for one kind of money, which only fit a table with such rows. */
const ownVerbs = /^(?:refund|donat|invoic|bill)/;

const otherFigure =
  /\b(?:number|count|average|mean|median|share|percent|percentage|total|sum|minimum|maximum)\b/;

/** Whether a word is a state of rows: `donated harvests`, `donated tomatoes`. */
const isBeforeRows = (source: Source, at: number): boolean =>
  nounEnd(source, at + 1) !== undefined || column(source, at)?.value.column?.truth !== undefined;

/** Reads the verb of a sum of money, possibly with its column: `cost per month`. `paid bills` is a condition instead. */
export const moneyVerb: Reads<true> = (source, at) => {
  const { tokens, query } = source;
  const isSum = query.measures.some(({ fn }) => fn === 'sum') && !query.hasSpan;
  if (!isSum || !verbs.test(tokens[at]?.norm ?? '')) return undefined;
  if (isBeforeRows(source, at) || !isSettled(source, at)) return undefined;
  const own = column(source, at);
  const end = own?.end ?? at + 1;
  const lead = source.phraseAt(end, ['on', 'for', 'to', 'in']);
  const named = lead && column(source, lead.end);
  // `charged in fines`
  const isRepeated = named && query.measures.some(({ of }) => of?.sql === named.value.sql);
  const last = lead?.value === 'in' ? end : (lead?.end ?? end);
  return { value: true, end: isRepeated ? named.end : last };
};

/** The sum of money, given a verb or noun for money: `how much did Mia pay`, `how much do our subscriptions cost`. */
function howMuch(source: Source, from: number, end: number, said: string): Measure | undefined {
  const { tokens } = source;
  // `(stock times unit cost)` explains.
  const found = tokens.findIndex(({ norm }, at) => at >= end && (norm === '(' || verbs.test(norm)));
  const verb = source.wordAt(found) === '(' ? undefined : tokens[found]?.norm;
  const isAsked = isInTotal(tokens.slice(end));
  const isTotal = source.isWord(from, 'what')
    ? isAsked || isWhatSpent(source, from, verb)
    : source.isWord(from + 1, 'much') || /^(?:euro|dollar|pound|eur|usd)/.test(said);
  if (!(verb || isMoneyNoun(said) || isAsked) || !isTotal) return undefined;
  const money =
    verb === undefined ? moneyOf(source.table, said || 'total') : spentColumn(source, found, verb);
  return money && measured('sum', money, `total ${money.words}`);
}

/** The money that a verb is about: a column with its name, or the money of the table. */
function spentColumn(source: Source, at: number, verb: string): Value | undefined {
  const { table } = source;
  const own = column(source, at)?.value;
  if (own?.column?.isNumber) return own;
  if (ownVerbs.test(verb) && !isDeed(table, verb)) return undefined;
  const [period = ''] = / per (?:month|year)\b/.exec(source.textOf()) ?? [];
  const of = moneyOf(table, `${verb}${period}`);
  const isOfPeriod = of?.column?.words.join(' ').includes(period.trim());
  // A price per month is not the total of a month.
  return verb.startsWith('cost') && !isOfPeriod ? undefined : of;
}

/** Whether `what` asks for a sum: `what did we spend`, `what do our contracts cost`; not `what does it cost`. */
function isWhatSpent(source: Source, from: number, verb = ''): boolean {
  const isPlural = source.isWord(from + 1, 'do') && verb === 'cost';
  const isOfMoney = isPlural || new RegExp(`^(?:${spendVerbs}|${earnVerbs})$`).test(verb);
  return isOfMoney && !otherFigure.test(source.textOf(from, source.tokens.length));
}

/** Whether the question ends with `in total`, without another calculation before it. */
function isInTotal(tokens: readonly Token[]): boolean {
  const said = tokens.flatMap(({ kind, norm }) => (kind === 'word' ? norm : [])).join(' ');
  const rest = said.replace(
    /\b(?:in total|altogether|all in all|overall)(?: in)?(?= (?:per|for each|for every) |$)/,
    '',
  );
  return rest !== said && !otherFigure.test(rest);
}
