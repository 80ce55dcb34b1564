import type { Atom } from './atoms.ts';
import type { Clause } from './clauses.ts';
import type { Span } from './spans.ts';
/** A task beside its atoms. */
export interface TaskText {
  readonly text: string;
  readonly masked: string;
  readonly atoms: readonly Atom[];
}
/** Atoms inside a span. */
export declare const atomsIn: ({ atoms }: TaskText, { start, end }: Span) => readonly Atom[];
/** Files and globs that a span names. */
export declare const filesIn: (task: TaskText, span: Span) => string[];
/** The file whose name starts at an offset. */
export declare const fileAt: ({ atoms }: TaskText, at: number) => string[];
/** Files behind `to`, `as` or `into`. */
export declare const targetsOf: (task: TaskText, clause: Clause) => string[];
