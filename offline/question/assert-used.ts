import { normalize } from 'node:path';
import type { Token } from '../language/lexer.ts';
import { numberWords, ordinals } from '../language/lexicon.ts';
import { TaskError } from '../task-error.ts';
import { assertNumbers } from './assert-numbers.ts';
import { isNumberUsed } from './is-number-used.ts';
import { notMeant } from './not-meant.ts';
import { isDeed } from './read/columns/verbs-of-rows.ts';
import { hasPersons, isOfPersons, isWho } from './read/rows/who.ts';
import { otherDeed } from './read/times/time-columns.ts';
import { larger, smaller, superlatives } from './read/words.ts';
import { isCounting } from './sql/measure-sql.ts';
import type { Condition, Direction, Query, Value } from './sql/query.ts';
import { filesIn } from './table/place.ts';
import type { Table } from './table/schema.ts';

/** Words of order for one direction. */
const ordering = (way: Direction, others: string) =>
  new Set([
    ...others.split('|'),
    ...superlatives.filter(({ direction }) => direction === way).flatMap(({ words }) => words),
  ]);

const down = ordering('desc', `${larger}|worst|descending|desc`);
const up = ordering('asc', `${smaller}|best|ascending|asc`);

/**
 * Checks that a statement uses every number, file, superlative and word of order in its question.
 *
 * @throws TaskError `NOT_UNDERSTOOD` with the unused words.
 */
export function assertUsed(
  tokens: readonly Token[],
  query: Query,
  { table, sql }: { readonly table: Table; readonly sql: string },
): void {
  assertNumbers(query, table, sql);
  const unused = tokens.filter(
    (token, at) =>
      !isOfDeed(tokens, at) &&
      !isUnit(tokens[at - 1], token) &&
      !isUsed(token, tokens[at + 1], { query, table, sql }),
  );
  const asked =
    contradiction(query) ??
    voidWord(tokens, sql) ??
    ofRelated(tokens, table, sql) ??
    worthOf(tokens, query, { table, sql }) ??
    unanswered(tokens, query, table) ??
    ownerOf(tokens, query, table) ??
    unsaid(tokens, query, { table, sql });
  if (asked !== undefined)
    throw new TaskError(
      'NOT_UNDERSTOOD',
      `The question as it was read does not answer "${asked}", so nothing is shown. Use the names of columns.`,
    );
  const problem = notMeant(tokens, query, { table, sql });
  if (problem !== undefined) throw new TaskError('NOT_UNDERSTOOD', problem);
  if (unused.length === 0) return;
  const words = unused.map(({ text }) => `"${text}"`).join(', ');
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `The answer would be the same without ${words}, so the question was not understood. Leave it out, or use the names of columns.`,
  );
}

/** Whether nothing narrows or orders the rows. */
const isOfAll = ({ rank, measures, groups, having, where }: Query): boolean =>
  !rank && measures.length + groups.length + having.length + where.length === 0;

/** The words of a condition that contradicts another one. */
function contradiction({ where, measures }: Query): string | undefined {
  const isOther = ({ column, value }: Condition, one: Condition) =>
    column !== undefined && column === one.column && value !== undefined && value !== one.value;
  const counted = measures.flatMap((one) => one.where).filter(({ value }) => value !== undefined);
  const denied = where.find(({ sql }) => where.some((one) => sql === `NOT ${one.sql}`));
  return (denied ?? counted.find((one) => where.some((other) => isOther(other, one))))?.words;
}

/** A word of order without effect, because the statement ranks equal values; any word if it counts each group within itself. */
function voidWord(tokens: readonly Token[], sql: string): string | undefined {
  const plain = sql.replace(/nullif\(([^()]+), ''\)/g, '$1');
  if (/count\(DISTINCT ([^()\s]+)\)[\s\S]*\nGROUP BY \1(?:\n|$)/.test(plain))
    return tokens[0]?.text;
  return /PARTITION BY (\S+) ORDER BY \1 /.test(plain)
    ? tokens.find(({ norm }) => down.has(norm) || up.has(norm))?.text
    : undefined;
}

/** A word for a column of related rows that the statement does not use: `with an order received after …`. */
function ofRelated(tokens: readonly Token[], table: Table, sql: string): string | undefined {
  const used = table.related?.filter((one) => sql.includes(one.sql)) ?? [];
  const own = new Set([...table.nouns, ...table.columns.flatMap(({ words }) => words)]);
  return tokens.find(
    ({ kind, stem, norm }) =>
      kind === 'word' &&
      !own.has(stem) &&
      used.some(({ table: of, noun, objects }) => {
        const named = of.columns.filter(
          ({ words }) => words.includes(norm) || words.includes(stem),
        );
        const isNoun = of.nouns.has(stem) || stem === noun || objects.has(stem) || isDeed(of, norm);
        return named.length > 0 && !isNoun && named.every((one) => !sql.includes(one.sql));
      }),
  )?.text;
}

/** The word `value`, `worth` or `revenue`, if the statement only counts rows. */
function worthOf(
  tokens: readonly Token[],
  { measures, groups, isCompared }: Query,
  { table, sql }: Pick<Evidence, 'table' | 'sql'>,
): string | undefined {
  const worth = tokens.find(
    ({ kind, norm }) => kind === 'word' && /^(?:value|worth|revenue)$/.test(norm),
  );
  const isCounted =
    (isCompared || measures.length + groups.length > 0) && measures.every(isCounting);
  const isColumn = table.columns.some(
    (own) => own.words.includes(worth?.norm ?? '') && sql.includes(own.sql),
  );
  return isCounted && !isColumn ? worth?.text : undefined;
}

/** A question word whose kind of value the answer lacks: `who`, if the answer is a number. */
function unanswered(tokens: readonly Token[], query: Query, table: Table): string | undefined {
  const { measures, columns, groups, subject } = query;
  const shown = [...groups, ...columns, ...(subject && subject !== 'rows' ? [subject] : [])];
  const isOfRows =
    measures.length + columns.length === 0 && (subject === undefined || subject === 'rows');
  const asks = (pattern: RegExp) =>
    tokens.find(({ kind, norm }) => kind === 'word' && pattern.test(norm));
  const [first] = tokens;
  const person = asks(/^(?:who|whose)$/);
  const isPerson = isOfRows
    ? hasPersons(table, tokens)
    : shown.some((one) => isWho(one, table, tokens));
  if (person && person === first && (!isPerson || isOfAll(query))) return person.text;
  const isTime = ({ column, part }: Value) => part !== undefined || column?.isTime === true;
  const times = [...shown, ...measures.flatMap(({ of }) => of ?? [])].some(isTime);
  const isTimed = isOfRows ? table.columns.some((column) => column.isTime) : times;
  const deed = otherDeed(
    tokens,
    table.columns.filter((one) => one.isTime),
  );
  return first?.norm === 'when' && (!isTimed || deed) ? first.text : undefined;
}

/** What owns a setting, if it is not in the table: `what port does the log use`, of a list of services. */
function ownerOf(tokens: readonly Token[], { where }: Query, { columns, isLog, format }: Table) {
  const [, owner = ''] =
    /\b(?:do|does|did|has|have) (?:the|our|my) (\w+)/.exec(textOf(tokens)) ?? [];
  const isNamed = columns.some(({ words }) => words.includes(owner));
  const isOpen = !isNamed && !isLog && format !== 'log' && where.length === 0;
  return isOpen && containers.test(owner) ? owner : undefined;
}

const textOf = (tokens: readonly Token[]) => tokens.map(({ norm }) => norm).join(' ');

/** A word that no condition or calculation expresses: `still`, `how much`, `anyone`, `to do`. */
function unsaid(
  tokens: readonly Token[],
  query: Query,
  { table, sql }: Pick<Evidence, 'table' | 'sql'>,
): string | undefined {
  const { measures, where, subject, rank } = query;
  const text = textOf(tokens);
  const isOfState = [...where, ...measures.flatMap((one) => one.where)].some(isState);
  const isOfPerson = subject !== undefined && subject !== 'rows' && isWho(subject, table);
  const unmet: readonly (readonly [isOpen: boolean, said: RegExp])[] = [
    [!isOfMoney(measures, table, sql), /^.*/],
    [true, /\bbeen\b.*\blongest\b/],
    // A column named `total` would not be added up.
    [isOneValue(query) && where.length === 0, /^what (?:is|are|was|were) the total\b/],
    [
      measures.length > 0 && query.groups.length === 0 && !rank,
      /(?:\band|[,.?:;]) (?:which|which ones?|who)(?: (?:is|are|was|were) (?:it|they|that|those))?(?= [.?!]|$)/,
    ],
    [isOneValue(query), /\band (?:for |with |on |in )?(?:which|what) \w+/],
    [repeats(query), /^\S+/],
    // Two numbers, with a condition of the first one.
    [
      new Set(measures.map(({ name }) => name)).size === 1,
      /\bhow (?:many|much)\b.*\band how (?:many|much)\b/,
    ],
    [!(isOfState || rank), /\b(?:still|yet)\b/],
    [isOfAll(query) && subject === 'rows', /^how (?:much|many)\b/],
    [
      !(isOfPersons(table) || isOfPerson),
      /^(?:has|have|is|are|did|does|do) (?:anyone|anybody|someone|somebody)\b/,
    ],
    [!table.nouns.has('task'), /\bto do\b/],
    [measures.length === 0, /^what (?:did|does|do) .*\b(?:come|go|look|say|mean)\b/],
  ];
  return unmet.flatMap(([isOpen, said]) => (isOpen && said.exec(text)?.[0]) || [])[0];
}

/** Whether the statement uses the money formula that the sentence gives, if any. */
const isOfMoney = (measures: Query['measures'], { money }: Table, sql: string): boolean =>
  !money || (sql.includes(money.sql) && measures.every(({ of }) => !of || of.sql === money.sql));

/** Whether a condition is about the state of a row, not about a time or a comparison of numbers. */
const isState = ({ sql }: Condition): boolean =>
  /NULL|<> '|^\(?[^\s(]+ (?:=|IN|IS)|^NOT |EXISTS|coalesce/.test(sql) &&
  !/strftime|date\(/.test(sql);

/** Whether only one column is shown. */
const isOneValue = ({ columns, groups, measures, rank, subject }: Query): boolean =>
  columns.length + groups.length + measures.length === 0 && !rank && subject !== 'rows';

/** Whether the answer only repeats a value of the question: `who owns Biscuit`, answered with Biscuit. */
const repeats = (query: Query): boolean =>
  isOneValue(query) &&
  !query.isDistinct &&
  query.where.some(
    ({ column, value }) =>
      value !== undefined && query.subject !== 'rows' && column === query.subject?.column,
  );

/** Whether `write` is a verb of the rows, and does not ask for a file: `how many letters did each customer write`. */
const isOfDeed = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.norm === 'write' &&
  /^(?:did|does|do)$/.test(
    tokens.slice(0, at).findLast(({ norm }) => /^(?:did|does|do|and|then)$/.test(norm))?.norm ?? '',
  );

/** Whether `second` is a unit of time, not a position: `1 second`. */
const isUnit = (before: Token | undefined, { norm }: Token): boolean =>
  before?.kind === 'number' && norm === 'second';

interface Evidence {
  readonly query: Query;
  readonly table: Table;
  readonly sql: string;
}

/** Words, with what the statement must contain for them. */
const marks: readonly (readonly [word: RegExp, statement: RegExp])[] = [
  [/^(?:first|last)$/, /ORDER BY|LIMIT|'now'|'-Q'|max\(|min\(/],
  [/^(?:sorted|ordered|sort)$/, /ORDER BY|EXISTS/],
  [/^(?:filter|narrow|restrict)$/, /WHERE/],
  [/^median$/, /median|percentile/],
  [/^(?:average|mean)$/, /avg\(/],
  [/^sum$/, /sum\(/],
];

/** Nouns for data, which are ignored unless a key has this name. */
const containers = /^(?:database|db|server|web|log|file|data|table|content|report|value|result)$/;

function isUsed(token: Token, next: Token | undefined, evidence: Evidence): boolean {
  const { query, table, sql } = evidence;
  // `the port of the database`, with a key `database`
  const named = containers.test(token.norm)
    ? table.columns.filter(
        ({ words: [of, ...more], isPart }) => of === token.stem && (isPart || more.length === 0),
      )
    : [];
  if (named.length > 0)
    return sql.startsWith('SELECT *') || named.some((own) => sql.includes(own.sql));
  const stem = token.stem.replace(/^(m(?:in|ax))imum$/, '$1');
  if (table.columns.some(({ words }) => words.includes(token.stem) || words.includes(stem)))
    return true;
  // `at the peak`, with a station `peak`
  if (token.kind === 'word' && sql.toLowerCase().includes(`'${token.norm}'`)) return true;
  switch (token.kind) {
    case 'file':
      return [query.file ?? '', ...filesIn(table, sql)]
        .map(normalize)
        .includes(normalize(token.text));
    case 'date':
      return sql.includes(token.norm);
    case 'number':
      return isNumeralUsed(token, query, sql);
    case 'word':
      return isWordUsed(token.norm, next?.norm ?? '', evidence);
    default:
      return true;
  }
}

function isNumeralUsed({ text, value = 0 }: Token, query: Query, sql: string): boolean {
  if (!/(?:st|nd|rd|th)$/i.test(text)) return isNumberUsed(value, query, sql);
  const day = `-${String(value).padStart(2, '0')}'`;
  return /percentile/.test(sql) || sql.includes(`OFFSET ${value - 1}`) || sql.includes(day);
}

function isWordUsed(word: string, next: string, { query, sql }: Evidence): boolean {
  const value = numberWords.get(word);
  if (value !== undefined) return value < 2 || isNumberUsed(value, query, sql);
  const phrase = `${word} ${next}`;
  if (ordinals.has(word)) return /OFFSET|'-Q'/.test(sql);
  if (/^(?:save|write|export|store)$/.test(word)) return query.file !== undefined;
  const isEither = down.has(word) && up.has(word);
  const isPart = isEither || down.has(phrase) || up.has(phrase);
  if (isEither) return /ORDER BY|max\(|min\(/.test(sql);
  if (down.has(word) && !isPart)
    return / DESC\b|max\(|percentile|>=|ORDER BY rowid|'now'/.test(sql);
  if (up.has(word) && !isPart) return /ORDER BY|min\(|<=|>=/.test(sql);
  return marks.every(([pattern, statement]) => !pattern.test(word) || statement.test(sql));
}
