import {
  type Condition,
  columnValue,
  type Measure,
  measured,
  type Query,
  type Value,
} from '../sql/query.ts';
import { rowCount } from './counts.ts';
import { type Reads, rule } from './grammar.ts';
import { adding, isAdded, isMass, moneyOf, quantityOf } from './money.ts';
import { nounEnd } from './rows.ts';
import { isDeed } from './verbs-of-rows.ts';
import { earnVerbs, neutralVerbs, spendVerbs, tradeVerbs } from './words.ts';

/** Whether a query asks for whole rows, or has no subject yet. */
export const isRowsOrNothing = ({ subject }: Query) => subject === undefined || subject === 'rows';

/** The number of rows or groups that the subject asks for: 1 for a singular. */
export const countOf = ({ subjectCount, subjectIsPlural }: Query): number | undefined =>
  subjectCount ?? (subjectIsPlural ? undefined : 1);

/** Verbs that only state that the rows exist, after `did we`. */
export const plainDeeds =
  /^(?:use|own|give|make|hold|do|get|go|take|record|log|enter|visit|hits?|see|meet|play|work|come|came|train)$/;

function setRank(query: Query, word: string, by: Value | Measure, count = countOf(query)): true {
  const direction = /^(?:most|last|latest|most recently)$/.test(word) ? 'desc' : 'asc';
  query.rank = { direction, word, by, count };
  return true;
}

/** Whether two columns have values in common: who scored does not say who gave the assist. */
function isSameKind({ subject }: Query, of: Value): boolean {
  const own = subject === 'rows' ? undefined : subject?.column;
  return [...(of.column?.values ?? [])].some((one) => own?.values.has(one));
}

/** A pattern for `most`, `least` and `fewest`. */
export const most = '[the] word:(most|least|fewest)';

/** Ranks by what somebody did: `spent the most`, `sold the most units`, `requested most often`. */
export const deeds: readonly Reads<true>[] = [
  rule(
    `lead:(${spendVerbs}|${earnVerbs}) [us|me] ${most} [money|in total|overall|altogether]`,
    ({ lead = '', word }, { query, table }) => {
      const of = moneyOf(table, lead);
      if (!of || query.rank) return undefined;
      if (!isRowsOrNothing(query)) return setRank(query, word, measured('sum', of, lead));
      // `who earns the most`: each row is one person.
      if (!/^earn/.test(lead)) return undefined;
      query.subject = 'rows';
      return setRank(query, word, of, query.subjectCount ?? 1);
    },
  ),
  rule(
    `(${tradeVerbs}) ${most} [total|booked|worked|logged] [{value}] {of:expression}`,
    (found, { query }) => {
      const { word, of, value: kind } = found as typeof found & { value?: Condition };
      if (query.rank || isRowsOrNothing(query) || of.column?.isNumber === false) return undefined;
      const by = measured('sum', of, `total ${of.words}`);
      return setRank(query, word, { ...by, where: kind ? [kind] : [] });
    },
  ),
  // `who picked the most kg`, `which concert sold the most tickets` of `tickets_sold`
  rule(`{text} ${most} [total] {column}`, ({ text, word, column: of }, { query }) => {
    const { isNumber = false, words = [] } = of.column ?? {};
    const isEnd = words.length > 1 && words.at(-1) === text.norm;
    const isVerb = text.kind === 'word' && (isEnd || /ed$/.test(text.norm));
    if (!isVerb || query.rank || !isNumber) return undefined;
    if (isRowsOrNothing(query)) return isEnd ? setRank(query, word, of) : undefined;
    const isSum = isEnd || adding.test(words.at(-1) ?? '');
    return isSum ? setRank(query, word, measured('sum', of, `total ${of.words}`)) : undefined;
  }),
  rule(
    `lead:(sold|sells?|bought|ordered) ${most} unit:[often|copies|pieces|units]`,
    ({ lead = '', word, unit }, { query, table }) => {
      const units = table.columns.filter(
        ({ words, isNumber }) =>
          isNumber && /^(?:quantity|qty|unit|copy|sold)$/.test(words.at(-1) ?? ''),
      );
      const [only] = units.length === 1 && unit !== 'often' ? units : [];
      if (query.rank || isRowsOrNothing(query) || !(only ?? isDeed(table, lead))) return undefined;
      return setRank(
        query,
        word,
        only ? measured('sum', columnValue(only), `total ${only.name}`) : rowCount(),
      );
    },
  ),
  rule(
    '[is|are|was|were|gets?|got] [{text}] [here|there|us|it|with us] [the] word:(most|least) unit:[often|frequently|times]',
    ({ word, unit, from, end }, { query, table, tokens }) => {
      const known =
        /^(?:is|are|was|were|gets?|got|here|there|us|it|with|the|most|least|often|frequently|times)$/;
      const [verb, ...others] = tokens.slice(from, end).filter(({ norm }) => !known.test(norm));
      const isDone = verb && (isDeed(table, verb.norm) || plainDeeds.test(verb.norm));
      const { kind = 'mark', norm } = tokens[end] ?? {};
      const isEnd =
        /^(?:mark|file)$/.test(kind) || (norm === 'in' && tokens[end + 1]?.kind === 'file');
      // `which lens did I use most` is clear, but `bought most` may mean a number of pieces or a sum.
      const isClear = unit || (verb && isEnd && !table.columns.some(isAdded));
      if (query.rank || isRowsOrNothing(query) || !isClear || others.length > 0) return undefined;
      if (verb && !isDone) return undefined;
      return setRank(query, word, rowCount(table.isLog ? 'requests' : 'rows'));
    },
  ),
  rule(
    '[was|were|is|has been] {column} word:(most recently|last|latest|first|earliest)',
    ({ column: own, word }, { query }) => {
      if (!own.column?.isTime || query.rank) return undefined;
      query.subject ??= 'rows';
      return setRank(query, word, own);
    },
  ),
  // `who was absent from training the most`
  rule(
    '[is|are|was|were] {value} [(from|at|in) [the] {text}] the word:(most|least) [often|times]',
    ({ value: kind, word, text, end }, source) => {
      const { query, tokens } = source;
      const isEnd = /^(?:mark|file)$/.test(tokens[end]?.kind ?? 'mark');
      const isRow = !text || nounEnd(source, tokens.indexOf(text)) !== undefined;
      if (query.rank || isRowsOrNothing(query) || !isEnd || !isRow) return undefined;
      return setRank(query, word, rowCount(`rows with ${kind.value}`, [kind]));
    },
  ),
  // `who ran the most races` counts different races, unless rows have a quantity.
  rule(`(${neutralVerbs}) ${most} ({rows}|{of:dimension})`, (found, { query, table }) => {
    const { word, of, rows: all } = found as Partial<typeof found> & { word: string };
    const isOther =
      of && (of.column?.isNumber !== false || quantityOf(table) || isSameKind(query, of));
    if (query.rank || isRowsOrNothing(query) || isOther || isMass(all, table)) return undefined;
    const counted = of && measured('distinct', of, `different ${of.words}`);
    return setRank(query, word, counted ?? rowCount(all?.text, all?.where));
  }),
];
