import { columnValue, type Measure, measured } from '../sql/query.ts';
import { type Reads, rule, textOf } from './grammar.ts';
import { moneyOf } from './money.ts';
import { isEmpty, unendedOf } from './states.ts';
import { earnVerbs, larger, smaller, spendVerbs } from './words.ts';

/** Times, and sums of money: `earliest date`, `total spent`. */
export const timesAndMoney: readonly Reads<Measure>[] = [
  rule('[total] (value|worth|amount) of [the|all|our|my] {rows}', ({ rows: all }, { table }) => {
    const of = moneyOf(table, all.text);
    return of && { ...measured('sum', of, `total ${of.words}`), where: all.where };
  }),
  // `how much do customers still owe us`
  rule(
    'how much [money] [do|does|did] [the|our] [{noun}|{of2:column}|{value}] [still] (owe|owes|owed) [us|me]',
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
    `(total money|total amount|total|amount|money|how much [money|did|do|does|was|were|has|have|been|each|every]) word:(${spendVerbs}|${earnVerbs})`,
    (found, source) => {
      const of = moneyOf(source.table, found.word);
      return of && measured('sum', of, textOf(source, found.from, found.end));
    },
  ),
  rule(
    `how much [money] [do|did|does|have|has] (i|we|they|you) [have] word:(${spendVerbs}|${earnVerbs}|take|took|make|made) [in|on|for|to] [{of2:column}]`,
    ({ of2, word }, { table }) => {
      const of = of2?.column?.isNumber ? of2 : of2 ? undefined : moneyOf(table, word);
      return of && measured('sum', of, `total ${of.words}`);
    },
  ),
  rule(
    `word:(${spendVerbs}|${earnVerbs}) on average [per {noun}|for each {noun}]`,
    ({ word }, { table }) => {
      const of = moneyOf(table, word);
      return of && measured('avg', of, `average ${of.words}`);
    },
  ),
];
