/** What a verb asks for. `output` verbs may save a result, write a given text, or describe a file's shape. */
export type VerbKind =
  | 'data'
  | 'output'
  | 'append'
  | 'edit'
  | 'copy'
  | 'run'
  | 'fetch'
  | 'summarise'
  | 'qualify'
  | 'question'
  | 'other';
/** The same at the end of a step. */
export declare const trailingCourtesy: RegExp;
/** A clause without the courtesy in front of it. Looks at the first word before it compiles a long pattern. */
export declare const withoutCourtesy: (text: string) => string;
/** A clause without the words that tie it to the one before. In `first order in a.csv`, `first` says which order is meant. */
export declare function withoutConnector(text: string): string;
/** Whether text is nothing but words that tie clauses. */
export declare const isConnector: (text: string) => boolean;
export declare const isPresentation: (clause: string) => boolean;
export interface VerbMatch {
  readonly verb: string;
  readonly kind: VerbKind;
}
/** The verb that a clause starts with, if it is one that we know. */
export declare function startingVerb(clause: string): VerbMatch | undefined;
/** True where the text behind a joint starts an action of its own. A weak joint is a bare `and`; `then` is a strong one. */
export declare function startsAction(rest: string, joint: 'and' | 'comma' | 'then'): boolean;
