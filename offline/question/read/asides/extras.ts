import {
  columnValue,
  isCounting,
  isMeasure,
  type Measure,
  measured,
  type Query,
  sqlOfAll,
  type Value,
} from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';
import { moneyOf, numbersOf } from '../figures/money.ts';
import { either, listOf, type Reads, rule, type Source, single } from '../grammar.ts';
import { personOf, placeOf } from '../rows/who.ts';
import { spanIn } from '../times/spans.ts';
import { isVerbOf, timesIn } from '../times/time-columns.ts';

/** Further values of the same rows: `…, and who made it?`, `and on which date was that`, `. Give me name and email`. */
export const extras: Reads<true> = (source, start) => {
  const lead = opening(source, start);
  const values = lead && furthers(source, lead.end);
  if (!values || !isEnd(source, values.end)) return undefined;
  const isAsked = values.value.some((own) => own.isAsked);
  const isPlain = lead.value.isApart && !isAsked && values.value.length > 1;
  const isList = lead.value.isList || isPlain || values.value.some((own) => own.isEnough);
  const isAdded = (isAsked || isList) && addTo(source, values.value, isList);
  return isAdded ? { value: true, end: values.end } : undefined;
};

const opening = rule(
  'word:[(,|;|:|.|?|-)] [and|plus|also|but] [with|using|use] lead:[(give|show|tell|get|send) [me]|list|i need|i also need|i want|i would like|we need] [also|both|just|only] {start}',
  ({ lead, word, start, from }, { tokens, query }) => {
    const isMark = /^(?:mark|op)$/.test(tokens[start - 1]?.kind ?? '');
    const isList = lead !== undefined || word === ':';
    const isApart = isMark && query.orders.length === 0;
    return from > 0 && start > from ? { isList, isApart } : undefined;
  },
);

/** Words around a further value that do not change it. */
const behind = rule(
  '[did|does|do|was|were|is|are|has|had|have] [it|they|he|she|that|this|them|those|each] [take|took|cost|got|get|made|make|was|were|is|are|happen|happened|occur|belong|last|{text} (it|that|them)] [it|to|that|in] [of (it|them|each|those|these|all of them|each of them|each one)] word:[will do|is enough|are enough|is fine|are fine] [please|too|as well]',
  ({ word }) => ({ isEnough: word !== undefined }),
);

interface Further {
  /** Undefined if it is shown anyway: `which one`. */
  readonly value: Value | undefined;
  /** The calculation that is meant: `the sum`, `how often`. */
  readonly fn?: 'sum' | 'count';
  /** Whether a word asks for it: `which`, `who`. */
  readonly isAsked: boolean;
  /** Whether nothing else is asked for: `names are enough`. */
  readonly isEnough?: boolean;
  /** Whether the whole row is meant: `what was it`. */
  readonly isRow?: boolean;
}

const asked = rule(
  '[the] lead:[[in|on|at|for|since|from|by|to|of] (which|what|how many)|(who|what|when|where|how much) (is|was|are|were)|its|their|his|her] [the|it|they|he|she|its|their|his|her] {column}',
  ({ lead, column, end }, source): Further | undefined =>
    // A key does not say who or which show it was.
    /who|which|what/.test(lead ?? '') &&
    column.column?.words.at(-1) === 'id' &&
    !source.isWord(end - 1, 'id')
      ? undefined
      : { value: column, isAsked: lead !== undefined },
);

const further = either<Further>(
  rule(
    '[the|both] word:(sums?|totals?|how often|how many times|count|number)',
    ({ word }, { query }) =>
      word !== 'number' || figuresOf(query).length > 0
        ? { value: undefined, isAsked: false, fn: /^[st]/.test(word) ? 'sum' : 'count' }
        : undefined,
  ),
  // `with the course title instead of the code`
  rule(
    '[the|their|its] {column} [[,] (instead of|rather than|not) [just|only] [the|its|their] {text}]',
    ({ column: own, text }, { query: { groups, subject } }) => {
      const key = own.column?.link;
      const isOf = [...groups, subject].some(
        (one) => one && one !== 'rows' && (one.sql === key || one.sql === own.sql),
      );
      const isNaming = text ?? /(?:name|title)$/.test(own.words);
      return key && isOf && isNaming ? { value: { ...own, key }, isAsked: true } : undefined;
    },
  ),
  asked,
  // `when did they join`, with a time `joined`
  rule('when (did|was|were) (it|they|he|she) {text}', ({ text }, { table }) => {
    const own = single(
      timesIn(table).filter(
        ({ words: [word = '', ...more] }) => more.length === 0 && isVerbOf(word, text),
      ),
    );
    return own && { value: columnValue(own), isAsked: true };
  }),
  rule(
    'word:([by|to|for] (who|whom|whose)|[since|until] when|[on|in] (what|which) (day|date|month)|where|[for] how long|how much [money])',
    ({ word }, source) => {
      const value = valueFor(source, word);
      return value && { value, isAsked: true };
    },
  ),
  // The row of a log says it.
  rule('what (happened|(is|was|are|were) (it|that|they|those) [about])', (_found, { table }) =>
    table.format === 'log' ? { value: undefined, isAsked: true, isRow: true } : undefined,
  ),
  // It is shown anyway.
  rule('which [one|ones] [(is|was|are|were) (it|that|they|those)]', () => ({
    ...{ value: undefined, isAsked: true },
  })),
  rule('how many [(is|was|are|were) (it|that|they|those|there)|came|attended|took part]', () => ({
    ...{ value: undefined, isAsked: true, fn: 'count' },
  })),
);

const furthers = listOf<Further>(
  (source, at) => {
    const found = further(source, at);
    const tail = found && behind(source, found.end);
    return tail && { value: { ...found.value, ...tail.value }, end: tail.end };
  },
  [', and', 'and', ','],
);

/** Replaces the groups by a label: the title of a course for its code. */
function nameGroups(query: Query, label: Value): void {
  const link = label.column?.link;
  const named = (own: Value) => (own.sql === link && label.key === link ? label : own);
  query.groups = query.groups.map(named);
  if (query.subject && query.subject !== 'rows') query.subject = named(query.subject);
}

/** The value that a word asks for: the person of `who`, the time of `when`. */
function valueFor(source: Source, word: string): Value | undefined {
  const { table } = source;
  const only = ([own, ...others]: readonly (Column | undefined)[]) =>
    own && others.length === 0 ? columnValue(own) : undefined;
  if (/who/.test(word)) return only([personOf(source)]);
  if (/when$|day$|date$|month$/.test(word)) return only(timesIn(table));
  if (word === 'where') return only([placeOf(table)]);
  if (word.startsWith('how much')) return moneyOf(table, 'amount');
  return spanIn(source) ?? only(numbersOf(table, ['duration'], 'desc'));
}

/** Whether the sentence ends here. */
const isEnd = (source: Source, at: number): boolean =>
  /^[.?!]?$/.test(source.wordAt(at)) ||
  (/^(?:in|from|of)$/.test(source.wordAt(at)) && source.tokens[at + 1]?.kind === 'file');

const figuresOf = ({ measures, rank }: Query): readonly Measure[] =>
  isMeasure(rank?.by) ? [...measures, rank.by] : measures;

/** Returns a test for values and calculations that the query already shows. */
function isShownIn(query: Query): (one: Further) => boolean {
  const { groups, rank, subject } = query;
  const own = subject === 'rows' ? undefined : subject;
  const figures = figuresOf(query);
  const values = [...groups, own, own && !isMeasure(rank?.by) ? rank?.by : undefined];
  const shown = [...values, ...figures.map(({ of }) => of)] as readonly (Value | undefined)[];
  return ({ value, fn }) =>
    fn
      ? figures.some((one) => one.fn === fn || (fn === 'count' && isCounting(one)))
      : !value || shown.some((one) => one?.sql === value.sql);
}

/** Adds values to the query. A grouped query must already show them. */
function addTo({ query, table }: Source, found: readonly Further[], isList: boolean): boolean {
  const values = found.flatMap(({ value }) => value ?? []);
  for (const value of values) nameGroups(query, value);
  const isShown = isShownIn(query);
  if (found.some((one) => one.fn && !isShown(one))) return false;
  const isOfRow = found.some((one) => one.isRow);
  if ((values.length > 0 || isOfRow) && rowOfExtreme(query, values, isOfRow)) return true;
  if (found.every(isShown)) return isOfGroups(query) || !!query.rank || values.length === 0;
  if (isOfGroups(query)) return rowsOfRepeated(query, values, table);
  const { subject } = query;
  if (subject !== undefined && subject !== 'rows')
    query.columns = [subject, ...values.filter(({ sql }) => sql !== subject.sql)];
  else if (isList || query.columns.length > 0) query.columns.push(...values);
  query.subject = 'rows';
  return true;
}

const isOfGroups = ({ measures, groups, rank }: Query): boolean =>
  measures.length + groups.length > 0 || isMeasure(rank?.by);

const isRepeated = ({ groups, having, measures }: Query): boolean =>
  groups.length === 1 &&
  measures.length === 0 &&
  having.every(({ measure: { fn } }) => fn === 'count');

/** Shows the rows of values that occur in several rows. */
function rowsOfRepeated(query: Query, values: readonly Value[], table: Table): boolean {
  const [group] = query.groups;
  const test = single(query.having);
  const isPlain = !table.joins && isRepeated(query) && test?.measure.where.length === 0;
  if (!group || !test || !isPlain) return false;
  const rows = `FROM ${table.sql} WHERE ${sqlOfAll(query.where)} GROUP BY 1`;
  const sql = `${group.sql} IN (SELECT ${group.sql} ${rows} HAVING count(*) ${test.op} ${test.value})`;
  query.where.push({ sql, words: `${group.words} is in ${test.op} ${test.value} rows` });
  query.columns = [group, ...values];
  Object.assign(query, { groups: [], having: [], subject: 'rows' });
  return true;
}

/** Turns a minimum or maximum into the row that has it, with further values or as a whole. */
function rowOfExtreme(query: Query, values: readonly Value[], isWhole: boolean): boolean {
  const { fn, of, name, where } = single(query.measures) ?? measured('count', undefined, '');
  if (!of || !/^m(?:in|ax)$/.test(fn)) return false;
  query.rank = { direction: fn === 'max' ? 'desc' : 'asc', word: name, by: of, count: 1 };
  query.where.push(...where);
  query.columns = isWhole ? [] : [...query.groups, ...values, of];
  Object.assign(query, { measures: [], subject: 'rows' });
  return true;
}
