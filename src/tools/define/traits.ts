import type { Ability } from '../../contract/permissions/ability.ts';
import type { ToolGrant } from '../../contract/permissions/grant.ts';

/** Where a call has its effects: in files, in a sandboxed process that may do anything, or on other machines. */
export type Effects = 'local' | 'process' | 'network';

/** What other parts need to know about a tool. Defaults are the strict choice. */
export interface Traits {
  readonly name: string;
  readonly effects: Effects;
  /** Short names, as manifests grant them. */
  readonly operations: readonly string[];
  /** The abilities that a grant of it gives. Default: none. */
  readonly gives?: ((use: Use) => readonly Ability[]) | undefined;
  /** Default: capsules that a run creates don't get it. */
  readonly forNewCapsules?: ForNewCapsules | undefined;
  /** How to describe an operation, by its short name, to people. Default: `name.operation target`. */
  readonly words?: ((operation: string) => OperationWords) | undefined;
  /** The part of a request that a remembered approval may generalize. Default: none, the exact request is remembered. */
  readonly remembers?: 'argv' | 'path' | 'host' | undefined;
}

/** What a grant allows. */
export interface Use {
  readonly grant: ToolGrant;
  /** By the short name of the operation. */
  can(operation: string): boolean;
}

interface ForNewCapsules {
  /** The largest grant, for all operations. */
  readonly grant: Omit<ToolGrant, 'operations'>;
  /** Word prefixes, as regular expressions: a task that contains one gets the tool. */
  readonly calledBy?: readonly string[];
  /** Abilities that a task needs to get the tool. */
  readonly chosenFor: readonly Ability[];
  /** Whether every new capsule gets it. Default: false. */
  readonly isBasic?: boolean;
}

export interface OperationWords {
  /** `write`, as in *write notes.md*. */
  readonly does: string;
  /** `written`, as in *notes.md was not written*. */
  readonly done: string;
  /** One word to show while it runs. */
  readonly verb: string;
  /** Shown in place of the target. */
  readonly object?: string;
}
