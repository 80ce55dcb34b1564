import type { Token } from '../../language/lexer.ts';
import { fits, mayBegin, patternOf, type Reading, type Span } from '../../phrases/pattern.ts';
import { type ErrorDetails, fail, TaskError } from '../../task-error.ts';
import type { Condition, Measure, Query, Value } from '../sql/query.ts';
import type { Table } from '../table/schema.ts';
import type { Adjective } from './figures/superlatives.ts';
import type { Rows } from './rows/rows.ts';
import type { Moment } from './times/moments.ts';
import type { Amount } from './values/amounts.ts';
import type { Format } from './words.ts';

/** The parts of a source. */
type Parts = Pick<Source, 'tokens' | 'table' | 'query' | 'slots' | 'doubts'>;

/** The tokens of a question, its table, and the query that its rules fill. */
export class Source {
  readonly tokens: readonly Token[];
  /** The table, extended by the nouns that the sentence gives to its rows. */
  table: Table;
  readonly query: Query;
  /** The rules that patterns may use in braces. */
  readonly slots: Slots;
  /** Errors of rejected readings, used if no other reading is found. */
  readonly doubts: TaskError[];

  constructor({ tokens, table, query, slots, doubts }: Parts) {
    this.tokens = tokens;
    this.table = table;
    this.query = query;
    this.slots = slots;
    this.doubts = doubts;
  }

  /** The same sentence with another table or query. */
  with(changes: Partial<Parts>): Source {
    return new Source({ ...this, ...changes });
  }

  /** Rejects a reading, and records why. Returns undefined, so that a rule can return its result. */
  doubt(code: string, message: string, details: ErrorDetails): undefined {
    this.doubts.push(new TaskError(code, message, details));
  }

  /** Rejects a reading of words with several meanings. */
  ambiguous(said: string, problem: string, details: ErrorDetails = {}): undefined {
    return this.doubt('AMBIGUOUS', `"${said}" ${problem}`, { said, ...details });
  }

  /** Whether a token is this word, operator or mark. */
  isWord(at: number, word: string): boolean {
    const { norm, kind = '' } = this.tokens[at] ?? {};
    return norm === word && /^(?:word|op|mark)$/.test(kind);
  }

  /** The word, operator or mark at a token in lower case; empty outside the sentence. */
  wordAt(at: number): string {
    return this.tokens[at]?.norm ?? '';
  }

  /** Whether no word follows: a mark, a file or nothing. */
  isAtEnd(at: number): boolean {
    return /^(?:mark|file)$/.test(this.tokens[at]?.kind ?? 'mark');
  }

  /** The longest of the phrases that starts at a token. */
  phraseAt(at: number, phrases: readonly string[]): Match<string> | undefined {
    let best: Match<string> | undefined;
    const norm = this.tokens[at]?.norm;
    if (norm === undefined) return undefined;
    for (const phrase of phrases) {
      if (!phrase.startsWith(norm)) continue;
      const words = phrase.split(' ');
      const end = at + words.length;
      if (end > (best?.end ?? at) && words.every((word, i) => this.isWord(at + i, word)))
        best = { value: phrase, end };
    }
    return best;
  }

  /** The index after articles. */
  skipArticles(at: number): number {
    let end = at;
    while (this.tokens[end]?.kind === 'word' && articles.has(this.wordAt(end))) {
      if (this.isColumn(end)) break;
      end += 1;
    }
    return end;
  }

  /** Whether an article is the name of a column, because no noun follows: `sum of a per c`. */
  private isColumn(at: number): boolean {
    const isNamed = this.table.columns.some(({ name }) => name.toLowerCase() === this.wordAt(at));
    return (
      isNamed && (this.tokens[at + 1]?.kind !== 'word' || afterColumn.test(this.wordAt(at + 1)))
    );
  }

  /** The tokens as written, with single spaces. */
  textOf(from = 0, end = this.tokens.length): string {
    const said = this.tokens.slice(from, end);
    return said.map(({ text }) => text).join(' ');
  }

  /** The tokens in lower case, with single spaces. */
  normOf(from = 0, end = this.tokens.length): string {
    const said = this.tokens.slice(from, end);
    return said.map(({ norm }) => norm).join(' ');
  }
}

const afterColumn = /^(?:and|by|for|from|in|is|of|or|per|where|with)$/;

const articles = new Set('the a an all their its any of those these'.split(' '));

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
  Named<
    'value' | 'condition' | 'stateWord' | 'partOfValues' | 'timeBefore' | 'numbered',
    Condition
  > &
  Named<'amount' | 'high', Amount> &
  Named<'moment' | 'last', Moment> &
  Named<'text' | 'file', Token> &
  Named<'op' | 'word' | 'unit' | 'deedWord', string> &
  Named<'number' | 'decimals' | 'start' | 'from' | 'end', number> &
  Named<'measure', Measure> &
  Named<'aggregate', Measure['fn']> &
  Named<'rows', Rows> &
  Named<'adjective' | 'superlative' | 'other', Adjective> &
  Optional<'of2', Value> &
  Optional<'count', number> &
  Optional<'bound', '>=' | '<='> &
  Optional<'noun' | 'those' | 'these', Rows> &
  Optional<'kind', Format> &
  Optional<'second', Token> &
  Optional<'not' | 'lead', string>;

/** The patterns of all rules, for the vocabulary. */
export const patterns: string[] = [];

/**
 * Creates a rule from a pattern and a function that builds its value. If the value is undefined, other matches are tried.
 *
 * A pattern has words; `(a|b)` alternatives; `[a]` optional parts; `op:(a|b)` named parts; `{column}` or `{of:column}`
 * slots.
 */
export function rule<T>(
  text: string,
  build: (captures: Captures, source: Source) => T | undefined,
): Reads<T> {
  patterns.push(text);
  const pattern = patternOf(text);
  return (source, from) => {
    const { tokens, slots } = source;
    if (!mayBegin(pattern, tokens[from])) return undefined;
    const spans: Span[] = [];
    const slot: Reading['slot'] = ({ kinds: [kind = ''] }, at, then) => {
      const read = slots[kind] ?? fail('NO_SLOT', kind);
      const found = read(source, at);
      return found !== undefined && then(found.end, found.value);
    };
    let match: Match<T> | undefined;
    fits({ tokens, spans, slot }, pattern, from, (end) => {
      const captured = spans.map(({ name, from: at, to, value }) => [
        name,
        value ?? source.normOf(at, to),
      ]);
      const found = { ...Object.fromEntries(captured), from, end } as Captures;
      const value = build(found, source);
      if (value !== undefined) match = { value, end };
      return value !== undefined;
    });
    return match;
  };
}

/** A rule whose captures may be missing, because they are in alternatives. */
export const looseRule = rule as <T>(
  pattern: string,
  build: (
    captures: Partial<Captures> & Pick<Captures, 'from' | 'end'>,
    source: Source,
  ) => T | undefined,
) => Reads<T>;

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

/** The only element. Undefined if there are none or several. */
export const single = <T>(all: readonly T[]): T | undefined =>
  all.length === 1 ? all[0] : undefined;

/** Reads a list of items, separated by these phrases: `name, price and stock`. Undefined if there is no item. */
export function listOf<T>(read: Reads<T>, joints: readonly string[]): Reads<readonly T[]> {
  return (source, start) => {
    const value: T[] = [];
    let end = start;
    for (let next = read(source, start); next; ) {
      value.push(next.value);
      end = next.end;
      const joint = source.phraseAt(end, joints);
      next = joint && read(source, joint.end);
    }
    return value.length === 0 ? undefined : { value, end };
  };
}
