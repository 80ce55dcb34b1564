import type { Ability } from '../../contract/ability.ts';
import type { ToolGrant } from '../../contract/grant.ts';

/** Where a call has its effects: in files, in a process that may do anything in its sandbox, or in other machines. */
export type Effects = 'local' | 'process' | 'network';

/** What the rest of the product must know of a tool. What is left out is read the careful way. */
export interface Traits {
  readonly name: string;
  readonly effects: Effects;
  /** Short names, as manifests grant them. */
  readonly operations: readonly string[];
  /** The abilities that a use of it gives. Default: none. */
  readonly gives?: ((use: Use) => readonly Ability[]) | undefined;
  /** Default: capsules that a run creates don't get it. */
  readonly forNewCapsules?: ForNewCapsules | undefined;
  /** An operation, by its short name, for people. Default: `name.operation target`. */
  readonly words?: ((operation: string) => OperationWords) | undefined;
  /** What is proposed to be remembered of an answer. Default: the exact request only. */
  readonly remembers?: 'argv' | 'path' | 'host' | undefined;
}

/** What a capsule may use a tool for. */
export interface Use {
  readonly grant: ToolGrant;
  /** By the short name of the operation. */
  can(operation: string): boolean;
}

export interface ForNewCapsules {
  /** The most that is granted, for all operations. */
  readonly grant: Omit<ToolGrant, 'operations'>;
  /** Beginnings of words, as parts of a regular expression: a task with one of them calls for the tool. */
  readonly calledBy?: readonly string[];
  /** Needs of a task that the tool is chosen for. */
  readonly chosenFor: readonly Ability[];
  /** Granted whatever the task says. Default: false. */
  readonly isBasic?: boolean;
}

export interface OperationWords {
  /** `write`, as in *write notes.md*. */
  readonly does: string;
  /** `written`, as in *notes.md was not written*. */
  readonly done: string;
  /** One word while it is under way. */
  readonly verb: string;
  /** Stands for the target. Default: the target. */
  readonly object?: string;
}
