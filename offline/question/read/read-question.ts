import type { Token } from '../../language/lexer.ts';
import { type Measure, newQuery, type Query } from '../sql/query.ts';
import type { Table } from '../table/schema.ts';
import { extras } from './asides/extras.ts';
import {
  declaration,
  explained,
  isLight,
  isOfUsedColumn,
  opensDefinition,
  unusedTotal,
} from './asides/light-words.ts';
import { setPhrases } from './asides/set-phrases.ts';
import { dimension } from './columns/dimension.ts';
import { flag } from './columns/flags.ts';
import { column } from './columns/names.ts';
import { stateWord } from './columns/states.ts';
import { deedWord } from './columns/verbs-of-rows.ts';
import { expression, formula } from './figures/expressions.ts';
import { meanFigures } from './figures/meant-figures.ts';
import { aggregate, measure, measures, noun } from './figures/measures.ts';
import { moneyVerb } from './figures/money-measures.ts';
import { rank } from './figures/ranks.ts';
import { direction, superlative } from './figures/superlatives.ts';
import { either, type Match, type Reads, rule, type Slots, Source } from './grammar.ts';
import { group, having } from './rows/groups.ts';
import { order, slice } from './rows/orders.ts';
import { decimals, format, keysOf, output } from './rows/outputs.ts';
import { rows } from './rows/rows.ts';
import {
  addConditions,
  asking,
  columns,
  deed,
  different,
  subject,
  yesNo,
} from './rows/subjects.ts';
import { where as place, who } from './rows/who.ts';
import { bound, moment } from './times/moments.ts';
import { spanWords } from './times/spans.ts';
import { furtherTime, timeBefore } from './times/times.ts';
import { amount, number } from './values/amounts.ts';
import { comparison, countBefore, size } from './values/comparisons.ts';
import { condition } from './values/conditions.ts';
import { messagesWith, partOfValues } from './values/parts-of-values.ts';
import { isFiller, value, valueList } from './values/values.ts';

const ofKind =
  (fits: (token: Token) => boolean): Reads<Token> =>
  ({ tokens }, at) => {
    const token = tokens[at];
    return token && fits(token) ? { value: token, end: at + 1 } : undefined;
  };

const slots: Slots = {
  ...{ amount, bound, column, comparison, size, condition, decimals, dimension, expression, flag },
  ...{ format, measure, moment, noun, number, rows, stateWord, value, valueList, partOfValues },
  ...{ adjective: direction, superlative, timeBefore, numbered: countBefore },
  ...{ aggregate, deedWord },
  text: ofKind(({ kind }) => kind !== 'mark' && kind !== 'op' && kind !== 'file'),
  file: ofKind(({ kind }) => kind === 'file'),
  start: (_source, at) => ({ value: at, end: at }),
};

/** The reading of a question, and the words that no rule understood. */
export interface ReadQuestion {
  readonly query: Query;
  readonly source: Source;
  readonly leftover: readonly Token[];
}

/** Reads a question with the columns and values of a table. */
export function readQuestion(tokens: readonly Token[], table: Table): ReadQuestion {
  const source = new Source({ tokens, table, slots, query: newQuery(), doubts: [] });
  for (const at of tokens.keys()) formula(source, at);
  const { read, rest } = readAll(source);
  const open = rest.filter((at) => !isOfUsedColumn(at, source));
  const light = open.filter((at) => isLight({ source, read }, at));
  const unread = open.filter((at) => !light.includes(at));
  const event = messagesWith(source, unread);
  if (event) source.query.where.push(event);
  light.push(...(event ? unread : explained(source, unread)));
  meanFigures(source);
  const leftover = tokens.filter((_token, at) => open.includes(at) && !light.includes(at));
  leftover.push(...unusedTotal(source));
  source.query.aside = tokens
    .filter((token, at) => !event && light.includes(at) && !opensDefinition(token))
    .map(({ norm }) => norm);
  if (leftover.length === 0 && isWholeTable(tokens)) source.query.subject ??= 'rows';
  return { query: source.query, source, leftover };
}

const wholeTable =
  /^(?:me|all|the|whole|entire|everything|contents?|data|rows|of|in|from|a|as|table|markdown|csv|json|tsv|to|into|file|please)$/;

/** Whether a question has only a verb, the file and a format: `Show orders.csv as a table`. */
const isWholeTable = (tokens: readonly Token[]): boolean =>
  /^(?:show|list|display|print|view|convert|export|save|read|open)$/.test(tokens[0]?.norm ?? '') &&
  tokens.slice(1).every(({ kind, norm }) => kind !== 'word' || wholeTable.test(norm));

/** The indices of the tokens that the rules read, and of the others except fillers. */
function readAll(source: Source): { read: ReadonlySet<number>; rest: readonly number[] } {
  const read = new Set<number>();
  const rest: number[] = [];
  for (let at = 0; at < source.tokens.length; ) {
    const found = sentence(source, at);
    const token = source.tokens[at];
    const isOpen = token && (!isFiller(token) || isAsked.some((test) => test(source, at)));
    if (!found && isOpen) rest.push(at);
    const end = Math.max(found?.end ?? at, at + 1);
    for (; at < end; at += 1) if (found) read.add(at);
  }
  return { read, rest };
}

/** Whether a second question begins here: `the dearest repair, and who did it`. */
const asksAgain = (source: Source, at: number): boolean =>
  at > 0 && /^(?:and|[,.;:?]) (?:who|whom|whose)$/.test(source.normOf(at - 1, at + 1));

/** Whether somebody else than the asker wants something: `which places need repairs`. */
const isWish = (source: Source, at: number): boolean =>
  /^(?:want|need|like)$/.test(source.wordAt(at)) &&
  source.tokens.slice(0, at).some((token) => !isFiller(token)) &&
  !/^(?:i|we|you|would|also|only|just)$/.test(source.wordAt(at - 1));

/** Whether a word is the noun of a key, so that the other table names it: `of which show`, with a `show_id`. */
const isOfKey = ({ tokens, table }: Source, at: number): boolean =>
  /^(?:which|what|its|their)$/.test(tokens[at - 1]?.norm ?? '') &&
  table.columns.some(({ words: [of, id] }) => id === 'id' && of === tokens[at]?.stem);

const isAsked = [asksAgain, isWish, isOfKey];

/** Reads the measure that words describe, with its conditions. Undefined if a word is not understood. */
export function readMeasure(
  { tokens, table }: Source,
  from: number,
  end: number,
): Measure | undefined {
  const { query, leftover } = readQuestion(tokens.slice(from, end), table);
  const [only] = query.measures;
  const isOne = leftover.length === 0 && query.measures.length === 1 && query.groups.length === 0;
  return only && isOne && !query.rank
    ? { ...only, where: [...only.where, ...query.where] }
    : undefined;
}

/** Reads the definition of a key: `(not_found = number of their requests answered with 404)`. */
const definition: Reads<true> = (source, start) => {
  const { tokens, query } = source;
  const at = source.phraseAt(start, ['(', ',', 'where', 'and'])?.end ?? start;
  const key = tokens[at];
  const means = source.phraseAt(at + 1, ['=', 'is', 'means', 'being', ':']);
  if (key?.kind !== 'word' || !means || !keysOf(query).includes(key.text)) return undefined;
  let end = means.end;
  while (end < tokens.length && !/^[);.]$/.test(tokens[end]?.norm ?? '')) end += 1;
  const found = readMeasure(source, means.end, end);
  if (!found) return undefined;
  query.definitions.set(key.text, { ...found, name: key.text });
  return { value: true, end: Math.min(tokens.length, end + 1) };
};

function calculation(source: Source, at: number): Match<true> | undefined {
  const found = measures(source, at);
  if (!found) return undefined;
  source.query.measures.push(...found.value);
  if (found.value.some(({ fn }) => fn === 'count' || fn === 'share'))
    source.query.subject ??= 'rows';
  return { value: true, end: found.end };
}

const where = rule('{condition}', ({ condition: found, from }, { query, tokens }) => {
  const first = tokens[from]?.norm ?? '';
  addConditions(query, [found], /ed$/.test(first) || isSaid.test(first));
  return true as const;
});

function anotherTime(source: Source, at: number): Match<true> | undefined {
  const found = furtherTime(source, at);
  if (found) addConditions(source.query, [found.value]);
  return found && { value: true, end: found.end };
}

/** Words that begin a statement about rows instead of selecting them. */
const isSaid =
  /^(?:is|are|was|were|has|have|had|hasn't|haven't|isn't|aren't|wasn't|weren't|passed|failed|paid|never|still)$/;

/** The first rule that matches wins. */
const sentence: Reads<true> = either(
  declaration,
  yesNo,
  formula,
  definition,
  output,
  order,
  having,
  slice,
  extras,
  rank,
  group,
  who,
  place,
  moneyVerb,
  calculation,
  columns,
  subject,
  where,
  anotherTime,
  different,
  asking,
  deed,
  spanWords,
  ...setPhrases,
  rule('{partOfValues}', ({ partOfValues: found, from }, { query, tokens }) => {
    // Adjacent parts of values of one column are not alternatives.
    const isOther = query.where.some(({ column: own }) => own && own === found.column);
    if (isOther && !/^(?:or|and|,)$/.test(tokens[from - 1]?.norm ?? '')) return undefined;
    addConditions(query, [found]);
    return true as const;
  }),
);
