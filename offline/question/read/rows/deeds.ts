import type { Token } from '../../../language/lexer.ts';
import {
  type Condition,
  columnValue,
  type Measure,
  measured,
  type Query,
  type Value,
} from '../../sql/query.ts';
import type { Table } from '../../table/schema.ts';
import { labelOf } from '../columns/labels.ts';
import { deedWord, isDeed, isDone } from '../columns/verbs-of-rows.ts';
import { rowCount } from '../figures/counts.ts';
import { isAdded, isMass, isMoneyNoun, moneyOf, quantityOf } from '../figures/money.ts';
import { type Reads, rule } from '../grammar.ts';
import { earnVerbs, spendVerbs } from '../words.ts';

/** Whether a query asks for whole rows, or has no subject yet. */
export const isRowsOrNothing = ({ subject }: Query) => subject === undefined || subject === 'rows';

/** The number of rows or groups that the subject asks for: 1 for a singular. */
export const countOf = ({ subjectCount, subjectIsPlural }: Query): number | undefined =>
  subjectCount ?? (subjectIsPlural ? undefined : 1);

function setRank(query: Query, word: string, by: Value | Measure, count = countOf(query)): true {
  const direction = /^(?:most|last|latest|most recently)$/.test(word) ? 'desc' : 'asc';
  query.rank = { direction, word, by, count };
  return true;
}

/** Verbs for giving money. */
const settling = /^(?:donated?|g[ai]ves?|given|pa(?:id|ys?)|contributed?)$/;

/** Words beside the verb of `is ordered here the most often`. */
const beside =
  /^(?:is|are|was|were|gets?|got|here|there|us|it|with|the|most|least|often|frequently|times)$/;

const visiting = /^(?:go|visit|hits?|see|meet|play)$/;

/** Whether nothing follows `which lens did I use most`. `bought most` may mean a number of pieces or a sum. */
function isEndOfMost(tokens: readonly Token[], end: number): boolean {
  const { kind = 'mark', norm } = tokens[end] ?? {};
  return /^(?:mark|file)$/.test(kind) || (norm === 'in' && tokens[end + 1]?.kind === 'file');
}

/** Asks for the label of the rows if it repeats: `which dish is ordered most often` is about dishes. */
function askForLabel(query: Query, table: Table): void {
  const label = query.subject === 'rows' ? labelOf(table) : undefined;
  if (label && label.values.size < table.rows) query.subject = columnValue(label);
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
    `({deedWord} [in|us|me] ${most} unit:[money]|lead:(${spendVerbs}|${earnVerbs}) [us|me] ${most} [money]) [in total|overall|altogether]`,
    ({ lead, word, unit, deedWord: verb = lead ?? '' }, { query, table }) => {
      const of = moneyOf(table, verb);
      const isOfRows = isDeed(table, verb) && [...table.nouns].some(isMoneyNoun);
      const isOfMoney = lead ?? unit ?? (isOfRows && settling.test(verb));
      if (!of || query.rank || !isOfMoney) return undefined;
      if (!isRowsOrNothing(query)) return setRank(query, word, measured('sum', of, verb));
      // `who earns the most`: each row is one person.
      if (!/^earn/.test(verb) && !(unit && query.subject)) return undefined;
      query.subject = 'rows';
      return setRank(query, word, of, query.subjectCount ?? 1);
    },
  ),
  // `made the most profit`, `which concert sold the most tickets` of `tickets_sold`
  rule(
    `({text}|(brought|brings|took) in) ${most} [total|booked|worked|logged] [{value}] {of:expression}`,
    (found, { query, slots, tokens, ...source }) => {
      const {
        word,
        of,
        text,
        value: kind,
      } = found as typeof found & { value?: Condition; text?: Token };
      const { isNumber, words = [] } = of.column ?? { isNumber: true };
      const isEnd = words.length > 1 && words.at(-1) === text?.norm;
      const isVerb =
        !text || isEnd || deedWord({ ...source, query, slots, tokens }, tokens.indexOf(text));
      if (query.rank || !isNumber || !isVerb) return undefined;
      if (isRowsOrNothing(query)) return isEnd && !kind ? setRank(query, word, of) : undefined;
      const by = measured('sum', of, `total ${of.words}`);
      return setRank(query, word, { ...by, where: kind ? [kind] : [] });
    },
  ),
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
    ({ word, unit, from, end }, source) => {
      const { query, table, tokens } = source;
      const [verb, ...others] = tokens.slice(from, end).filter(({ norm }) => !beside.test(norm));
      const isVerb = !verb || isDone(source, verb.norm) || visiting.test(verb.norm);
      if (query.rank || others.length > 0 || !isVerb) return undefined;
      if (!unit && !(verb && isEndOfMost(tokens, end) && !table.columns.some(isAdded)))
        return undefined;
      askForLabel(query, table);
      if (isRowsOrNothing(query)) return undefined;
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
  // `who ran the most races` counts different races, unless rows have a quantity.
  rule(`{deedWord} ${most} lead:[different] ({rows}|{of:dimension})`, (found, { query, table }) => {
    const { word, of, rows: all, lead } = found as Partial<typeof found> & { word: string };
    const isOther =
      of && (of.column?.isNumber !== false || quantityOf(table) || isSameKind(query, of));
    if (query.rank || isRowsOrNothing(query) || isOther || isMass(all, table)) return undefined;
    const counted = of && { ...measured('distinct', of, `different ${of.words}`), isEither: !lead };
    return setRank(query, word, counted ?? rowCount(all?.text, all?.where));
  }),
];
