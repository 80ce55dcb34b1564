import {
  type Condition,
  columnValue,
  newQuery,
  type Query,
  unclear,
  type Value,
} from '../../sql/query.ts';
import type { Table } from '../../table/schema.ts';
import { dimension } from '../columns/dimension.ts';
import { labelOf } from '../columns/name-forms.ts';
import { column, isHowOften } from '../columns/names.ts';
import { columnOfVerb, isAbout, isDeed } from '../columns/verbs-of-rows.ts';
import { isOfPieces, quantityOf } from '../figures/money.ts';
import { rank } from '../figures/ranks.ts';
import { either, listOf, type Match, type Reads, rule, type Source } from '../grammar.ts';
import { number } from '../values/amounts.ts';
import { comparison, size } from '../values/comparisons.ts';
import { condition } from '../values/conditions.ts';
import { value } from '../values/values.ts';
import { adjectives, nounEnd, type Rows, rows } from './rows.ts';

/** Words before the columns to show. */
const onlyWords =
  'only the columns|only the column|only the|only|just the|just|the columns|columns|with their|with its'.split(
    '|',
  );

/** Reads the columns to show: `the name and price of all products`, `only name and price`, `with their price`. */
export function columns(source: Source, start: number): Match<true> | undefined {
  const { query } = source;
  if (query.columns.length > 0 || query.measures.length > 0) return undefined;
  const only = source.phraseAt(start, onlyWords) ?? beside(source, start);
  const { value: found, end } = columnList(source, only?.end ?? start) ?? { value: [], end: start };
  const after = source.phraseAt(end, ['only']);
  if (found.length === 0 || !((only ?? after) || areColumns(source, end, found.length)))
    return undefined;
  // `the balance of each account` is shown with the account.
  const isWith =
    only?.value.startsWith('with') ||
    source.isWord(start - 1, 'with') ||
    /^of (?:each|every)$/.test(source.normOf(end, end + 2));
  const named = ofOwner(source, end, found);
  query.columns.push(...(isWith ? withLabel(source, named) : named));
  query.subject ??= 'rows';
  return { value: true, end: after?.end ?? end };
}

/** The columns of the joined row that the last one names: `name and phone of the owner`. */
function ofOwner({ tokens, table }: Source, end: number, found: readonly Value[]) {
  const noun = found.at(-1)?.column?.link ? tokens[end - 1]?.stem : undefined;
  const others = table.columns.filter(({ link }) => link);
  return found.map((own) => {
    const one = others.find(({ words }) => words.join(' ') === `${noun} ${own.words}`);
    return one ? columnValue(one) : own;
  });
}

/** `the three oldest books with author`; `the largest orders with coupon` may have one. */
function beside(source: Source, start: number): Match<string> | undefined {
  const lead = source.query.rank && source.phraseAt(start, ['with the', 'with']);
  const found = columnList(source, lead?.end ?? start)?.value;
  const mayLack = found?.some((own) => own.column?.truth ?? own.column?.hasEmpty);
  return mayLack ? undefined : lead;
}

/** Whether columns are to be shown; `sorted by date, name and price` orders by all of them. */
const areColumns = (source: Source, end: number, count: number): boolean =>
  source.query.orders.length === 0 &&
  (count === 1 ? isAlone(source, end) : source.isWord(end, 'of') || !comparison(source, end));

const columnList = listOf(
  (source, at) => column(source, skipColumnWords(source, at)),
  [', and', 'and', ','],
);

/** Adds the column that labels rows: `products with their price`. Without one, whole rows are shown. */
function withLabel({ query, table }: Source, found: readonly Value[]): readonly Value[] {
  if (query.subject !== undefined && query.subject !== 'rows') return found;
  const label = labelOf(table);
  if (label === undefined) return [];
  return found.some(({ sql }) => sql === label.sql) ? found : [columnValue(label), ...found];
}

function skipColumnWords(source: Source, start: number): number {
  let at = start;
  while (/^(?:the|their|its|columns|fields|column)$/.test(source.wordAt(at))) at += 1;
  return at;
}

/** Whether the cells of a column are meant, not distinct values: `the customer of each order`, `the customer column`. */
function isAlone(source: Source, at: number): boolean {
  if (/^(?:column|field)$/.test(source.wordAt(at - 1))) return true;
  if (!/^(?:of|for|from|in)$/.test(source.wordAt(at))) return false;
  const inner = source.with({ query: newQuery() });
  let next = source.skipArticles(at + 1);
  if (/^(?:each|every)$/.test(source.wordAt(next))) next += 1;
  next = number(source, next)?.end ?? next;
  const before = adjectives(inner, next);
  return (
    before.end > next || nounEnd(inner, before.end) !== undefined || rank(inner, next) !== undefined
  );
}

/** Reads the subject: rows (`the orders`, `errors`, `POST requests`) or the values of a column (`which countries`). */
export function subject(source: Source, start: number): Match<true> | undefined {
  const { query, tokens } = source;
  let back = start - 1;
  while (/^(?:the|their|its|all|a|an|of)$/.test(source.wordAt(back))) back -= 1;
  const isJoined = /^(?:and|,)$/.test(source.wordAt(back));
  const at = source.skipArticles(start);
  const count = query.subject === undefined ? number(source, at) : undefined;
  const from = count?.end ?? at;
  const all = rows(source, from);
  if (!all)
    return adjectives(source, from).value.length === 0
      ? values(source, from, count?.value)
      : undefined;
  // `customers and their orders` has two subjects: one of them would be left out.
  if (isJoined && query.subject !== undefined && query.subject !== 'rows') return undefined;
  // `which of the rooms is the largest` asks for one.
  const isOne = /^which (?:one )?of\b.*\b(?:is|was|has|does)\b/.test(source.normOf());
  const { isPlural } = all.value;
  setRows(query, { ...all.value, isPlural: isPlural && !isOne }, tokens[all.end - 1]?.norm);
  query.subjectCount ??= count?.value;
  return { value: true, end: all.end };
}

function setRows(query: Query, { where, isNoun, isPlural }: Rows, noun: string | undefined): void {
  addConditions(query, where);
  if (where.length === 0 || isNoun) query.groupNoun ??= noun;
  query.subject ??= 'rows';
  // `whose runs`: one person is asked for.
  query.subjectIsPlural ||= query.subject === 'rows' && isPlural;
}

/** Makes the values of a column the subject, unless the sentence has one. */
export function values(
  source: Source,
  at: number,
  count: number | undefined,
): Match<true> | undefined {
  const { query, tokens } = source;
  if (query.subject !== undefined || query.measures.length > 0) return undefined;
  const found = dimension(source, at);
  if (!found || found.value.column?.truth) return undefined;
  if (!found.value.part && isAtValue(source, found.end)) return undefined;
  // `goats born after May`
  const isWhen = /^(?:after|before|since|until|from|in|on)$/.test(source.wordAt(found.end));
  const isDated = isWhen && tokens[found.end + 1]?.kind !== 'file' && at > 0;
  if (found.value.column?.isTime && found.value.part === undefined && isDated) return undefined;
  // `the total takings`, of a column `total`
  if (source.slots['measure']?.(source, at)) return undefined;
  const last = tokens[found.end - 1];
  query.subject = found.value;
  query.subjectCount = count;
  query.subjectIsPlural = last !== undefined && last.norm !== last.stem;
  return { value: true, end: found.end };
}

/** Whether a comparison or a value follows, so that the column belongs to a condition. */
function isAtValue(source: Source, at: number): boolean {
  const { kind = '', norm = '' } = source.tokens[at] ?? {};
  if (kind === '' || norm === 'of') return false;
  if (/^(?:number|quote|date)$/.test(kind) || norm === 'between') return true;
  const isBeforeValue = value(source, at + 1) !== undefined;
  if (norm === 'by') return isBeforeValue;
  if (/^(?:is|are|was|were)$/.test(norm) && !isBeforeValue) return size(source, at) !== undefined;
  const found = isHowOften(source, at) ? undefined : comparison(source, at);
  return found !== undefined && source.tokens[found.end]?.norm !== 'the';
}

/** Reads distinct values as the subject. */
export const different = rule('(distinct|different|unique) {of:dimension}', ({ of }, { query }) => {
  query.subject = of;
  query.isDistinct = true;
  return true as const;
});

/** @throws TaskError if a condition may be the share or its whole: `share of orders per month from Germany`. */
function assertOneWhole({ measures, groups }: Query, found: readonly Condition[]): void {
  const share = measures.find(({ fn, where }) => fn === 'share' && where.length === 0);
  const other = found.find(({ sql, column }) => column || !/strftime|date\(/.test(sql));
  if (share && groups.length > 0 && other)
    throw unclear(
      `"${other.words}" may be the condition of the share or of its whole. Say it before "per".`,
    );
}

/** Adds conditions. After a share, they belong to it: in `share of those on main failed`, `failed` is the share. */
export function addConditions(query: Query, found: readonly Condition[], isSaid = false): void {
  const last = query.measures.at(-1);
  const isOpen = last?.where.length === 0 && query.groups.length === 0;
  const isOfShare = last?.fn === 'share' && (isSaid || isOpen);
  if (!isOfShare) {
    assertOneWhole(query, found);
    return void query.where.push(...found);
  }
  query.where.push(...last.where);
  query.measures[query.measures.length - 1] = { ...last, where: found };
}

/** Verbs that only state that the rows exist. */
const plainVerbs =
  /^(?:used|claimed|submitted|entered|filed|involved|represented|mentioned|recorded|seen|found|made|listed|held)$/;

/** Whether a verb is one of them here: with an action `submit`, only some rows were submitted. */
const isPlain = ({ columns }: Table, verb: string): boolean =>
  plainVerbs.test(verb) && !columns.some((own) => isAbout(own, verb));

/** Verbs that only state that the rows exist, after `did we`. */
const plainDeeds =
  /^(?:use|own|give|make|hold|do|get|go|take|record|log|enter|visit|hits?|see|meet|play|work|come|came|train)$/;

/** A verb that only states that the rows exist: `were sold`, about sales. */
export const deed = rule(
  '[was|were|is|are|been|did|do|have been|has been] {text} [to]',
  ({ text, end }, source) => {
    const { query, table, tokens } = source;
    const verb = text.norm.replace(/^sell$/, 'sold').replace(/^buy$/, 'bought');
    const isAfterDid = tokens
      .slice(0, end)
      .some(({ norm }) => /^(?:did|do|does|have|has|we|i)$/.test(norm));
    const isVerb = isAfterDid || /(?:ed|sold|bought|made|seen|paid|lent)$/.test(verb);
    const isOfSubject =
      query.subject !== 'rows' &&
      query.subject?.column !== undefined &&
      columnOfVerb(table, verb)?.sql === query.subject.sql;
    const isDone =
      isOfSubject ||
      isPlain(table, verb) ||
      (isAfterDid && plainDeeds.test(verb)) ||
      (table.isLog && /^(?:requested|called|accessed|visited|downloaded)$/.test(verb)) ||
      (isVerb && !table.isLog && isDeed(table, verb));
    const last = query.measures.at(-1);
    const isThing = /^(?:with|for|a|an|the)$/.test(source.wordAt(tokens.indexOf(text) - 1));
    if (text.kind !== 'word' || isThing || !(query.subject ?? last) || !isDone) return undefined;
    const units =
      /^(?:sold|bought|ordered)$/.test(verb) && last?.fn === 'count' && last.name !== 'times'
        ? unitsOf(source)
        : undefined;
    if (!units) return true as const;
    const said = `"how many ${last?.name} … ${text.norm}" may be a number of rows or a sum`;
    const message = `${said}. Say "number of rows" or "total ${units.name}".`;
    return source.doubt('AMBIGUOUS', message, { said });
  },
);

/** The quantity that may be meant instead of the rows, if they do not count pieces anyway. */
const unitsOf = ({ tokens, table }: Source) =>
  isOfPieces(tokens, table) ? undefined : quantityOf(table);

/** Words that ask for unnamed rows, or for values that the rest of the sentence names. */
export const asking: Reads<true> = either(
  rule('word:(everything|when (was|were|is|are|did|do|does))', ({ word }, { query, table }) => {
    const isOfTimes = table.columns.some(
      ({ isTime, values }) => isTime && table.isWhole && values.size === table.rows,
    );
    if (word === 'everything' || isOfTimes) query.subject ??= 'rows';
    return true as const;
  }),
  rule("(what is|what's|what are|what was|anything) [still] {start}", ({ start }, source) => {
    if (!condition(source, start)) return undefined;
    source.query.subject ??= 'rows';
    return true as const;
  }),
  rule('how much (does|do|is|are)', () => true as const),
);

/** Reads a yes/no question: `is Marlin insured?`, `has Ada Holm paid?`. The answer shows the cell. */
export const yesNo: Reads<true> = rule(
  '(is|are|was|were|has|have|had|does|do|did) [the|our|my] {value} [been|already|have|get] {column} [yet|already]',
  ({ value, column, from, end }, source) => {
    const { query } = source;
    if (
      from > 0 ||
      !source.isAtEnd(end) ||
      value.column === undefined ||
      value.value === undefined ||
      !column.column?.truth
    )
      return undefined;
    query.subject = 'rows';
    query.columns.push(columnValue(value.column), columnValue(column.column));
    addConditions(query, [value]);
    return true as const;
  },
);
