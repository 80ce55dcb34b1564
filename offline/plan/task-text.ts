import type { Atom } from './atoms.ts';
import type { Clause } from './clauses.ts';
import type { Span } from './spans.ts';

/** A task with its atoms. */
export interface TaskText {
  readonly text: string;
  readonly masked: string;
  readonly atoms: readonly Atom[];
}

/** Atoms inside a span. */
export const atomsIn = ({ atoms }: TaskText, { start, end }: Span): readonly Atom[] =>
  atoms.filter((atom) => atom.start >= start && atom.end <= end);

/** Files and globs that a span names. */
export const filesIn = (task: TaskText, span: Span): string[] =>
  atomsIn(task, span)
    .filter(({ kind }) => kind === 'file' || kind === 'glob')
    .map(({ value }) => value);

/** The file whose name starts at an offset. */
export const fileAt = ({ atoms }: TaskText, at: number): string[] =>
  atoms.filter(({ start }) => start === at).map(({ value }) => value);

/** Files behind `to`, `as` or `into`. */
export const targetsOf = (task: TaskText, clause: Clause): string[] =>
  atomsIn(task, clause)
    .filter(
      ({ kind, start }) =>
        kind === 'file' &&
        /\b(?:to|as|into)\s+(?:(?:a|the) )?(?:file )?$/i.test(
          task.masked.slice(clause.start, start),
        ),
    )
    .map(({ value }) => value);
