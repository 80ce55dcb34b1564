import type { Clause } from './clauses.ts';
import type { Piece } from './pieces.ts';
import type { VerbKind } from './vocabulary.ts';

/** The kind of a step: `save` needs earlier results, `write` writes a given text or a copy, `git` asks about the repository. */
export type Role = Exclude<VerbKind, 'append' | 'qualify' | 'question'> | 'sql' | 'git';

/** One step of a task: a main clause and the clauses that belong to it. */
export interface Step {
  readonly role: Role;
  /** In the order of the task. */
  readonly clauses: readonly Clause[];
  /** The clause that asks for it. A file that it leaves out is added here. */
  readonly main: Clause;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The results that it refers to: `it` is the last one, `a report` means all unsaved ones. */
  readonly refersTo: 'none' | 'last' | 'all';
}

/** Returns a test for the roles, which are separated by spaces. */
export const isOneOf =
  (roles: string) =>
  ({ role }: Step): boolean =>
    roles.split(' ').includes(role);

/** The pieces of the main clause and of all following clauses. */
export const askedOf = ({ clauses, main }: Step): readonly Piece[] =>
  clauses.slice(clauses.indexOf(main)).flatMap(({ pieces }) => pieces);

/** The number of the sentence that a step ends in. */
export const sentenceOf = ({ clauses }: Step): number | undefined => clauses.at(-1)?.sentence;

const reads = isOneOf('ask git summarise sql fetch');

/** Whether a step may change something: a question does if it names a file to write. */
export const hasEffect = (step: Step): boolean => step.outputs.length > 0 || !reads(step);
