import type { GateMode } from '../../contract/gate.ts';
import type { ToolGrant } from '../../contract/grant.ts';
import type { IsolationLevel } from '../../contract/isolation.ts';
import type { Tier } from '../../contract/operation.ts';
import type { Trust } from '../../contract/trust.ts';
import type { WrittenFileState } from '../protected/file-state.ts';
import type { Rule } from '../rules/rule.ts';

/** One path of the operation, with its state on the disk. */
export interface PathFacts {
  /** As written in the operation. */
  readonly path: string;
  readonly access: 'read' | 'write';
  /** Absolute; links followed as far as the path exists. */
  readonly realPath: string;
  readonly isProtected: boolean;
  /** Of a path that is written. */
  readonly state?: WrittenFileState | undefined;
  /** Whether the existing file is executable. */
  readonly isExecutable?: boolean | undefined;
  /** Whether it is a database that statements change, so that most of its content does not come from the call. */
  readonly isDatabase?: boolean | undefined;
  /** Whether the call removes it. */
  readonly isRemoved?: boolean | undefined;
}

/** A provider or a model that is paused after failures. */
export interface OpenBreaker {
  /** Its name for people: `openai (gpt-x)`. */
  readonly subject: string;
  /** The remaining pause in milliseconds. */
  readonly restMs: number;
}

/** The strictest answer of the user's hooks to a call. */
export interface HookAnswer {
  readonly answer: 'ask' | 'deny';
  /** The hook's name. */
  readonly hook: string;
  /** The message of the hook. */
  readonly why: string;
}

/** The facts that matter for calls of tools and of models alike. */
export interface CallFacts {
  readonly capsuleId?: string | undefined;
  /** Whether the request contains a known secret. */
  readonly holdsSecret: boolean;
  /** The rules that the run began with. */
  readonly rules?: readonly Rule[] | 'unreadable' | undefined;
  /** The rules as they are now: a stricter decision by them wins. Default: the same. */
  readonly currentRules?: readonly Rule[] | 'unreadable' | undefined;
  /** Undefined: nothing is paused. */
  readonly breaker?: OpenBreaker | undefined;
  /** Undefined: no hook objects. */
  readonly hook?: HookAnswer | undefined;
}

/** All facts for a decision. Collected first, so that every decision can be repeated. */
export interface ToolCallFacts extends CallFacts {
  /** The capsule's grant for the tool; undefined if it has none. */
  readonly grant: ToolGrant | undefined;
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** In the order of the paths of the operation. */
  readonly paths: readonly PathFacts[];
  /** Hosts that the person's settings or the text of the task name, as `URL.host` gives them. */
  readonly namedHosts: ReadonlySet<string>;
  /** Whether this run has read files of the workspace, or data that needed credentials. */
  readonly hasReadPrivate: boolean;
  readonly isolation: IsolationLevel;
  readonly gates: Readonly<Record<'write' | 'execute' | 'spend', GateMode>>;
  /** Default of a tier: supervised. */
  readonly trust?: Partial<Readonly<Record<Tier, Trust>>> | undefined;
  /** Whether this call is in the random sample of one in ten. Default: true. */
  readonly isSampled?: boolean | undefined;
  /** Services that the person configured and the capsule is granted, by name. */
  readonly services?: ReadonlySet<string> | undefined;
  /** Why the named service can't be used for this call: the person set its origin, methods and paths. */
  readonly serviceProblem?: string | undefined;
  /** Maximum cost of a call of a service, by the user's price; undefined if unknown. */
  readonly costMicroUsd?: number | undefined;
  /** Whether the spending was decided separately, and its money is reserved. Default: false. */
  readonly isSpendAgreed?: boolean | undefined;
  /** Whether the tool itself omits the files of a folder that a rule withholds (`keptBackBy`). Default: false. */
  readonly isTreeFiltered?: boolean | undefined;
}
