import { timeParts } from '../../../language/lexicon.ts';
import { singular } from '../../../language/words.ts';
import { columnValue, isMeasure, measured, type Query, type Value } from '../../sql/query.ts';
import { isAmount } from '../../table/schema.ts';
import { dimension } from '../columns/dimension.ts';
import { isFilled } from '../columns/states.ts';
import { pairOf, rowCount } from '../figures/counts.ts';
import { isRate, mayHoldPieces, moneyOf } from '../figures/money.ts';
import { either, looseRule, type Match, type Reads, rule, type Source } from '../grammar.ts';
import { timeColumn } from '../times/time-columns.ts';
import { comparison } from '../values/comparisons.ts';
import { groupWords, havingWords, periods } from '../words.ts';
import { isRowsOrNothing } from './deeds.ts';
import { keyOfRows } from './orders.ts';

const plural = (name: string) => (name === singular(name) ? `${name}s` : name);

/** Whether what was sold may be pieces in a column instead of rows: `did we sell more red wines or more white wines`. */
const isOfSoldPieces = (tokens: Source['tokens'], { columns }: Source['table']): boolean =>
  columns.some(mayHoldPieces) && tokens.some(({ norm }) => /^(?:sell|sold|buy|bought)$/.test(norm));

const had = `[and|,] (${havingWords}|[that|which|who] [have|has] [been] {deedWord})`;

const orMore = 'or more|or above|or fewer|or less';

/** Conditions on groups: `with more than one order`, `having a total amount above 100`, `ordered more than once`. */
export const having: Reads<true> = either(
  // `duplicate email addresses`, `customers with the same phone`
  rule(
    '(([are there|is there|have] [any] (duplicate|duplicates of|duplicated|repeated|double)|(have|has|share|shares|with|got) the same|(share|shares) (a|an|the)) {of:dimension}|(is|are) [there] any {of:dimension} [in {file}] [listed|there|entered] (twice|more than once|several times))',
    ({ of }, { query }) => repeated(query, of),
  ),
  // `an address that occurs twice`
  rule(
    '[that|which] [has been|have been|was|were|is|are] (occurs?|appears?|is there|are there|(is|are) in {file}|exists?|entered|listed|used|comes? up|turns? up) (twice|more than once|several times|multiple times|repeatedly)',
    (_found, { query }) =>
      isRowsOrNothing(query) ? undefined : repeated(query, query.subject as Value),
  ),
  // `students with more than two courses`, `cities with 5 students or more`
  looseRule(
    `${had} [the|a|an] [{op:comparison}] {number} [word:(${orMore})] ({rows}|{of:dimension}) [word:(${orMore})]`,
    ({ rows: all, of, number: value, word, op }, { query }) => {
      const sign = word ? (/more|above/.test(word) ? '>=' : '<=') : op;
      if (!sign || value === undefined || (of && of.column?.isNumber !== false)) return undefined;
      const different = of && measured('distinct', of, `different ${of.words}`);
      const measure = different ?? rowCount(plural(all?.text ?? ''), all?.where);
      return addHaving(query, { measure, op: sign, value });
    },
  ),
  rule(
    `${had} [the|a|an] {op:comparison} (word:(once|twice)|{number} times?)`,
    ({ op, number: count, word }, { query }) => {
      const value = count ?? (word === 'once' ? 1 : 2);
      return addHaving(query, { measure: rowCount(), op, value });
    },
  ),
  rule(
    `${had} [the|a|an] {measure} {op:comparison} {number}`,
    ({ measure: of, op, number: least }, { query }) => {
      query.having.push({ measure: of, op, value: least });
      return true;
    },
  ),
);

/** Groups by a value, and keeps values with several rows. */
function repeated(query: Query, of: Value): true | undefined {
  if (!of.column || query.groups.length > 0 || query.rank) return undefined;
  query.where.push(isFilled(of));
  query.groups.push(of);
  query.having.push({ measure: rowCount(), op: '>', value: 1 });
  return true;
}

function addHaving(query: Query, test: Query['having'][number]): true | undefined {
  if (test.op === '=' || (query.subject === 'rows' && query.groups.length === 0)) return undefined;
  query.having.push(test);
  return true;
}

/** Groupings: `per country`, `by status and method`, `for each month`, `group the errors by endpoint`, `monthly`. */
export const group: Reads<true> = either(
  looseRule(
    '(group|grouped|group them|grouping|tally|word:(break down|split)) [the] [{file}] [{rows}] [in|of|from] [{file}]',
    ({ rows: all, word }, { query, table }) => {
      query.isGrouped = true;
      // Rows or money may be meant.
      const money = word && moneyOf(table, 'total');
      if (money && query.measures.length === 0)
        query.measures.push(
          rowCount(all?.text, all?.where),
          measured('sum', money, `total ${money.words}`),
        );
      if (!all) return true;
      query.where.push(...all.where);
      query.subject ??= 'rows';
      query.groupNoun = all.text;
      return true;
    },
  ),
  // `cash or card, how many each?`, `how many of each size`
  looseRule(
    '[and] how many [are there] [of|for|from|in|to] each [{of:dimension}]',
    ({ of }, { query }) => {
      if (query.measures.length > 0) return undefined;
      query.measures.push(rowCount());
      if (of) query.groups.push(of);
      else query.isCompared = true;
      return true;
    },
  ),
  // `the largest order per country by amount`
  rule('by [the|their] {of:expression}', ({ of }, { query }) => {
    if (!query.rank || query.rank.by || query.groups.length === 0) return undefined;
    query.rank = { ...query.rank, by: of };
    return true;
  }),
  rule(
    'word:(compared to|compared with|compare to|compare with|versus|vs|compare) [the|that of|those of|(the (one|ones)|that|those) (in|on|from)]',
    ({ word, from }, { query }) => {
      if (word === 'compare' && from > 0) return undefined;
      query.isCompared = true;
      return true;
    },
  ),
  // `did we sell more adult tickets or more child tickets`
  looseRule(
    '((are|were|is|was) there|(did|do|have) (we|i|you|they) ({deedWord}|have|had|got)) more ({rows}|{value}) (or|than) [more] ({noun:rows}|{condition:value})',
    (kinds, { query, table, tokens }) => {
      const pair = pairOf(kinds);
      const noun = [kinds.noun, kinds.rows].find((of) => of?.isNoun);
      if (!pair || !noun || query.measures.length > 0 || isOfSoldPieces(tokens, table))
        return undefined;
      query.where.push(pair.first, pair.second);
      query.groups.push(columnValue(pair.column));
      query.measures.push(rowCount(noun.text.split(' ').at(-1)));
      return true;
    },
  ),
  // `are there more visits in May or in June`, `did we spend more in May or in June`
  looseRule(
    '((are|were|is|was) there more {rows}|(did|do) (we|i|you) {text} more [money]|(did|do) (we|i|you) {deedWord} more {rows}|(has|had|made|took|brought|earned|got) [in] more ({measure}|{rows}|[in|from] {of:column}))',
    ({ rows: all, text, measure, of: own, end }, { query, table, tokens }) => {
      const named = own?.column;
      const isChoice = tokens.slice(end).some(({ norm }) => norm === 'or');
      const of = named && isAmount(named) ? columnValue(named) : text && moneyOf(table, text.norm);
      if (!isChoice || query.measures.length > 0 || !(all ?? of ?? measure)) return undefined;
      if (all && isOfSoldPieces(tokens, table)) return undefined;
      query.measures.push(
        measure ??
          (all ? rowCount(all.text, all.where) : measured('sum', of, `total ${of?.words}`)),
      );
      query.isCompared = true;
      return true;
    },
  ),
  period,
  samePeriod,
  groupBy,
);

const anotherGroup = ', and by|and by|, and|and|,|and per|per|, then by|and for each'.split('|');

const periodNames = new Set([...periods.values(), 'night']);

/** Reads `per day` if it only repeats the name of the column that is asked for: `daily_price`. */
function samePeriod(source: Source, at: number): Match<true> | undefined {
  const { tokens, query } = source;
  const { measures, rank } = query;
  const period = source.isWord(at, 'per') ? (tokens[at + 1]?.stem ?? '') : '';
  if (!periodNames.has(period)) return undefined;
  const isRanked = measures.length === 0 && !isMeasure(rank?.by);
  const used = isRanked ? [rank?.by] : measures.map(({ of }) => of);
  const isRepeated = used.some((of) =>
    of?.column?.words.some(
      (word, i, words) =>
        periods.get(word) === period || (word === period && words[i - 1] === 'per'),
    ),
  );
  // `total monthly_rent per month` groups by the month; `what do they cost per month` does not.
  const group = dimension(source, at + 1)?.value;
  const isVerb = /^(?:costs?|pays?|spend|charge)$/.test(tokens[at - 1]?.norm ?? '');
  const isOwn = group?.column?.words.join(' ') === period;
  const isGroup = group && (!group.part || isOwn || !(isRanked || isVerb));
  return isRepeated && !isGroup ? { value: true, end: at + 2 } : undefined;
}

/** Reads `number of stars` of a group, with a column `stars`. */
const numbered = rule('number of {column}', ({ column: own }) =>
  own.column?.isNumber ? own : undefined,
);

function groupBy(source: Source, start: number): Match<true> | undefined {
  const { query } = source;
  const line = source.phraseAt(start, ['one line', 'a line', 'one row', 'a row']);
  const lead = source.phraseAt(line?.end ?? start, groupWords.split('|'));
  const isBy = lead?.value.endsWith('by');
  let next =
    lead && ((isBy ? undefined : numbered(source, lead.end)) ?? dimension(source, lead.end));
  const isRateOf = next && lead?.value === 'per' && isRate(source, next);
  if (!next || isRateOf || keyOfRows(source, start)) return undefined;
  let end = start;
  while (next) {
    const { value: own }: Match<Value> = next;
    addGroup(query, own);
    end = next.end;
    const joint = source.phraseAt(end, anotherGroup);
    const after: Match<Value> | undefined = joint && dimension(source, joint.end);
    // After `and`, a column may belong to a condition.
    next = after && !comparison(source, after.end) ? after : undefined;
  }
  query.isGrouped = true;
  return { value: true, end };
}

/** A column of times after a period says whose period it is: `per month, by start date`. */
function addGroup(query: Query, own: Value): void {
  const at = own.column?.isTime && !own.part ? query.groups.findIndex(({ part }) => part) : -1;
  const { part = '' } = query.groups[at] ?? {};
  const sqlOf = timeParts.get(part);
  if (sqlOf) query.groups[at] = { ...own, sql: sqlOf(own.sql), words: part, part };
  else if (query.groups.every(({ sql }) => sql !== own.sql)) query.groups.push(own);
}

/** Reads a period as a grouping: `monthly revenue`, `month by month`. */
function period(source: Source, at: number): Match<true> | undefined {
  const [{ norm = '' } = {}, by, again] = source.tokens.slice(at, at + 3);
  const isTwice = by?.norm === 'by' && again?.norm === norm;
  // `hourly rate`
  const isOfName = /^(?:rate|wage|salary|pay|fee|price|charge)$/.test(by?.norm ?? '');
  const part = (isTwice && norm) || (isOfName ? undefined : periods.get(norm));
  const sqlOf = part ? timeParts.get(part) : undefined;
  if (!part || !sqlOf || !source.table.columns.some(({ isTime }) => isTime)) return undefined;
  const own = timeColumn(source, part);
  if (!own) return undefined;
  source.query.groups.push({ sql: sqlOf(own.sql), words: part, part, column: own });
  source.query.isGrouped = true;
  return { value: true, end: at + (isTwice ? 3 : 1) };
}
