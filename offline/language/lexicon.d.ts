/** The vocabulary of the rules, as data. Words stand in lower case, nouns in the singular. */
export declare const numberWords: ReadonlyMap<string, number>;
export declare const months: readonly string[];
/** Words of a question that say nothing about its answer. */
export declare const fillers: ReadonlySet<string>;
/** Words of a row in any table. */
export declare const rowNouns: ReadonlySet<string>;
/** Words of a row in an access log. */
export declare const requestNouns: ReadonlySet<string>;
export declare const directions: {
  readonly desc: readonly string[];
  readonly asc: readonly string[];
};
export interface Superlative {
  readonly words: readonly string[];
  readonly direction: 'asc' | 'desc';
  /** Words of a column that it goes by; `time` for the column of time, `count` for how often. */
  readonly by: readonly string[] | 'time' | 'count';
}
/** Adjectives that name what they go by. */
export declare const superlatives: readonly Superlative[];
/** Comparisons that name what they compare. */
export declare const comparatives: readonly (readonly [
  phrases: readonly string[],
  op: Comparison,
  by: readonly string[],
])[];
/** `second`, `3rd`: which one of an order. */
export declare const ordinals: ReadonlyMap<string, number>;
/** Words of a calculation, in the form that SQL calls it by. */
export declare const aggregates: readonly (readonly [words: readonly string[], fn: string])[];
export declare const countWords: readonly string[];
export declare const distinctWords: readonly string[];
export declare const groupWords: readonly string[];
/** Comparisons, the longer first; `ge`, `gt`, … as in `comparison`. */
export declare const comparators: readonly (readonly [phrase: string, op: Comparison])[];
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';
/** Text conditions. */
export declare const textTests: readonly (readonly [phrases: readonly string[], test: TextTest])[];
export type TextTest = 'has' | 'lacks' | 'starts' | 'ends';
export declare const emptyWords: readonly string[];
export declare const filledWords: readonly string[];
export declare const exceptWords: readonly string[];
/** Names that columns may go by beside their own; the first list is what people say. */
export declare const synonyms: readonly (readonly [
  said: readonly string[],
  column: readonly string[],
])[];
/** What a word means in an access log. */
export declare const logMeanings: ReadonlyMap<string, string>;
/** Units of time in seconds and of size in bytes. */
export declare const units: ReadonlyMap<string, readonly ['time' | 'size', number]>;
/** Parts of a time, each with its SQL. */
export declare const timeParts: ReadonlyMap<string, (column: string) => string>;
export declare const formats: readonly (readonly [words: readonly string[], format: Format])[];
export type Format = 'markdown' | 'csv' | 'tsv' | 'json' | 'text';
export declare const writeVerbs: readonly string[];
/** Words before a condition on groups: `with more than one order`. */
export declare const havingWords: readonly string[];
