import type { Token } from '../../language/lexer.ts';
import { columnValue, type Measure, measured } from '../sql/query.ts';
import { isWord, phraseAt, type Reads, rule, type Source, textOf } from './grammar.ts';
import { isMoneyNoun, moneyOf } from './money.ts';
import { column } from './names.ts';
import { nounEnd } from './rows.ts';
import { isEmpty, stateOf, unendedOf } from './states.ts';
import { earnVerbs, larger, smaller, spendVerbs } from './words.ts';

/** Times, and sums of money: `earliest date`, `total spent`. */
export const timesAndMoney: readonly Reads<Measure>[] = [
  rule('[total] (value|worth|amount) of [the|all|our|my] {rows}', ({ rows: all }, { table }) => {
    const of = moneyOf(table, all.text);
    return of && { ...measured('sum', of, `total ${of.words}`), where: all.where };
  }),
  // `how much do customers still owe us`
  rule(
    'how much [money] [do|does|did] [the|our|we|i|you|they] [{noun}|{of2:column}|{value}] [still] (owe|owes|owed) [us|me]',
    ({ value: kind }, { table }) => {
      const unpaid = unendedOf(table, 'owed');
      const of = unpaid && moneyOf(table, 'owed');
      const where = unpaid ? [isEmpty(columnValue(unpaid)), ...(kind ? [kind] : [])] : [];
      return of && { ...measured('sum', of, `total ${of.words}`), where };
    },
  ),
  rule(
    'word:(earliest|latest|first|last|newest|oldest|most recent) {column}',
    ({ word, column: own }) =>
      own.column?.isTime
        ? measured(
            /^(?:earliest|first|oldest)$/.test(word) ? 'min' : 'max',
            own,
            `${word} ${own.words}`,
          )
        : undefined,
  ),
  rule(
    `(difference|gap|spread|range) (between|of) [the] word:(${larger}|${smaller}) [{of:expression}] and [the] op:(${larger}|${smaller}) {of2:expression}`,
    ({ word, op, of2 }) =>
      word !== op && of2?.column?.isNumber
        ? measured('spread', of2, `difference of ${of2.words}`)
        : undefined,
  ),
  rule(
    `(total money|total amount|total|amount|money) word:(${spendVerbs}|${earnVerbs})`,
    (found, source) => {
      const of = moneyOf(source.table, found.word);
      return of && measured('sum', of, textOf(source, found.from, found.end));
    },
  ),
  rule(
    '(how (much|many)|what) word:[money|euros?|dollars?|pounds|eur|usd] [of (the|our|my|all)] [{noun}] [did|do|does|was|were|is|are|has|have|been|each|every] [i|we|they|you] [have] {start}',
    ({ from, word, noun, start }, source) => howMuch(source, from, start, noun?.stem ?? word ?? ''),
  ),
  rule(
    `word:(${spendVerbs}|${earnVerbs}) on average [per {noun}|for each {noun}]`,
    ({ word }, { table }) => {
      const of = moneyOf(table, word);
      return of && measured('avg', of, `average ${of.words}`);
    },
  ),
];

const moneyVerbs = new RegExp(`^(?:${spendVerbs}|${earnVerbs}|costs?|took|make|made)$`);

const otherFigure =
  /\b(?:number|count|average|mean|median|share|percent|percentage|total|sum|minimum|maximum)\b/;

/** The verb of a sum of money that was asked for, perhaps with its column: `cost per month`; not a condition as in `paid bills`. */
export const moneyVerb: Reads<true> = (source, at) => {
  const { tokens, query } = source;
  if (!moneyVerbs.test(tokens[at]?.norm ?? '') || !query.measures.some(({ fn }) => fn === 'sum'))
    return undefined;
  const own = column(source, at);
  const isCondition = own && stateOf(own.value, true) !== undefined;
  if (isCondition || nounEnd(source, at + 1) !== undefined) return undefined;
  const end = own?.end ?? at + 1;
  return { value: true, end: phraseAt(source, end, ['on', 'for', 'to'])?.end ?? end };
};

/** `how much did Mia pay`, `how much do our subscriptions cost`: the sum of the money, if a verb or noun of money is there. */
function howMuch(source: Source, from: number, end: number, said: string): Measure | undefined {
  const { tokens, table } = source;
  const verb = tokens.slice(end).find(({ norm }) => moneyVerbs.test(norm));
  const isTotal = isWord(tokens[from], 'what')
    ? isInTotal(tokens.slice(end))
    : isWord(tokens[from + 1], 'much') || /^(?:euro|dollar|pound|eur|usd)/.test(said);
  if (!(verb ?? isMoneyNoun(said)) || !isTotal) return undefined;
  const [period = ''] = / per (?:month|year)\b/.exec(textOf(source, end, tokens.length)) ?? [];
  const of = moneyOf(table, `${verb?.norm ?? said}${period}`);
  return of && measured('sum', of, `total ${of.words}`);
}

/** `in total` at the end, and no other figure before it. */
function isInTotal(tokens: readonly Token[]): boolean {
  const said = tokens.flatMap(({ kind, norm }) => (kind === 'word' ? norm : [])).join(' ');
  return /\bin total(?: in)?$/.test(said) && !otherFigure.test(said.replace(/in total.*$/, ''));
}
