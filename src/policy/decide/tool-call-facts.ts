import type { GateMode } from '../../contract/gate.ts';
import type { ToolGrant } from '../../contract/grant.ts';
import type { IsolationLevel } from '../../contract/isolation.ts';
import type { Tier } from '../../contract/operation.ts';
import type { Trust } from '../../contract/trust.ts';
import type { WrittenFileState } from '../protected/file-state.ts';
import type { Rule } from '../rules/rule.ts';

/** One path of the operation, looked up on the disk. */
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
  /** Whether it is a database that statements change: most of its content is not the call's. */
  readonly isDatabase?: boolean | undefined;
  /** Whether the call removes it. */
  readonly isRemoved?: boolean | undefined;
}

/** A provider or a model that failed too often and rests. */
export interface OpenBreaker {
  /** What rests, for people: `openai (gpt-x)`. */
  readonly subject: string;
  /** How long it still rests, in milliseconds. */
  readonly restMs: number;
}

/** The strictest answer of the user's hooks to a call. */
export interface HookAnswer {
  readonly answer: 'ask' | 'deny';
  /** The hook's name. */
  readonly hook: string;
  /** The hook's words. */
  readonly why: string;
}

/** All that a decision may look at. Gathered first, so that every decision can be made again. */
export interface ToolCallFacts {
  /** The capsule's grant for the tool; undefined if it has none. */
  readonly grant: ToolGrant | undefined;
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** In the order of the operation's paths. */
  readonly paths: readonly PathFacts[];
  /** Hosts that the person's settings or the text of the task name, as `URL.host` gives them. */
  readonly namedHosts: ReadonlySet<string>;
  /** Whether this run has read files of the workspace, or anything that needed credentials. */
  readonly hasReadPrivate: boolean;
  /** Whether the request contains a known secret. */
  readonly holdsSecret: boolean;
  readonly isolation: IsolationLevel;
  readonly gates: {
    readonly write: GateMode;
    readonly execute: GateMode;
    readonly spend: GateMode;
  };
  /** Default of a tier: supervised. */
  readonly trust?: Partial<Readonly<Record<Tier, Trust>>> | undefined;
  /** Whether the draw of one in ten fell on this call. Default: it did. */
  readonly isSampled?: boolean | undefined;
  /** The rules that the run began with. */
  readonly rules?: readonly Rule[] | 'unreadable' | undefined;
  /** The rules as they are now: a stricter decision by them wins. Default: the same. */
  readonly currentRules?: readonly Rule[] | 'unreadable' | undefined;
  /** Services that the person configured and the capsule is granted, by name. */
  readonly services?: ReadonlySet<string> | undefined;
  /** Why the named service can't be asked for this: its origin, methods and paths are the person's. */
  readonly serviceProblem?: string | undefined;
  readonly capsuleId?: string | undefined;
  /** Maximum cost of a call of a service, by the user's price; undefined if unknown. */
  readonly costMicroUsd?: number | undefined;
  /** Whether spending was decided apart, and its money is reserved. Default: it was not. */
  readonly isSpendAgreed?: boolean | undefined;
  /** Whether the tool itself omits the files of a folder that a rule withholds (`keptBackBy`). Default: no. */
  readonly isTreeFiltered?: boolean | undefined;
  /** Undefined: nothing rests. */
  readonly breaker?: OpenBreaker | undefined;
  /** Undefined: no hook has anything against it. */
  readonly hook?: HookAnswer | undefined;
}
