import type { Token } from '../../language/lexer.ts';
import { fillers, lexicon } from '../../language/lexicon.ts';
import { levelMeanings, logMeanings } from '../../language/log-words.ts';
import { type Corrected, correctSpelling, wordsOfPattern } from '../../language/spelling.ts';
import { plural } from '../../language/words.ts';
import { modelSettings, TaskError } from '../../task-error.ts';
import type { Loaded } from '../choose/choose-table.ts';
import { questionTokens } from '../question-tokens.ts';
import { isAdded } from '../read/figures/money.ts';
import { patterns } from '../read/grammar.ts';
import { comparators, exceptWords } from '../read/words.ts';
import { askingWords, asksFor } from '../refuse/assert-asks.ts';
import type { Query } from '../sql/query.ts';
import { type Column, isAmount, type Table } from '../table/schema.ts';
import { tried, UnknownWords } from '../understand.ts';

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
    : helpFor(task, { failures, isUnclear: error.code === 'AMBIGUOUS' });
  return new TaskError(error.code, `${error.message} ${help} ${modelSettings}.`);
}

/** Whether a task is to change something, so that no question about the data can stand for it. */
export const isChange = (task: string): boolean =>
  /^\W*(?:please |can you |could you )*(?:mark|set|change|rename|move|copy|delete|remove|add|replace|update|tick|insert|append|edit|fix|correct|check off|cross off)\b/i.test(
    task,
  );

function helpFor(
  task: string,
  { failures, isUnclear }: { readonly failures: readonly Failure[]; readonly isUnclear: boolean },
): string {
  const near = nearestFirst(failures.filter(({ placed }) => placed > 0)).slice(0, MAX_TABLES);
  const tables = failures.map(({ table }) => table);
  const others = new Set(tables.flatMap(({ nouns }) => [...nouns]));
  const works = firstOf(near, ({ table, error }) => proposals(task, error, { table, others }));
  if (works !== undefined) return `This works: ${works.map((one) => `"${one}"`).join(' or ')}. Or`;
  // An error about two meanings names the words to use.
  const example = isUnclear
    ? undefined
    : firstOf([...near, ...failures], ({ table }) => exampleFor(task, table, tables));
  const help = example === undefined ? '' : `An example that works: "${example}". `;
  return `${help}Other questions need a language model:`;
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

/** The sentences with the meanings of an ambiguous word, or the one nearest to what was said. */
function proposals(task: string, error: TaskError, place: Place): readonly string[] | undefined {
  const drafts = error.code === 'AMBIGUOUS' ? editsOf(task, error, place) : [];
  const works = drafts.flatMap((draft) => {
    const text = withFile(draft, place.table.path);
    return tried(questionTokens(text), place.table) instanceof TaskError ? [] : [text];
  });
  const [one = corrected(task, error, place)] = works;
  return one === undefined ? undefined : works.length > 1 ? works.slice(0, MAX_CHANGES) : [one];
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

/** Where the part begins that may be left out with an unknown word: a further group (`per type and horoscope`), or the group of a calculation. */
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

/** Words of a question, and the question about a table that is nearest to it. */
const forms: readonly (readonly [
  said: RegExp,
  form: (of: ReturnType<typeof nearestParts>) => string | undefined,
])[] = [
  [/^(?:how many|how often|number of|count)\b/, ({ rows, of }) => `number of ${rows}${of}`],
  [/\b(?:average|mean|typical\w*)\b/, ({ amount, of }) => amount && `average ${amount}${of}`],
  [
    /\b(?:latest|newest|last|recent\w*)\b/,
    ({ rows, time }) => time && `the 3 latest ${rows} by ${time}`,
  ],
  [/\b(?:top|best|most|\w+est)\b/, ({ rows, amount }) => amount && `top 3 ${rows} by ${amount}`],
  [/./, ({ where }) => where && `rows${where}`],
  [/./, ({ added, of }) => added && of && `total ${added}${of}`],
  [/./, ({ rows, of }) => of && `number of ${rows}${of}`],
  [/./, ({ rows }) => `the first 5 ${rows}`],
];

/** A question like this one that the table can answer, and no other of `tables`. None about a single row, such as settings. */
export function exampleFor(
  task: string,
  table: Table,
  tables: readonly Table[],
): string | undefined {
  if (table.rows < 2) return undefined;
  const sameFile = tables.filter((one) => one.path === table.path);
  const asked = task.trim().toLowerCase();
  const parts = nearestParts(task, table);
  return firstOf(forms, ([pattern, form]) => {
    const text = pattern.test(asked) ? form(parts) : undefined;
    const sentence = text ? withFile(text, table.path) : '';
    const fitting = sameFile.filter(
      (one) => !(tried(questionTokens(sentence), one) instanceof TaskError),
    );
    // Of a database, it must fit one table.
    return sentence && fitting.length === 1 && fitting[0] === table ? sentence : undefined;
  });
}

/** Parts of a question, empty if the table has none: columns, of several the one that the sentence names, and a condition or a group. */
function nearestParts(task: string, table: Table) {
  const tokens = questionTokens(task).filter(({ norm }) => !fillers.has(norm));
  const said = new Set(tokens.flatMap(({ stem, norm }) => [stem, norm]));
  const texts = table.columns.filter(
    ({ isNumber, isTime, truth }) => !(isNumber || isTime || truth),
  );
  const [named] = texts.flatMap(({ name, values }) =>
    [...values].flatMap((value) =>
      said.has(value.toLowerCase()) && !value.includes('"') ? { name, value } : [],
    ),
  );
  const nameOf = (all: readonly Column[]) =>
    (all.find(({ words }) => words.some((word) => said.has(word))) ?? all[0])?.name ?? '';
  const group = nameOf(
    texts.filter(
      ({ isLink, values }) => !isLink && values.size > 1 && values.size <= table.rows / 2,
    ),
  );
  const where = named ? ` where ${named.name} is "${named.value}"` : '';
  return {
    rows: rowsOf(table),
    amount: nameOf(table.columns.filter(isAmount)),
    added: nameOf(table.columns.filter(isAdded)),
    time: nameOf(table.columns.filter(({ isTime }) => isTime)),
    where,
    of: where || (group && ` per ${group}`),
  };
}

/** The words that have a meaning in a question about any data. */
const vocabulary = (): readonly string[] =>
  [
    ...patterns.flatMap(wordsOfPattern),
    ...lexicon(),
    ...[...askingWords, ...logMeanings.keys(), ...levelMeanings.keys(), 'successful'],
    ...comparators.keys(),
    ...exceptWords,
  ].flatMap((phrase) => phrase.split(' '));

/** Corrects the misspelled words of a question with the words of the files. Undefined for a task to change something. */
export function spelledFor(task: string, files: readonly Loaded[]): Corrected | undefined {
  if (isChange(task)) return undefined;
  const tables = files.flatMap((file) => file.tables);
  const names = tables.flatMap(({ nouns, columns }) => [
    ...nouns,
    ...columns.flatMap(({ words }) => words),
  ]);
  // Values such as a status, which many rows share.
  const kinds = tables.flatMap(({ columns, rows }) =>
    columns.filter(({ values }) => values.size * 2 <= rows).flatMap(textsOf),
  );
  const texts = tables.flatMap(({ columns }) => columns.flatMap(textsOf));
  const parts = new Set(texts.flatMap((text) => text.split(/[^\p{L}]+/u)));
  return correctSpelling(task, [...vocabulary(), ...names, ...kinds], parts);
}

const textsOf = ({ values, isNumber, isTime }: Column): readonly string[] =>
  isNumber || isTime ? [] : [...values].map((text) => text.toLowerCase());
