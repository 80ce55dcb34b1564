import type { Clause } from './clauses.ts';
import type { Piece } from './pieces.ts';
import type { VerbKind } from './vocabulary.ts';

/** The kind of a step: `save` needs earlier results, `write` writes a given text or a copy, `other` may be anything. */
export type Role = Exclude<VerbKind, 'append' | 'qualify' | 'question'> | 'sql';

/** What some clauses of a task ask for together. */
export interface Step {
  readonly role: Role;
  /** In their order. */
  readonly clauses: readonly Clause[];
  /** The clause that asks for it, to which a file is added that it leaves out. */
  readonly main: Clause;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The results that it needs: `it` is the last one, `a report` are all that are not saved yet. */
  readonly refersTo: 'none' | 'last' | 'all';
}

export const isOneOf =
  (roles: string) =>
  ({ role }: Step): boolean =>
    roles.split(' ').includes(role);

/** Everything from the main clause on. */
export const askedOf = ({ clauses, main }: Step): readonly Piece[] =>
  clauses.slice(clauses.indexOf(main)).flatMap(({ pieces }) => pieces);

export const sentenceOf = ({ clauses }: Step): number | undefined => clauses.at(-1)?.sentence;

const reads = isOneOf('ask summarise sql fetch');

/** Whether a step may change something: a question does if it names a file to write. */
export const hasEffect = (step: Step): boolean => step.outputs.length > 0 || !reads(step);
