import { columnValue, isMeasure, type Query, type Value } from '../sql/query.ts';
import type { Column } from '../table/schema.ts';
import { either, type Match, phraseAt, type Reads, rule, type Source } from './grammar.ts';
import { moneyOf, numbersOf } from './money.ts';
import { spanIn } from './spans.ts';
import { timesIn } from './time-columns.ts';
import { personOf, placeOf } from './who.ts';

/** Further values of what comes first: `…, and who made it?`, `and on which date was that`, `. Give me name and email`. */
export const extras: Reads<true> = (source, start) => {
  const lead = start > 0 ? opening(source, start) : undefined;
  const { value: found, end } = lead ? valuesAt(source, lead.end) : { value: [], end: start };
  const after = lead && found.length > 0 ? behind(source, end) : undefined;
  const isAsked = lead?.value.isList || found.some((own) => own.isAsked);
  if (!lead || !after || !isAsked || !isEnd(source, after.end)) return undefined;
  const values = found.map(({ value }) => value);
  return addTo(source.query, values, lead.value.isList)
    ? { value: true, end: after.end }
    : undefined;
};

const opening = rule(
  '[(,|;|:|.|?|-)] [and|plus|also|but] lead:[(give|show|tell|get|send) [me]|list|i need|i also need|i want|i would like|we need] [also|both|just|only] {start}',
  ({ lead, start, from }) => (start > from ? { isList: lead !== undefined } : undefined),
);

/** Words around a further value, without a meaning of their own. */
const behind = rule(
  '[did|does|do|was|were|is|are|has|had|have] [it|they|he|she|that|this|them|those|each] [take|took|cost|got|get|made|make|was|were|is|are|happen|happened|occur|belong|last|{text} (it|that|them)] [it|to|that|in] [of (it|them|each|those|these|all of them|each of them|each one)]',
  () => true as const,
);

interface Further {
  readonly value: Value;
  /** Whether a word asks for it: `which`, `who`. */
  readonly isAsked: boolean;
}

function valuesAt(source: Source, start: number): Match<readonly Further[]> {
  const value: Further[] = [];
  let end = start;
  for (let at: number | undefined = start; at !== undefined; ) {
    const next = further(source, at);
    if (!next) break;
    value.push(next.value);
    end = next.end;
    at = phraseAt(source, behind(source, end)?.end ?? end, [', and', 'and', ','])?.end;
  }
  return { value, end };
}

const named = rule(
  '[the] lead:[[in|on|at|for|since|from|by|to|of] (which|what|how many)|(who|what|when|where|how much) (is|was|are|were)|its|their|his|her] [the|it|they|its|their|his|her] {column}',
  ({ lead, column }): Further => ({ value: column, isAsked: lead !== undefined }),
);

const further = either<Further>(
  named,
  rule(
    'word:([by|to|for] (who|whom|whose)|[since|until] when|[on|in] (what|which) (day|date|month)|where|[for] how long|how much)',
    ({ word }, source) => {
      const value = valueFor(source, word);
      return value && { value, isAsked: true };
    },
  ),
);

/** The value that a word asks for: the person of `who`, the time of `when`. */
function valueFor(source: Source, word: string): Value | undefined {
  const { table } = source;
  const only = (columns: readonly (Column | undefined)[]) => {
    const [own, ...others] = columns;
    return own && others.length === 0 ? columnValue(own) : undefined;
  };
  if (/who/.test(word)) return only([personOf(source)]);
  if (/when$|day$|date$|month$/.test(word)) return only(timesIn(table));
  if (word === 'where') return only([placeOf(table)]);
  if (word === 'how much') return moneyOf(table, 'amount');
  return spanIn(source) ?? only(numbersOf(table, ['duration'], 'desc'));
}

/** Whether nothing else follows in its sentence. */
const isEnd = ({ tokens }: Source, at: number): boolean => {
  const { kind, norm = '' } = tokens[at] ?? {};
  const isPlace = /^(?:in|from|of)$/.test(norm) && tokens[at + 1]?.kind === 'file';
  return kind === undefined || /^[.?!]$/.test(norm) || isPlace;
};

/** Adds values to what the query shows. Of groups, they must be there anyway. */
function addTo(query: Query, values: readonly Value[], isList: boolean): boolean {
  const { measures, groups, rank, subject } = query;
  const [measure] = measures;
  const isShown = ({ sql }: Value) =>
    [...groups, ...measures.map(({ of }) => of), isMeasure(rank?.by) ? rank.by.of : undefined].some(
      (one) => one?.sql === sql,
    );
  if (measure && measures.length === 1 && /^m(?:in|ax)$/.test(measure.fn) && measure.of) {
    const direction = measure.fn === 'max' ? 'desc' : 'asc';
    query.rank = { direction, word: measure.name, by: measure.of, count: 1 };
    query.where.push(...measure.where);
    query.columns = [...groups, ...values, measure.of];
    Object.assign(query, { measures: [], subject: 'rows' });
    return true;
  }
  if (measures.length > 0 || isMeasure(rank?.by)) return values.every(isShown);
  if (groups.length > 0) return false;
  if (subject !== undefined && subject !== 'rows') query.columns = [subject, ...values];
  else if (isList || query.columns.length > 0) query.columns.push(...values);
  query.subject = 'rows';
  return true;
}
