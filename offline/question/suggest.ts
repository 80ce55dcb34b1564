import type { Token } from '../language/lexer.ts';
import { fillers } from '../language/lexicon.ts';
import { nearNames } from '../language/words.ts';
import { modelSettings, TaskError } from '../task-error.ts';
import { asksFor } from './assert-asks.ts';
import { questionTokens } from './question-tokens.ts';
import type { Query } from './sql/query.ts';
import type { Column, Table } from './table/schema.ts';
import { tried, UnknownWords } from './understand.ts';

/** A table that can't answer a question. */
export interface Failure {
  readonly table: Table;
  readonly error: TaskError;
  /** The number of words that name something in it. */
  readonly placed: number;
}

/** Most sentences that are tried for a proposal, in each of a few tables. */
const MAX_TRIED = 24;
const MAX_TABLES = 3;

const strangeIn = ({ error, placed }: Failure): number =>
  error instanceof UnknownWords ? error.leftover.length - placed / 2 : -placed / 2;

/** Those first in which the fewest words are unknown. */
export const nearestFirst = (failures: readonly Failure[]): readonly Failure[] =>
  failures.toSorted((a, b) => strangeIn(a) - strangeIn(b));

/** The error with the nearest sentence that can be answered, if there is one. */
export function withProposal(
  error: TaskError,
  { task, failures }: { readonly task: string; readonly failures: readonly Failure[] },
): TaskError {
  if (error.message.includes('This works')) return error;
  if (changes.test(task))
    return new TaskError(
      error.code,
      `${error.message} A change of data needs a language model: ${modelSettings}.`,
    );
  const tables = nearestFirst(failures.filter(({ placed }) => placed > 0)).slice(0, MAX_TABLES);
  const near = firstOf(tables, ({ table, error: own }) => nearest(task, table, own));
  const works = near ?? firstOf(tables, ({ table }) => aboutColumn(task, table));
  const help = works === undefined ? 'It needs a language model:' : `This works: "${works}". Or`;
  return new TaskError(error.code, `${error.message} ${help} ${modelSettings}.`);
}

/** A task to change something: a question about the data would not do it. */
const changes =
  /^\W*(?:please |can you |could you )*(?:mark|set|change|rename|move|copy|delete|remove|add|replace|update|tick|insert|append|edit|fix|correct|check off|cross off)\b/i;

function firstOf<T, R>(all: readonly T[], read: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = read(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A sentence on the way to one that can be answered: the more it was changed, the higher its cost. */
interface Draft {
  readonly text: string;
  readonly cost: number;
  readonly error?: TaskError;
}

/** The sentence with the fewest changes that the table can answer. */
function nearest(task: string, table: Table, error: TaskError): string | undefined {
  const seen = new Set<string>();
  let open: Draft[] = editsOf({ text: task, cost: 0 }, error, table);
  for (let left = MAX_TRIED; left > 0 && open.length > 0; left -= 1) {
    open = open.toSorted((a, b) => a.cost - b.cost);
    const [draft, ...others] = open;
    open = others;
    if (!draft) return undefined;
    const text = withFile(draft.text, table.path);
    if (seen.has(text) || !isSentence.test(text)) continue;
    seen.add(text);
    const found = tried(questionTokens(text), table);
    if (found instanceof TaskError) open.push(...editsOf(draft, found, table));
    else if (saysSomething(found.query)) return text;
  }
  return undefined;
}

/** Neither a part of a question nor one without words of its own. */
const isSentence =
  /^(?!.*\b(\w{3,}) \1\b)(?!(?:have|has|had|get|gets|got|on|or|more|where|that|of|in|for|from|with|by|per|the|a|much|many|often|is|are|and|to)\b)\S+ (?!in \S+$)/i;

/** Whether a query uses a column or a condition. */
const saysSomething = ({
  where,
  measures,
  groups,
  rank,
  columns,
  having,
  orders,
  hasPart,
}: Query) =>
  !hasPart &&
  (where.length + groups.length + columns.length + having.length + orders.length > 0 ||
    rank !== undefined ||
    measures.some(({ of, where: own }) => of !== undefined || own.length > 0));

/** Changes that may help after an error: of words that were not understood, or that the error names. */
function editsOf({ text, cost }: Draft, error: TaskError, table: Table): Draft[] {
  const tokens = questionTokens(text);
  const isUnknown = error instanceof UnknownWords;
  const named = [...error.message.matchAll(/"([^"]+)"/g)].map(([, said = '']) => said);
  const unknown = isUnknown
    ? error.leftover.map(({ norm }) => norm)
    : named.map((said) => said.toLowerCase());
  // `"total" may mean "net" or "gross"`
  const meant = isUnknown ? [] : named.filter((said) => !text.includes(said));
  const strange = tokens.filter(({ norm }) => unknown.includes(norm));
  const target = strange.find(({ norm }) => !asksFor(norm)) ?? strange[0];
  if (!target) return [];
  const at = tokens.indexOf(target);
  const put = (by: string, more: number, { start, end }: Place): Draft => ({
    text: tidy(`${text.slice(0, start)}${by}${text.slice(end)}`),
    cost: cost + more,
  });
  const names = table.columns.map(({ name }) => name);
  return [
    ...meant.map((said) => put(said, 1, target)),
    ...meant.map((said) =>
      put(`${text.slice(target.start).trim()} by ${said}`, 1.5, {
        start: target.start,
        end: text.length,
      }),
    ),
    ...strange.flatMap((one) =>
      asksFor(one.norm) ? [] : nearNames(one.text, names).map((name) => put(name, 1, one)),
    ),
    ...replacements(tokens, at, table).map(([by, more]) => put(by, more, target)),
    ...removals(tokens, at).map(([place, more]) => put('', more, place)),
  ];
}

type Place = Pick<Token, 'start' | 'end'>;

/** What may stand instead of a word, with its cost: rows of the table, or its numbers. */
function replacements(
  tokens: readonly Token[],
  at: number,
  { columns, nouns, rows }: Table,
): (readonly [string, number])[] {
  const { kind, text = '', norm = '' } = tokens[at] ?? {};
  const before = tokens[at - 1]?.norm;
  const number = columns.find((one) => one.isNumber && !isKey(one, rows))?.name;
  if (kind !== 'word' || before === undefined || denials.test(norm)) return [];
  if (asksFor(norm)) return number ? [[`${text} ${number}`, 3]] : [];
  const noun = [...nouns].at(-1);
  const isNumber = number !== undefined && beforeNumbers.test(before);
  return [
    ...(beforeRows.test(before)
      ? ([
          [noun ? `${noun}s` : 'rows', 2.5],
          ['rows', 2.7],
        ] as const)
      : []),
    ...(isNumber ? [[number, 2.2] as const] : []),
  ];
}

const denials = /^(?:no|not|never|without|except|unless|only|but)$|n['’]t$/;
const beforeRows = /^(?:many|which|what|all|the|list|show|me|of|any|those|these|my|our)$/;
const beforeNumbers =
  /^(?:average|mean|median|total|sum|highest|lowest|largest|smallest|biggest|minimum|maximum|best|worst|top|by|much)$/;

/** The parts of a sentence that may be left out with a word, with their cost: its phrase, itself, its clause. */
function removals(tokens: readonly Token[], at: number): (readonly [Place, number])[] {
  const target = tokens[at] as Token;
  // A number or a name is what the question is about; without its first word, it asks for something else.
  const isName = at > 0 && /^\p{Lu}/u.test(target.text);
  const isSure = at === 0 || isName || target.kind !== 'word' || denials.test(target.norm);
  const more = isSure ? 3 : 0;
  const isBefore = (back: number, words: RegExp) => words.test(tokens[at - back]?.norm ?? '');
  const article = isBefore(1, /^(?:the|a|an|my|our|any)$/) ? 1 : 0;
  const from = article + (isBefore(article + 1, joints) ? 1 : 0);
  const { end } = target;
  const next = tokens.slice(at + 1).find(({ norm }) => joints.test(norm));
  const joint = tokens.slice(1, at).findLast(({ norm }) => joints.test(norm));
  return [
    [{ start: tokens[at - from]?.start ?? target.start, end }, 2 + more],
    [target, 2.2 + more],
    [
      { start: joint?.start ?? target.start, end: next?.start ?? tokens.at(-1)?.end ?? end },
      target.kind === 'word' ? 3 : 5,
    ],
  ];
}

const jointWords =
  'in|of|for|from|with|by|per|where|that|which|who|whose|and|but|or|because|since|after|before|than|as|to|at|on|during|without|about';
const joints = new RegExp(`^(?:${jointWords}|[,;(])$`);

const dangling = new RegExp(
  `[ ,]+(?:${jointWords}|the|a|an|my|our|their|each|every|all|is|are|was|were|has|have|had|did|do|does|it|i|we|not|no|more|most|only|yet|there)(?=[,;.?!]|$)`,
  'gi',
);
const doubled = new RegExp(
  `\\b(?:in|of|for|from|with|by|to|at|on|and|the|a|an|my|our) (?=(?:${jointWords}|is|are|was|were)\\b)`,
  'gi',
);

/** A sentence without the joints that lost their words. */
function tidy(text: string): string {
  let tidied = text;
  for (let before = ''; before !== tidied; ) {
    before = tidied;
    tidied = tidied
      .replace(/\(\s*\)/g, '')
      .replace(/\s+/g, ' ')
      .replace(/ (?=[,;.?!)])/g, '')
      .replace(/[,;](?=[,;.?!)])/g, '')
      .replace(doubled, '')
      .trim()
      .replace(dangling, '')
      .replace(/^[\s,;]+/, '');
  }
  return tidied;
}

/** The sentence with the name of its file. */
function withFile(text: string, path: string): string {
  if (text.includes(path)) return text;
  const name = /\s/.test(path) ? `"${path}"` : path;
  const [, said = text, mark = ''] = /^(.*?)\s*([?!.]*)$/s.exec(text) ?? [];
  return `${said} in ${name}${mark.slice(0, 1)}`;
}

/** Numbers that name something, such as ids, are not calculated with. */
const isKey = ({ words, values }: Column, rows: number): boolean =>
  words.some((word) => /^(?:id|isbn|code|zip|year|phone|number|no|nr|line)$/.test(word)) ||
  (rows > 2 && values.size === rows && [...values].every((value) => /^\d+$/.test(value))) ||
  (values.size > 0 && [...values].every((value) => /^(?:19|20)\d\d$/.test(value)));

/** A question about a column, or the rows, that the sentence names. */
function aboutColumn(task: string, table: Table): string | undefined {
  const said = new Set(
    questionTokens(task).flatMap(({ kind, stem, norm }) =>
      kind === 'word' && !fillers.has(norm) ? [stem] : [],
    ),
  );
  const { columns, path, nouns, rows } = table;
  const text = columns
    .filter(({ isNumber, isTime, values }) => !isNumber && !isTime && values.size > 1)
    .toSorted((a, b) => a.values.size - b.values.size)[0];
  const about = (one: Column) => {
    const value = [...one.values].find((text) => said.has(text.toLowerCase()));
    if (value !== undefined && !one.isNumber)
      return `Rows where ${one.name} is "${value}" in ${path}`;
    if (!one.isNumber || isKey(one, rows)) return `Count the rows per ${one.name} in ${path}`;
    return text
      ? `Average ${one.name} per ${text.name} in ${path}`
      : `Average ${one.name} in ${path}`;
  };
  const isSaid = ({ words, values }: Column) =>
    words.some((word) => said.has(word)) ||
    [...values].some((value) => said.has(value.toLowerCase()));
  const noun = [...nouns].find((one) => said.has(one));
  const all = [
    ...columns.filter(isSaid).map(about),
    ...(noun ? [`How many ${noun}s are in ${path}?`] : []),
  ];
  return all.find((sentence) => !(tried(questionTokens(sentence), table) instanceof TaskError));
}
