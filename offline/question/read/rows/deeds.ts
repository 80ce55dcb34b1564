import type { Token } from '../../../language/lexer.ts';
import { columnValue, type Measure, measured, type Query, type Value } from '../../sql/query.ts';
import { repeatedLabel } from '../columns/name-forms.ts';
import { deedWord, isDeed, isDone } from '../columns/verbs-of-rows.ts';
import { rowCount } from '../figures/counts.ts';
import { isAdded, isMass, isMoneyNoun, moneyOf, priceOf, quantityOf } from '../figures/money.ts';
import { isSettled } from '../figures/settled.ts';
import { looseRule, type Reads, type Source, single } from '../grammar.ts';
import { earnVerbs, spendVerbs } from '../words.ts';

/** Whether a query asks for whole rows, or has no subject yet. */
export const isRowsOrNothing = ({ subject }: Query) => subject === undefined || subject === 'rows';

/** The number of rows or groups that the subject asks for: 1 for a singular. */
export const countOf = ({ subjectCount, subjectIsPlural }: Query): number | undefined =>
  subjectCount ?? (subjectIsPlural ? undefined : 1);

type Found = Parameters<Parameters<typeof looseRule>[1]>[0];

/** A rule that ranks by a value, unless the question is ranked already. */
const ranking = (
  pattern: string,
  by: (found: Found, source: Source) => Value | Measure | undefined,
): Reads<true> =>
  looseRule(pattern, (found, source) => {
    const { query } = source;
    const value = query.rank ? undefined : by(found, source);
    if (value === undefined) return undefined;
    const word = found.word ?? '';
    const direction = /^(?:most|last|latest|most recently)$/.test(word) ? 'desc' : 'asc';
    query.rank = { direction, word, by: value, count: countOf(query) };
    return true as const;
  });

/** Verbs for giving money. */
const settling = /^(?:donated?|g[ai]ves?|given|pa(?:id|ys?)|contributed?)$/;

/** Words beside the verb of `is ordered here the most often`. */
const beside =
  /^(?:is|are|was|were|gets?|got|here|there|us|it|with|the|most|least|often|frequently|times)$/;

/** Verbs for what happens once in each row, whatever amounts it has. */
const visiting = /^(?:go|visits?|hits?|see|meet|play|calls?|comes?|occurs?|appears?|happens?)$/;

const isVerb = (source: Source, verb: string): boolean =>
  visiting.test(verb) || isDone(source, verb);

/** Whether `most` behind a verb means `most often`: nothing follows. `bought most` may mean a number of pieces or a sum. */
const isCount = (source: Source, verb: Token | undefined, end: number): boolean =>
  verb !== undefined &&
  source.isAtEnd(end + Number(source.wordAt(end) === 'in')) &&
  (visiting.test(verb.norm) || !source.table.columns.some(isAdded));

/** Whether two columns have values in common: who scored does not say who gave the assist. */
function isSameKind({ subject }: Query, of: Value): boolean {
  const own = subject === 'rows' ? undefined : subject?.column;
  return [...(of.column?.values ?? [])].some((one) => own?.values.has(one));
}

/** A pattern for `most`, `least` and `fewest`. */
export const most = '[the] word:(most|least|fewest)';

/** Ranks by what somebody did: `spent the most`, `sold the most units`, `requested most often`. */
export const deeds: readonly Reads<true>[] = [
  ranking(
    `({deedWord} [in|us|me] ${most} unit:[money]|lead:(${spendVerbs}|${earnVerbs}) [us|me] ${most} [money]) [in total|overall|altogether]`,
    ({ lead, unit, deedWord: verb = lead ?? '', from }, source) => {
      const { query, table } = source;
      const of = moneyOf(table, verb);
      const isOfRows = isDeed(table, verb) && [...table.nouns].some(isMoneyNoun);
      const isOfMoney = lead ?? unit ?? (isOfRows && settling.test(verb));
      if (!of || !isOfMoney || !isSettled(source, from)) return undefined;
      if (!isRowsOrNothing(query)) return measured('sum', of, verb);
      // `who earns the most`, `which member pays the least`: each row is one of them.
      if (!/^(?:earn|pays?$)/.test(verb) && !(unit && query.subject)) return undefined;
      query.subject = 'rows';
      query.subjectCount ??= 1;
      return of;
    },
  ),
  // A plant costs its price, not what was paid for it in all sales.
  ranking(`lead:(costs?) ${most}`, ({ lead }, { query, table }) => {
    const price = isRowsOrNothing(query) ? priceOf(table) : undefined;
    return price && columnValue(price, `${lead} = ${price.name}`);
  }),
  // `which month brought in the most donations`
  ranking(`(brought|brings|bring|took) in ${most} {rows}`, ({ rows: all }, { query, table }) => {
    const of = all && isMoneyNoun(all.stem) ? moneyOf(table, all.text) : undefined;
    return of && !isRowsOrNothing(query)
      ? { ...measured('sum', of, `total ${of.words}`), where: all?.where ?? [] }
      : undefined;
  }),
  // `made the most profit`, `which concert sold the most tickets` of `tickets_sold`
  ranking(
    `({text}|(brought|brings|took) in) ${most} [total|booked|worked|logged] [{value}] {of:expression}`,
    ({ of, text, value: kind, from }, source) => {
      const { isNumber, words = [] } = of?.column ?? { isNumber: true };
      const isEnd = words.length > 1 && words.at(-1) === text?.norm;
      const isVerb = !text || isEnd || deedWord(source, from);
      if (!of || !isNumber || !isVerb) return undefined;
      if (isRowsOrNothing(source.query)) return isEnd && !kind ? of : undefined;
      return { ...measured('sum', of, `total ${of.words}`), where: kind ? [kind] : [] };
    },
  ),
  ranking(
    `lead:(sold|sells?|bought|ordered) ${most} unit:[often|copies|pieces|units]`,
    ({ lead = '', unit }, { query, table }) => {
      const units = table.columns.filter(
        ({ words, isNumber }) =>
          isNumber && /^(?:quantity|qty|unit|copy|sold)$/.test(words.at(-1) ?? ''),
      );
      const only = unit === 'often' ? undefined : single(units);
      if (isRowsOrNothing(query) || !(only ?? isDeed(table, lead))) return undefined;
      return only ? measured('sum', columnValue(only), `total ${only.name}`) : rowCount();
    },
  ),
  ranking(
    '[is|are|was|were|gets?|got] [{text}] [here|there|us|it|with us] [the] word:(most|least) unit:[often|frequently|times]',
    ({ unit, from, end }, source) => {
      const { query, table, tokens } = source;
      const said = tokens.slice(from, end).filter(({ norm }) => !beside.test(norm));
      const isCounted = unit !== undefined || isCount(source, said[0], end);
      if (!isCounted || said.some(({ norm }, at) => at > 0 || !isVerb(source, norm)))
        return undefined;
      // `which dish is ordered most often` is about dishes.
      if (query.subject === 'rows') query.subject = repeatedLabel(table) ?? 'rows';
      return isRowsOrNothing(query) ? undefined : rowCount(table.isLog ? 'requests' : 'rows');
    },
  ),
  ranking(
    '[was|were|is|has been] {column} word:(most recently|last|latest|first|earliest)',
    ({ column: own }, { query }) => {
      if (!own?.column?.isTime) return undefined;
      query.subject ??= 'rows';
      return own;
    },
  ),
  // `who ran the most races` counts different races, unless rows have a quantity.
  ranking(
    `{deedWord} ${most} lead:[different] ({rows}|{of:dimension})`,
    ({ of, rows: all, lead }, { query, table }) => {
      const isOther =
        of && (of.column?.isNumber !== false || quantityOf(table) || isSameKind(query, of));
      if (isRowsOrNothing(query) || isOther || isMass(all, table)) return undefined;
      const counted = of && measured('distinct', of, `different ${of.words}`);
      return counted ? { ...counted, isEither: !lead } : rowCount(all?.text, all?.where);
    },
  ),
];
