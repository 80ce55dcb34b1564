import type { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import type { WireError } from '../../contract/wire/coordinator-messages.ts';
import type { Permission } from '../../policy/decide/decision.ts';
import type { Policy } from '../rules/policy-snapshot.ts';

/** Runs `wait` while the subtask's concurrency slot is free for others. */
export type Pause = <T>(wait: () => Promise<T>) => Promise<T>;

/** The attempt that makes an intent. */
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
  /** Whether a model reads the results of its tools, which are then kept short. Default: false. */
  readonly isForModel?: boolean;
  /** Aborts when no reply is needed. */
  readonly signal: AbortSignal;
  /** Aborts when the attempt must end immediately; until then, running effects may finish. */
  readonly ending: AbortSignal;
  /** Recorded outcomes of earlier attempts; undefined if there are none. */
  readonly record?: RecordPool;
  readonly pause: Pause;
  /** Returns undefined if the capsule has read its earlier replies, else resolves once it has. Default: it always has. */
  readonly waitForReader?: (() => Promise<void> | undefined) | undefined;
  /** Messages of the person to the run. Omitted if the capsule takes none. */
  readonly messages?: MessageFeed;
  /** Ends the attempt immediately: for errors that the capsule can't correct, such as too many intents. */
  readonly end: (error: AppError) => void;
  /** Stops this scope because its provider is out of service: the run parks and can be resumed. Default: calls fail. */
  readonly parkForProvider?: (problem: string) => void;
  /**
   * Returns the files that are missing from the result that the capsule is about to return: `missing` is a sentence, or null.
   * `idle` is a sentence if the step must change something and the attempt changed nothing. Undefined without a workspace: nothing is checked then.
   */
  readonly checkFinal?: (named: {
    readonly artifacts: readonly string[];
    readonly unchanged: readonly string[];
  }) => Promise<{ readonly missing: string | null; readonly idle?: string | undefined }>;
  readonly tally: AttemptTally;
}

/** Messages that an attempt gets with the replies to its intents, each once. */
export interface MessageFeed {
  /** The outcome with the messages that the attempt has not received yet; the same outcome if there are none. */
  addTo<Outcome extends WithMessages>(outcome: Outcome): Outcome;
  /** To be called when the attempt gets a recorded outcome again, with its messages. */
  recall(outcome: WithMessages): void;
}

export interface WithMessages {
  readonly messages?: readonly string[] | undefined;
}

/** The requests of earlier attempts of a subtask (or of the coordinator), with their outcomes. */
export interface RecordPool {
  /** Takes the record of an intent: the one with its id and hash, else the first unused one with its hash. */
  take(wireId: string | undefined, requestHash: string): IntentRecord | undefined;
  /** Records that were not taken yet, in order. */
  left(): readonly IntentRecord[];
  /** The open question whether the attempt may diverge from its record. Resolves with the error if it may not. */
  asking: Promise<AppError | undefined> | undefined;
}

/** The rules files of a run, which a person may change while it runs or is parked. */
export interface CurrentRules {
  /** As of the last refresh; undefined if they are those that the run started with. */
  readonly rules: Policy['rules'] | undefined;
  /** Reads the files again if they changed; undefined if they did not. */
  refresh(): Promise<void> | undefined;
}

export interface AttemptTally {
  /** How often each request was made, by its hash. */
  readonly requests: Map<string, number>;
  errorsInARow: number;
  intents: number;
  /** Intents of tier 1 and more that were started. */
  effects: number;
  modelCalls: number;
  toolCalls: number;
  costMicroUsd: number;
  /** The last denial, which explains an attempt that then fails. */
  denial: string | undefined;
  /** Discarded changes of commands that no later call replaced: see `noteDiscarded`. */
  discarded: readonly Discarded[];
}

/** A discarded change of a command, and the names that a later call must contain to replace it. */
export interface Discarded {
  readonly error: WireError;
  /** Base names of the files that are not replaced yet; empty if they can't be replaced. */
  readonly names: readonly string[];
  /** Programs and files of a command that used such a file itself; empty if it only created the file. */
  readonly words: readonly string[];
}

/** The state of one run that the broker shares between its attempts. */
export interface RunScope {
  readonly id: string;
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  readonly task: string;
  /** The rules, gates and budgets that the run started with. */
  readonly policy: Policy;
  /** The current rules. Default: those that the run started with. */
  readonly currentRules?: CurrentRules | undefined;
  /** Seed of the run's samples: 32 hexadecimal digits. */
  readonly seed: string;
  readonly signal: AbortSignal;
  /** Aborted once the run parks, with its reason: it can't continue without an answer, and no one can answer. */
  readonly parking: AbortController;
  /** A subtask stopped because the provider is out of service: the run parks once nothing else can continue. */
  isProviderOut: boolean;
  /** Hosts that the user's settings or the task text name, in lower case. */
  readonly namedHosts: ReadonlySet<string>;
  readonly coordinator: AttemptScope;
  /** Whether the run has read files of the workspace: later requests may contain their content. */
  hasReadPrivate: boolean;
  /** Questions about money that are asked once a run, by subject: `spend:openai`, `raise:run_budget`. */
  readonly spendConsents: Map<string, Promise<Permission>>;
  /** Texts of the notices about its calls that the person was shown. */
  readonly notices: Set<string>;
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
  discarded: [],
});
