export type TokenKind =
  | 'word'
  | 'number'
  | 'date'
  | 'quote'
  | 'code'
  | 'fence'
  | 'url'
  | 'pattern'
  | 'file'
  | 'glob'
  | 'op'
  | 'mark';
/** A piece of a task. What is quoted, ticked or fenced is one token, and no word in it is an instruction. */
export interface Token {
  readonly kind: TokenKind;
  /** As written, without quotes, ticks or fence. */
  readonly text: string;
  /** Lower case; of a date `2024-05-17` or `2024-05`. */
  readonly norm: string;
  /** A word in the singular. */
  readonly stem: string;
  /** Of a number. */
  readonly value: number | undefined;
  /** Of a fence, in lower case. */
  readonly language: string;
  readonly start: number;
  readonly end: number;
}
/** Whether a run of characters is the name of a file or folder, by its spelling. */
export declare function isFileName(value: string): boolean;
/** Splits a task into tokens; nothing but white space is left out. */
export declare function tokenize(text: string): Token[];
