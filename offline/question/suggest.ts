import type { Token } from '../language/lexer.ts';
import { fillers } from '../language/lexicon.ts';
import { plural } from '../language/words.ts';
import { modelSettings, TaskError } from '../task-error.ts';
import { asksFor } from './assert-asks.ts';
import { questionTokens } from './question-tokens.ts';
import { hasPersons } from './read/who.ts';
import type { Query } from './sql/query.ts';
import { isAmount, type Table } from './table/schema.ts';
import { tried, UnknownWords } from './understand.ts';

/** A table that can't answer a question. */
export interface Failure {
  readonly table: Table;
  readonly error: TaskError;
  /** The number of words that name something in the table. */
  readonly placed: number;
}

/** Maximum number of tables that are tried for a proposal. */
const MAX_TABLES = 3;
/** Maximum number of words that a proposal changes. */
const MAX_CHANGES = 3;

const strangeIn = ({ error, placed }: Failure): number =>
  error instanceof UnknownWords ? error.leftover.length - placed / 2 : -placed / 2;

/** Sorts failures, those with the fewest unknown words first. */
export const nearestFirst = (failures: readonly Failure[]): readonly Failure[] =>
  failures.toSorted((a, b) => strangeIn(a) - strangeIn(b));

/** Adds a sentence that can be answered to the error, if there is one with the same meaning. */
export function withProposal(
  error: TaskError,
  { task, failures }: { readonly task: string; readonly failures: readonly Failure[] },
): TaskError {
  const help = isChange(task)
    ? 'A change of data needs a language model:'
    : helpFor(task, failures);
  return new TaskError(error.code, `${error.message} ${help} ${modelSettings}.`);
}

/** Whether a task is to change something, so that no question about the data can stand for it. */
export const isChange = (task: string): boolean =>
  /^\W*(?:please |can you |could you )*(?:mark|set|change|rename|move|copy|delete|remove|add|replace|update|tick|insert|append|edit|fix|correct|check off|cross off)\b/i.test(
    task,
  );

function helpFor(task: string, failures: readonly Failure[]): string {
  const near = nearestFirst(failures.filter(({ placed }) => placed > 0)).slice(0, MAX_TABLES);
  const others = new Set(failures.flatMap(({ table }) => [...table.nouns]));
  const works = firstOf(near, ({ table, error }) => corrected(task, error, { table, others }));
  const found = works ?? firstOf(near, ({ table }) => aboutValues(task, table));
  return found === undefined ? 'It needs a language model:' : `This works: "${found}". Or`;
}

function firstOf<T, R>(all: readonly T[], read: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = read(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Place {
  readonly table: Table;
  /** The nouns of all tables that were tried. */
  readonly others: ReadonlySet<string>;
}

/** The sentence with other words for ambiguous or unknown ones. Undefined if it still can't be answered. */
function corrected(
  task: string,
  error: TaskError,
  place: Place,
  left = MAX_CHANGES,
): string | undefined {
  return firstOf(editsOf(task, error, place), (draft) => {
    const text = withFile(draft, place.table.path);
    const found = tried(questionTokens(text), place.table);
    if (!(found instanceof TaskError)) return saysSomething(found.query) ? text : undefined;
    const isNearer = strange(found).length < strange(error).length;
    return isNearer && left > 1 ? corrected(draft, found, place, left - 1) : undefined;
  });
}

/** Whether a query uses a column or a condition. */
const saysSomething = ({ where, measures, groups, rank, columns, having, ...query }: Query) =>
  !query.hasPart &&
  (where.length + groups.length + columns.length + having.length + query.orders.length > 0 ||
    rank !== undefined ||
    measures.some(({ of, where: own }) => of !== undefined || own.length > 0));

/** The words that no rule understood, without those such as `show me`. */
const strange = (error: TaskError): readonly Token[] =>
  error instanceof UnknownWords ? error.leftover.filter(({ norm }) => !asksFor(norm)) : [];

/** Versions of the sentence with one change. Any other word may be a condition, so it is kept. */
function editsOf(task: string, error: TaskError, place: Place): string[] {
  const { said = '', means = [], by = [] } = error.details;
  const at = task.toLowerCase().indexOf(said.toLowerCase());
  const put = (text: string, { start, end }: Pick<Token, 'start' | 'end'>) =>
    `${task.slice(0, start).trimEnd()} ${text}${task.slice(end)}`
      .trim()
      .replace(/ (?=[?!.,]|$)/, '');
  const tokens = questionTokens(task);
  const unknown = strange(error).map(({ norm }) => norm);
  return [
    ...(at < 0 || /ed$/.test(said)
      ? []
      : means.map((one) => put(one, { start: at, end: at + said.length }))),
    ...by.map((name) => task.replace(/[\s.?!]*$/, (end) => ` by ${name}${end}`)),
    ...tokens.flatMap((token, index) =>
      unknown.includes(token.norm) && token.kind === 'word'
        ? [
            ...(isOtherRow(tokens, index, place) ? [put(rowsOf(place.table), token)] : []),
            ...[extraFrom(tokens, index) ?? []]
              .flat()
              .map((start) => put('', { start, end: token.end })),
          ]
        : [],
    ),
  ];
}

const beforeRows = /^(?:many|which|what|all|the|list|show|me|any|those|these|my|our)$/;
const afterRows =
  /^(?:of|in|per|by|for|from|with|without|where|that|which|who|whose|is|are|was|were|do|does|did|has|have|had|there|and|each)$/;
const units =
  /^(?:second|minute|hour|day|week|month|quarter|year|time|kilometre|kilometer|mile|km|kg|euro|dollar|percent)$/;

/** Whether a word is a plural for the rows that no table knows: `How many gadgets of each brand?` */
function isOtherRow(tokens: readonly Token[], at: number, { table, others }: Place): boolean {
  const { kind = '', norm = '', stem = '', text = '' } = tokens[at] ?? {};
  const next = tokens[at + 1];
  const isNoun = kind === 'word' && norm !== stem && !/^\p{Lu}/u.test(text) && !units.test(stem);
  const isHead = next === undefined || next.kind === 'mark' || afterRows.test(next.norm);
  const isKnown = others.has(stem) || table.columns.some(({ words }) => words.includes(stem));
  return isNoun && isHead && !isKnown && beforeRows.test(tokens[at - 1]?.norm ?? '');
}

const rowsOf = ({ nouns }: Table): string => plural([...nouns].at(-1) ?? 'row');

/**
 * Where the part begins that may be left out with an unknown word: a further group (`per type and horoscope`), or the
 * group of a calculation. Undefined if there is none.
 */
function extraFrom(tokens: readonly Token[], at: number): number | undefined {
  const [lead, , conjunction, own] = [-3, -2, -1, 0].map((back) => tokens[at + back]);
  const isBehind = (one: Token | undefined, words: RegExp) => words.test(one?.norm ?? '');
  const isFurther = isBehind(conjunction, /^(?:and|,)$/) && isBehind(lead, /^(?:per|by|each)$/);
  const isGroup = isBehind(conjunction, /^(?:per|by)$/) && isBehind(tokens[0], calculations);
  const isKnown = own?.norm !== own?.stem || isBehind(own, units);
  return isFurther || (isGroup && !isKnown) ? conjunction?.start : undefined;
}

const calculations = /^(?:average|mean|median|total|sum|count|number|share|percentage)$/;

/** The sentence with the name of its file. */
function withFile(text: string, path: string): string {
  if (text.includes(path)) return text;
  const name = /\s/.test(path) ? `"${path}"` : path;
  const [, said = text, mark = ''] = /^(.*?)\s*([?!.]*)$/s.exec(text) ?? [];
  return `${said} in ${name}${mark.slice(0, 1)}`;
}

/** Beginnings of a question, and whether rows of a table may answer it. */
const kinds: readonly (readonly [asks: RegExp, holds: (table: Table) => boolean])[] = [
  [/^(?:when|how long|how old)\b/, ({ columns }) => columns.some(({ isTime }) => isTime)],
  [/^(?:who|whose)\b/, hasPersons],
  [/^how much\b/, ({ columns }) => columns.some(isAmount)],
  [/^(?:what|where|is|was|did|has|does)\b/, () => true],
];

/** Words that limit, sort, count or negate: showing the rows with a value would not answer the question. */
const narrowing =
  /\b(?:no|not|never|none|nobody|nothing|neither|nor|without|except|unless|only|but|lost|missing|less|fewer|more|most|least|than|over|under|above|below|between|before|after|since|until|if|where|first|last|many|often|per|each|every)\b|n['’]t\b|\b(?:un|non-)\w+|\w{3,}less\b|\w+est\b|\d/i;

/** Proposes to show the rows with the values that a question names, if it only asks what is in them. */
function aboutValues(task: string, table: Table): string | undefined {
  const asked = task.trim().toLowerCase();
  const isFitting = kinds.find(([pattern]) => pattern.test(asked))?.[1](table) ?? false;
  const tokens = questionTokens(task);
  const said = (text: string) =>
    tokens.some(({ norm }) => norm === text.toLowerCase() && !fillers.has(norm));
  const found = table.columns.flatMap((own) =>
    own.isNumber || own.isTime || own.truth
      ? []
      : [...own.values].filter(said).map((text) => ({ name: own.name, text })),
  );
  const texts = new Set(found.map(({ text }) => text.toLowerCase()));
  const rest = tokens.filter(({ norm, kind }) => kind !== 'file' && !texts.has(norm));
  const isName = ({ text, start }: Token) => start > 0 && /^\p{Lu}/u.test(text);
  const isLost = rest.some((token) => isName(token) || narrowing.test(token.norm));
  if (!isFitting || isLost || texts.size === 0 || texts.size < found.length) return undefined;
  const where = found.map(({ name, text }) => `${name} is "${text}"`).join(' and ');
  const sentence = `Rows where ${where} in ${table.path}`;
  return tried(questionTokens(sentence), table) instanceof TaskError ? undefined : sentence;
}
