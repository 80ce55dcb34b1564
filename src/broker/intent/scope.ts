import type { AppError } from '../../contract/errors.ts';
import type { ToolGrant } from '../../contract/grant.ts';
import type { Settlement } from '../questions/settlement.ts';
import type { RecordPool } from '../recall/record-pool.ts';
import type { Policy } from '../rules/policy-snapshot.ts';
import type { LoopTally } from '../tool-calls/loop-guard.ts';

/** Runs `wait` while the subtask's concurrency slot is free for others. */
export type Pause = <T>(wait: () => Promise<T>) => Promise<T>;

/** Who asks, in which attempt. */
export interface AttemptScope {
  readonly run: RunScope;
  /** Null for the coordinator's own calls. */
  readonly attemptId: string | null;
  readonly subtaskId: string;
  readonly capsuleId: string;
  /** Of the capsule's own files; empty for the coordinator. */
  readonly capsuleHash: string;
  readonly grants: ReadonlyMap<string, ToolGrant>;
  readonly services: readonly string[];
  /** Aborts when nobody waits for an answer any more. */
  readonly signal: AbortSignal;
  /** Aborts when the attempt is to end at once: what has begun to take effect is let end before that. */
  readonly ending: AbortSignal;
  /** What earlier attempts were told; left out where there was none. */
  readonly record?: RecordPool;
  readonly pause: Pause;
  /** Ends the attempt at once: for what no answer can mend, such as too many intents. */
  readonly end: (error: AppError) => void;
  /** Counts what the attempt did. */
  readonly tally: AttemptTally;
}

export interface AttemptTally extends LoopTally {
  intents: number;
  /** Intents of tier 1 and more that were started. */
  effects: number;
  modelCalls: number;
  toolCalls: number;
  costMicroUsd: number;
  /** The last denial, which explains an attempt that then fails. */
  denial: string | undefined;
}

/** What the broker knows of one run while it is under way. */
export interface RunScope {
  readonly id: string;
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  /** The rules, gates and budgets that the run began with. */
  readonly policy: Policy;
  /** What samples of the run are drawn with: 32 hexadecimal digits. */
  readonly seed: string;
  readonly signal: AbortSignal;
  /** Aborted once the run parks: nothing can go on until a person answers, and nobody is there. */
  readonly parking: AbortController;
  /** Hosts that the person's settings or the text of the task name, in lower case. */
  readonly namedHosts: ReadonlySet<string>;
  /** The coordinator's own calls. */
  readonly coordinator: AttemptScope;
  /** Whether the run has read files of the workspace: what it sends out later may carry them. */
  hasReadPrivate: boolean;
  /** Questions about money that are asked once a run, by what they are about: `spend:openai`, `raise:run_budget`. */
  readonly spendConsents: Map<string, Promise<Settlement>>;
}

export const newTally = (): AttemptTally => ({
  requests: new Map(),
  errorsInARow: 0,
  intents: 0,
  effects: 0,
  modelCalls: 0,
  toolCalls: 0,
  costMicroUsd: 0,
  denial: undefined,
});
