import { isIrregular } from '../../../language/verbs.ts';
import { TaskError } from '../../../task-error.ts';
import { type Condition, columnValue, type Value } from '../../sql/query.ts';
import { quoteText } from '../../sql/quote.ts';
import type { Column, Table } from '../../table/schema.ts';
import { isMoneyNoun } from '../figures/money.ts';
import { type Reads, rule, type Source, single } from '../grammar.ts';
import { isOfPersons } from '../rows/who.ts';
import { size } from '../values/comparisons.ts';
import { equals } from '../values/equals.ts';
import { column, nameOf } from './names.ts';

const nothing = ({ column: own }: Value) => (own?.isList ? '[]' : '');

/** The condition that a cell is empty. */
export const isEmpty = (own: Value): Condition => ({
  sql: `(${own.sql} IS NULL OR ${own.sql} = '${nothing(own)}')`,
  ...{ words: `${own.words} is empty`, meaning: own.meaning },
});

/** The condition that a cell is not empty. */
export const isFilled = (own: Value): Condition => ({
  sql: `(${own.sql} IS NOT NULL AND ${own.sql} <> '${nothing(own)}')`,
  ...{ words: `${own.words} is not empty`, meaning: own.meaning },
});

/**
 * A condition on a yes/no column. Without a value for no, everything except yes counts as no.
 *
 * @throws TaskError `AMBIGUOUS` if empty cells may count as no or as unknown.
 */
function isTrue(own: Column, [yes, no]: readonly [string, string], isYes: boolean): Condition {
  const hasNo = own.values.has(no) || own.isBoolean;
  if (!isYes && hasNo && own.hasEmpty)
    throw new TaskError(
      'AMBIGUOUS',
      `Some rows have no ${own.name}. Say "where ${own.name} is ${no}" or "where ${own.name} is not ${yes}".`,
    );
  if (isYes || hasNo) return { ...equals(own, isYes ? yes : no), value: undefined };
  const sql = `coalesce(${own.sql}, '') <> ${quoteText(yes)}`;
  return { sql, words: `${own.name} is not ${yes}` };
}

/** The condition that a state holds: in a yes/no column, or as a time such as `returned`. */
export function stateOf(value: Value, isYes: boolean): Condition | undefined {
  const { column: own } = value;
  if (own?.truth) return isTrue(own, own.truth, isYes);
  const [first = '', next = ''] = own?.words ?? [];
  const isLast = first === 'last';
  // Who was cleaned last year need not be clean now; who never was is not.
  if (!own?.isTime || (isLast && isYes) || !done.test(isLast ? next : first)) return undefined;
  return isYes ? isFilled(value) : isEmpty(value);
}

const done = /(?:ed|en|id|^back|^left|^sold|^sent|^bought)$/;

/** Words for unfinished states, with the columns for their end. */
const unended: readonly (readonly [word: RegExp, column: RegExp])[] = [
  [
    /^(?:open|unresolved|pending|unfinished|not done)$/,
    /^(?:closed|resolved|completed|finished|ended|paid|settled|fixed|done)$/,
  ],
  [/^(?:ongoing|running)$/, /^(?:ended|end|finished|completed|stopped)$/],
  [/^(?:outstanding|owed)$/, /^(?:paid|settled)$/],
  [/^out$/, /^returned$/],
];

/** Whether we owe persons in the table, who are not the ones that have not paid. */
export const isOwedByUs = (source: Source): boolean =>
  isOfPersons(source.table) && /\b(?:i|we)(?: still)? owe\b/.test(source.normOf());

/** The column for the end that a word denies: `closed` for `open`. */
export function unendedOf({ columns }: Table, word: string): Column | undefined {
  const goal = unended.find(([said]) => said.test(word))?.[1];
  const isKnown = columns.some(({ values }) => values.has(word));
  const ends = columns.filter(({ isTime, words: [first = ''] }) => isTime && goal?.test(first));
  const states = columns.filter(({ truth, words }) => truth && goal?.test(words.join(' ')));
  return isKnown ? undefined : single(ends.length === 0 ? states : ends);
}

/** The condition that an end has not come. */
export const unmet = (end: Column, word: string): Condition =>
  end.truth
    ? isTrue(end, end.truth, false)
    : isEmpty(columnValue(end, `${word} = ${end.name} is empty`));

/** Whether a word is a verb that `out` may belong to. */
const takesOut = (verb: string): boolean =>
  /(?:ed|en|nt|given)$|^(?:check|sign|drop|lend|rent|loan|hand|let|put|go|went)s?$/.test(verb) ||
  isIrregular(verb);

/** Reads a word for a state: `unpaid`, `inactive`, `open`. */
export const stateWord: Reads<Condition> = (source, at) => {
  const { table } = source;
  const isNot = source.phraseAt(at, ['not done', 'not finished', 'not fixed']);
  const word = isNot ? 'not done' : source.wordAt(at);
  const [, said] = /^(?:in|un)(\w{4,})$/.exec(word) ?? [];
  const fits = (own: Column) => nameOf(own) === said || (own.isTime && own.words[0] === said);
  const own = said === undefined ? undefined : table.columns.find(fits);
  const isKnown = table.columns.some(({ values }) => values.has(word));
  const found = own && !isKnown ? stateOf(columnValue(own), false) : undefined;
  // In `lent out` and `took out`, `out` is part of the verb: the item may have come back.
  const isParticle = word === 'out' && takesOut(source.wordAt(at - 1));
  const open = isParticle ? undefined : unendedOf(table, word);
  const value = found ?? (open && unmet(open, word));
  return value && { value, end: isNot?.end ?? at + 1 };
};

/** Reads a state before a noun: `approved`, `paid`, `inactive`. */
export const stateBefore: Reads<Condition> = (source, at) => {
  const found = column(source, at);
  const value = found && stateOf(found.value, true);
  return value ? { value, end: found.end } : stateWord(source, at);
};

const toBe =
  "don't|doesn't|didn't|have been|has been|were|was|are|is|have|has|haven't|hasn't|weren't|wasn't|aren't|isn't";

/** Whether no time follows. `returned in May` is more than `returned`. */
function isOpenAt(source: Source, at: number): boolean {
  const isTimed = times.test(source.wordAt(at)) && source.tokens[at + 1]?.kind !== 'file';
  return !isTimed && !/^(?:date|number)$/.test(source.tokens[at]?.kind ?? '');
}

const times =
  /^(?:in|on|at|before|after|since|between|during|until|from|by|last|this|later|earlier)$/;

/** Whether a state is about paying an amount: `paid` and `the fee`. */
const isOwed = ({ column: own }: Value, { column: of }: Value): boolean =>
  /^(?:paid|settled)$/.test(own?.words.join(' ') ?? '') &&
  of?.isNumber === true &&
  of.words.some(isMoneyNoun);

/** Whether a state is one of now, and the column about any time: `is not cleaned`, with `last_cleaned`. */
const isOfNow = ({ column: own }: Value, said: string): boolean =>
  own?.words[0] === 'last' && !/^(?:have|has|had)|never/.test(said);

/** Conditions on states: `that are active`, `not returned yet`, `still open`, `has never been paid`. */
export const state: readonly Reads<Condition>[] = [
  rule(
    `[that|which|who|where] lead:[${toBe}] [i|we|they|you] [still|already] not:[not yet|not|never] [been|come|gone] {column} [yet] [(the|their|his|her|our) {of:column} [yet]]`,
    ({ lead, not, column: value, of, end }, source) => {
      if (of && !isOwed(value, of)) return undefined;
      if ((lead ?? not) === undefined || isOfNow(value, `${lead} ${not}`) || size(source, end))
        return undefined;
      if (!value.column?.truth && !isOpenAt(source, end)) return undefined;
      return stateOf(value, not === undefined && !/n't$/.test(lead ?? ''));
    },
  ),
  // `members who left`, `how many members left`
  rule('[that|which|who] [have|has] {column}', ({ column: value, from, end }, source) => {
    const { column: own } = value;
    const [first, before] = [source.tokens[from], source.tokens[from - 1]];
    const isAfterRows =
      source.table.nouns.has(before?.stem ?? '') || /^(?:that|which|who)$/.test(first?.norm ?? '');
    const isState =
      own?.isTime && own.hasEmpty && !own.link && isAfterRows && isOpenAt(source, end);
    return isState && source.tokens[end - 1]?.norm === own.words[0]
      ? stateOf(value, true)
      : undefined;
  }),
  rule('[that|which|who] [still] (owe|owes) [us|me] [money|something|anything]', (_, source) => {
    const end = isOwedByUs(source) ? undefined : unendedOf(source.table, 'owed');
    return end && unmet(end, 'owed');
  }),
  rule('[do|does] [i|we|they] still (have to|need to|must) {column}', ({ column: value }) =>
    value.column?.truth ? stateOf(value, false) : undefined,
  ),
  rule(
    '[that|which|who] [is|are|was|were] [still|currently] {stateWord}',
    ({ stateWord: found }) => found,
  ),
];
