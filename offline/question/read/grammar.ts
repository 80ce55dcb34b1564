import type { Token } from '../../language/lexer.ts';
import { type ErrorDetails, TaskError } from '../../task-error.ts';
import type { Condition, Measure, Query, Value } from '../sql/query.ts';
import type { Table } from '../table/schema.ts';
import type { Adjective } from './figures/superlatives.ts';
import type { Rows } from './rows/rows.ts';
import type { Moment } from './times/moments.ts';
import type { Amount } from './values/amounts.ts';
import type { Format } from './words.ts';

/** The tokens of a question, its table, and the query that its rules fill. */
export interface Source {
  readonly tokens: readonly Token[];
  /** The table, extended by the nouns that the sentence gives to its rows. */
  table: Table;
  readonly query: Query;
  /** The rules that patterns may use in braces. */
  readonly slots: Slots;
  /** Errors of rejected readings, used if no other reading is found. */
  readonly doubts: TaskError[];
}

/** Rejects a reading, and records why. Returns undefined, so that a rule can return its result. */
export function doubt(
  { doubts }: Pick<Source, 'doubts'>,
  code: string,
  message: string,
  details: ErrorDetails,
): undefined {
  doubts.push(new TaskError(code, message, details));
}

/** A value that was read, and the index of the token after it. */
export interface Match<T> {
  readonly value: T;
  readonly end: number;
}

/** A rule: reads a value at a token, or returns undefined. */
export type Reads<T> = (source: Source, at: number) => Match<T> | undefined;

/** Rules by the names of their slots. */
export type Slots = Readonly<Record<string, Reads<unknown>>>;

type Named<Names extends string, T> = Readonly<Record<Names, T>>;
type Optional<Names extends string, T> = Readonly<Partial<Record<Names, T>>>;

/**
 * The captures of a pattern by name. `start` is the token index of the slot `{start}`; `from` and `end` are the indices
 * of the first matched token and of the token after the last one. Optional captures must be in optional parts.
 */
export type Captures = Named<'column' | 'flag' | 'of', Value> &
  Named<'value' | 'condition' | 'stateWord' | 'partOfValues', Condition> &
  Named<'amount' | 'high', Amount> &
  Named<'moment' | 'last', Moment> &
  Named<'text' | 'file', Token> &
  Named<'op' | 'word' | 'unit' | 'deedWord', string> &
  Named<'number' | 'decimals' | 'start' | 'from' | 'end', number> &
  Named<'measure', Measure> &
  Named<'rows', Rows> &
  Named<'adjective', Adjective> &
  Optional<'of2', Value> &
  Optional<'count', number> &
  Optional<'bound', '>=' | '<='> &
  Optional<'noun', Rows> &
  Optional<'kind', Format> &
  Optional<'not' | 'lead', string>;

type Found = Partial<Captures> & Readonly<Record<string, unknown>>;
type Next = (at: number, found: Found) => Match<unknown> | undefined;
type Run = (source: Source, at: number, found: Found, next: Next) => Match<unknown> | undefined;

/** A part of a pattern. */
interface Part {
  readonly run: Run;
  /** The words that it can begin with; undefined if it has slots that begin. */
  readonly starts: ReadonlySet<string> | undefined;
  /** Whether it also matches nothing. */
  readonly isOptional: boolean;
}

const canStart = ({ starts, isOptional }: Part, { tokens }: Source, at: number): boolean =>
  isOptional || starts === undefined || starts.has(tokens[at]?.norm ?? '');

/** The patterns of all rules, for the vocabulary. */
export const patterns: string[] = [];

/**
 * Creates a rule from a pattern and a function that builds its value. If the value is undefined, other matches are tried.
 *
 * A pattern has words; `(a|b)` alternatives; `[a]` optional parts; `op:(a|b)` named parts; `{column}` or `{of:column}`
 * slots.
 */
export function rule<T>(
  pattern: string,
  build: (captures: Captures, source: Source) => T | undefined,
): Reads<T> {
  let part: Part | undefined;
  patterns.push(pattern);
  return (source, at) => {
    part ??= compile(pattern);
    if (!canStart(part, source, at)) return undefined;
    return part.run(source, at, {}, (end, found) => {
      const value = build({ ...found, from: at, end } as unknown as Captures, source);
      return value === undefined ? undefined : { value, end };
    }) as Match<T> | undefined;
  };
}

/** Caches a rule whose result depends only on the tokens and the table. */
export function remembered<T>(reads: Reads<T>): Reads<T> {
  const known = new WeakMap<Source, Remembered<T>>();
  return (source, at) => {
    const { table } = source;
    const last = known.get(source);
    const found = last?.table === table ? last : { table, matches: new Map() };
    known.set(source, found);
    if (!found.matches.has(at)) found.matches.set(at, reads(source, at));
    return found.matches.get(at);
  };
}

interface Remembered<T> {
  readonly table: Table;
  readonly matches: Map<number, Match<T> | undefined>;
}

/** Combines rules. The first one that matches wins. */
export const either =
  <T>(...rules: readonly Reads<T>[]): Reads<T> =>
  (source, at) => {
    for (const one of rules) {
      const found = one(source, at);
      if (found) return found;
    }
    return undefined;
  };

const pieces = /(\w+):(?=[([])|([([|\])])|\{(?:(\w+):)?(\w+)\}|([^\s()[\]{}|]+)/g;

/** The pieces of a pattern, and the current position. */
interface Pieces {
  readonly all: readonly RegExpMatchArray[];
  at: number;
}

const compile = (pattern: string): Part => sequence({ all: [...pattern.matchAll(pieces)], at: 0 });

const markAt = ({ all, at }: Pieces): string => all[at]?.[2] ?? '';

function sequence(source: Pieces): Part {
  const parts: Part[] = [];
  for (; source.at < source.all.length; source.at += 1) {
    if (/^[|\])]$/.test(markAt(source))) break;
    parts.push(partAt(source));
  }
  const first = parts.slice(0, parts.findIndex(({ isOptional }) => !isOptional) + 1 || undefined);
  const isOptional = parts.every((part) => part.isOptional);
  return { run: inTurn(parts, 0), starts: union(first), isOptional };
}

/** Undefined if one of the parts can begin with any word. */
function union(parts: readonly Part[]): Part['starts'] {
  const all = parts.map(({ starts }) => starts);
  return all.includes(undefined)
    ? undefined
    : new Set(all.flatMap((starts) => [...(starts ?? [])]));
}

function partAt(source: Pieces): Part {
  const [, name, mark, slotName, slot, word = ''] = source.all[source.at] ?? [];
  if (name !== undefined) source.at += 1;
  if (name !== undefined || mark !== undefined) return choice(source, name);
  return slot === undefined ? wordPart(word) : slotPart(slot, slotName ?? slot);
}

function choice(source: Pieces, name: string | undefined): Part {
  const isOptional = markAt(source) === '[';
  const options: Part[] = [];
  do {
    source.at += 1;
    options.push(sequence(source));
  } while (markAt(source) === '|');
  return anyOf(isOptional ? [...options, nothing] : options, name);
}

const nothing: Part = {
  run: (_source, at, found, next) => next(at, found),
  starts: new Set(),
  isOptional: true,
};

function inTurn(parts: readonly Part[], index: number): Run {
  const part = parts[index];
  if (part === undefined) return nothing.run;
  const rest = inTurn(parts, index + 1);
  return (source, at, found, next) =>
    canStart(part, source, at)
      ? part.run(source, at, found, (end, captures) => rest(source, end, captures, next))
      : undefined;
}

function anyOf(options: readonly Part[], name: string | undefined): Part {
  const run: Run = (source, at, found, next) => {
    for (const option of options) {
      if (!canStart(option, source, at)) continue;
      const matched = option.run(source, at, found, (end, captures) =>
        next(end, name && end > at ? { ...captures, [name]: normOf(source, at, end) } : captures),
      );
      if (matched) return matched;
    }
    return undefined;
  };
  return { run, starts: union(options), isOptional: options.some((one) => one.isOptional) };
}

/** `lines?` is the word with or without its last letter. */
const wordPart = (word: string): Part => {
  const isShort = word.length > 1 && word.endsWith('?');
  const starts = new Set(isShort ? [word.slice(0, -1), word.slice(0, -2)] : [word]);
  const run: Run = ({ tokens }, at, found, next) => {
    const token = tokens[at];
    return token && starts.has(token.norm) && isWord(token, token.norm)
      ? next(at + 1, found)
      : undefined;
  };
  return { run, starts, isOptional: false };
};

function slotPart(slot: string, name: string): Part {
  const run: Run = (source, at, found, next) => {
    const read = source.slots[slot];
    if (read === undefined) throw new Error(`A pattern uses {${slot}}, but no rule has this name.`);
    const match = read(source, at);
    return match && next(match.end, { ...found, [name]: match.value });
  };
  return { run, starts: undefined, isOptional: false };
}

/** Whether a token is this word, operator or mark. */
export const isWord = (token: Token | undefined, word: string): boolean =>
  token?.norm === word && (token.kind === 'word' || token.kind === 'op' || token.kind === 'mark');

/** The longest of the phrases that starts at a token. */
export function phraseAt(
  { tokens }: Source,
  at: number,
  phrases: readonly string[],
): Match<string> | undefined {
  let best: Match<string> | undefined;
  const { norm } = tokens[at] ?? {};
  if (norm === undefined) return undefined;
  for (const phrase of phrases) {
    if (!phrase.startsWith(norm)) continue;
    const words = phrase.split(' ');
    const end = at + words.length;
    if (end <= (best?.end ?? at) || !words.every((word, i) => isWord(tokens[at + i], word)))
      continue;
    best = { value: phrase, end };
  }
  return best;
}

/** Reads a list of items, separated by these phrases: `name, price and stock`. Undefined if there is no item. */
export function listOf<T>(read: Reads<T>, joints: readonly string[]): Reads<readonly T[]> {
  return (source, start) => {
    const value: T[] = [];
    let end = start;
    for (let next = read(source, start); next; ) {
      value.push(next.value);
      end = next.end;
      const joint = phraseAt(source, end, joints);
      next = joint && read(source, joint.end);
    }
    return value.length === 0 ? undefined : { value, end };
  };
}

const joined =
  (part: 'text' | 'norm') =>
  ({ tokens }: Source, from: number, end: number): string =>
    tokens
      .slice(from, end)
      .map((token) => token[part])
      .join(' ');

/** The tokens as written, with single spaces. */
export const textOf = joined('text');

const normOf = joined('norm');

const articles = new Set('the a an all their its any of those these'.split(' '));

/** The index after articles. */
export function skipArticles({ tokens }: Pick<Source, 'tokens'>, at: number): number {
  let end = at;
  while (tokens[end]?.kind === 'word' && articles.has(tokens[end]?.norm ?? '')) end += 1;
  return end;
}
