import type { Broker } from '../broker/answer.ts';
import type { Audit } from '../broker/audit/audit.ts';
import type { FileLedger } from '../broker/intent/file-ledger.ts';
import type { Journal } from '../broker/intent/journal.ts';
import type { RunScope } from '../broker/intent/scope.ts';
import type { ApprovalStore } from '../broker/questions/approval-store.ts';
import type { CapsuleGate } from '../broker/questions/capsule-gate.ts';
import type { ChooseGate } from '../broker/questions/choose-gate.ts';
import type { CreateGate } from '../broker/questions/create-gate.ts';
import type { EventBus } from '../events/bus.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Provider } from '../llm/provider.ts';
import type { Redactor } from '../policy/redact.ts';
import type { CapsuleMetrics } from '../registry/capsule-metrics.ts';
import type { Capsule } from '../registry/capsule-store.ts';
import type { Quarantine } from '../registry/quarantine.ts';
import type { Registry } from '../registry/registry.ts';
import type { CapsuleRunner } from '../runtime/runner.ts';
import type { Tool } from '../tools/tool.ts';
import type { RunRecord, RunStore } from './run-store.ts';
import type { SubtaskStore } from './subtask-store.ts';

/** What a run works with. Opened from its own settings, and shared with no run of other settings. */
export interface RunParts {
  readonly runs: RunStore;
  readonly subtasks: SubtaskStore;
  readonly journal: Journal;
  readonly approvals: ApprovalStore;
  readonly audit: Audit;
  readonly files: FileLedger;
  readonly metrics: CapsuleMetrics;
  readonly quarantine: Quarantine;
  readonly broker: Broker;
  readonly hooks: Hooks;
  readonly gate: CreateGate;
  readonly capsuleGate: CapsuleGate;
  /** Undefined where a close short list is no question to a person. */
  readonly chooseGate?: ChooseGate | undefined;
  readonly registry: Registry;
  readonly events: EventBus;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly runCapsule: CapsuleRunner;
  readonly limits: RunLimits;
  readonly paths: RunPaths;
  readonly provider: Pick<Provider, 'name' | 'origin' | 'isModel' | 'modelFor'>;
  /** The level in force for capsules, and what is said about it. */
  readonly isolation: string;
  /** The workspace's `AGENTS.md`, where the person trusts it: material for capsules, never an instruction. */
  readonly workspaceNotes?: string | undefined;
  readonly redactor: Redactor;
  readonly now: () => Date;
}

export interface RunLimits {
  readonly maxSubtasks: number;
  readonly maxAttempts: number;
  readonly maxCapsules: number;
  readonly concurrency: number;
  readonly capsuleTimeoutMs: number;
  readonly lineBytes: number;
  /** Tokens of a capsule's memory that go into its request. */
  readonly memoryTokens: number;
}

export interface RunPaths {
  /** The SDK's one file. */
  readonly sdk: string;
  /** `agents/` of the person's data folder: where new capsules are made. */
  readonly agentsDir: string;
  /** Where a capsule's memory and logs are kept; a project's capsule has them per project. */
  homeOf(capsule: Capsule): string;
  readonly templateDir: string;
}

/** One run under way. */
export interface RunContext {
  readonly parts: RunParts;
  readonly record: RunRecord;
  readonly scope: RunScope;
  /** The capsule that the person named: the whole task goes to it, unplanned. */
  readonly namedCapsule: string | undefined;
  /** Aborted with a `StopReason`. */
  readonly signal: AbortSignal;
  /** Aborted after `signal`: capsules get no grace. */
  readonly killSignal: AbortSignal;
  /** It was begun earlier: its rows say how far it came. */
  readonly isResumed: boolean;
  /** It is resumed and had failed. */
  readonly isRetry: boolean;
  /** Whether somebody can answer a question of the run now. */
  canAnswer(): boolean;
}
