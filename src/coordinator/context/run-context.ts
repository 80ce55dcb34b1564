import type { Broker } from '../../broker/answer.ts';
import type { Audit } from '../../broker/audit/audit.ts';
import type { FileLedger } from '../../broker/intent/file-ledger.ts';
import type { Journal } from '../../broker/intent/journal.ts';
import type { RunScope } from '../../broker/intent/scope.ts';
import type { ApprovalStore } from '../../broker/questions/approval-store.ts';
import type { CapsuleGate } from '../../broker/questions/gates/capsule-gate.ts';
import type { ChooseGate } from '../../broker/questions/gates/choose-gate.ts';
import type { CreateGate } from '../../broker/questions/gates/create-gate.ts';
import type { PlanGate } from '../../broker/questions/gates/plan-gate.ts';
import type { ChangeWatch } from '../../db/watch-changes.ts';
import type { EventBus } from '../../events/bus.ts';
import type { Hooks } from '../../hooks/hooks.ts';
import type { Provider } from '../../llm/provider.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import type { CapsuleMetrics } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Quarantine } from '../../registry/quarantine.ts';
import type { Registry } from '../../registry/registry.ts';
import type { CapsuleRunner } from '../../runtime/runner.ts';
import type { Tool } from '../../tools/define/tool.ts';
import type { FindPastRuns } from '../forecast/past-runs.ts';
import type { Step } from '../plan/plan.ts';
import type { RecordedPlans } from '../plan/planner-view.ts';
import type { WorkspaceListing } from '../plan/workspace-listing.ts';
import type { FindRecentAttempts } from '../route/recent-attempts.ts';
import type { MessageStore } from '../store/message-store.ts';
import type { RunRecord, RunStore } from '../store/run-store.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { SubtaskStore } from '../store/subtask-store.ts';

/** The dependencies of a run. Opened from its settings, and shared only with runs that have the same settings. */
export interface RunParts {
  readonly runs: RunStore;
  readonly subtasks: SubtaskStore;
  readonly recentAttempts: FindRecentAttempts;
  readonly pastRuns: FindPastRuns;
  /** Reports what other connections commit. */
  readonly changes: ChangeWatch;
  readonly messages: MessageStore;
  readonly sessions: SessionStore;
  readonly journal: Journal;
  readonly approvals: ApprovalStore;
  readonly audit: Audit;
  readonly files: FileLedger;
  readonly metrics: CapsuleMetrics;
  readonly quarantine: Quarantine;
  readonly broker: Broker;
  readonly hooks: Hooks;
  readonly gates: RunGates;
  readonly registry: Registry;
  readonly events: EventBus;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly runCapsule: CapsuleRunner;
  readonly limits: RunLimits;
  readonly paths: RunPaths;
  readonly provider: Pick<Provider, 'name' | 'origin' | 'isModel' | 'modelFor'> &
    Partial<Pick<Provider, 'contextTokens'>>;
  /** The listing of the workspace for the planner. Default: none. */
  readonly listWorkspace?: () => Promise<WorkspaceListing>;
  /** In a replay: the recorded decisions that are reused. Default: none. */
  readonly recorded?: RecordedDecisions | undefined;
  /** The isolation level of capsules and its description. */
  readonly isolation: string;
  /** The workspace's `AGENTS.md`, if the person trusts the project: data for capsules, never an instruction. */
  readonly workspaceNotes?: string | undefined;
  readonly redactor: Redactor;
  readonly now: () => Date;
}

/** Questions that a run can ask. */
export interface RunGates {
  readonly create: CreateGate;
  readonly capsule: CapsuleGate;
  /** Omitted in trials, where no plan needs an approval. */
  readonly plan?: PlanGate | undefined;
  /** Undefined if the person is not asked in the *close* zone of routing. */
  readonly choose?: ChooseGate | undefined;
}

export interface RecordedDecisions {
  readonly plans: RecordedPlans;
  /** The recorded result of the check of this attempt's files. */
  missingOutput(run: RunContext, step: Step, attempt: number): Promise<string | undefined>;
}

export interface RunLimits {
  readonly maxSubtasks: number;
  readonly maxAttempts: number;
  readonly maxCapsules: number;
  /** Intents of one attempt. */
  readonly maxIntents: number;
  readonly concurrency: number;
  readonly capsuleTimeoutMs: number;
  readonly lineBytes: number;
  /** Tokens of a capsule's memory that go into its request. */
  readonly memoryTokens: number;
  /** Tokens of the earlier turns of a session. */
  readonly sessionTokens: number;
}

export interface RunPaths {
  /** The file of the SDK. */
  readonly sdk: string;
  /** `agents/` in the user's data folder, where new capsules are created. */
  readonly agentsDir: string;
  /** The folder of a capsule's memory and logs; for a project's capsule, one per project. */
  homeOf(capsule: Capsule): string;
  readonly templateDir: string;
}

/** A run in progress. */
export interface RunContext {
  readonly parts: RunParts;
  readonly record: RunRecord;
  readonly scope: RunScope;
  /** The capsule that the person named: it gets the whole task, without a plan. */
  readonly namedCapsule: string | undefined;
  /** Aborted with a `StopReason`. */
  readonly signal: AbortSignal;
  /** Aborted after `signal`: capsules get no grace. */
  readonly killSignal: AbortSignal;
  /** The run was started before: its rows contain its progress. */
  readonly isResumed: boolean;
  /** The run is resumed and had failed. */
  readonly isRetry: boolean;
  /** Whether somebody can answer a question of the run now. */
  canAnswer(): boolean;
}
