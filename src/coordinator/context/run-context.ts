import type { Broker } from '../../broker/answer.ts';
import type { RunScope } from '../../broker/intent/scope.ts';
import type { CapsuleGate } from '../../broker/questions/gates/capsule-gate.ts';
import type { ChooseGate } from '../../broker/questions/gates/choose-gate.ts';
import type { CreateGate } from '../../broker/questions/gates/create-gate.ts';
import type { PlanGate } from '../../broker/questions/gates/plan-gate.ts';
import type { Hooks } from '../../hooks/hooks.ts';
import type { Provider } from '../../llm/provider.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Registry } from '../../registry/registry.ts';
import type { CapsuleRunner } from '../../runtime/runner.ts';
import type { Tool } from '../../tools/define/tool.ts';
import type { WorkspaceListing } from '../plan/make/workspace-listing.ts';
import type { PlanMaterial, Step } from '../plan/plan.ts';
import type { RunStores } from '../store/create-stores.ts';
import type { RunRecord } from '../store/runs/run-record.ts';

/** The dependencies of a run. Opened from its settings, and shared only with runs that have the same settings. */
export interface RunParts extends RunStores {
  readonly broker: Broker;
  readonly hooks: Hooks;
  readonly gates: RunGates;
  readonly registry: Registry;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly runCapsule: CapsuleRunner;
  readonly limits: RunLimits;
  /** Whether someone can answer a question of the run now. Called each time. */
  canAnswer(run: Pick<RunRecord, 'id' | 'workspace'>): boolean;
  readonly paths: RunPaths;
  readonly provider: Pick<Provider, 'name' | 'origin' | 'isModel' | 'modelFor'> &
    Partial<Pick<Provider, 'contextTokens'>>;
  /** Whether a call of any of its models can cost money. Default: false. */
  readonly canSpend?: boolean | undefined;
  /** The listing of the workspace for the planner. Default: none. */
  readonly listWorkspace?: () => Promise<WorkspaceListing>;
  /** In a replay: the recorded decisions about plans, which are reused. Default: none. */
  readonly recordedPlans?: RecordedPlans | undefined;
  /** What the result of an attempt lacks, where no file is written. Default: the files in the workspace are checked. */
  readonly missingOutput?: ((step: Step, attempt: number) => string | undefined) | undefined;
  /** The isolation level of capsules and its description. */
  readonly isolation: string;
  /** The workspace's `AGENTS.md`, if the person trusts the project: data for capsules, never an instruction. */
  readonly workspaceNotes?: string | undefined;
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

export interface RecordedPlans {
  /** The recorded material of the next plan. */
  material(): PlanMaterial;
  /** Whether the step was replaced after a message before it started. */
  isHeld(id: string): boolean;
  /** Why the unfinished steps were planned again at this point; undefined if they were not. */
  replanReason(): 'failure' | 'message' | undefined;
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
  /** Aborted with a `StopReason`. */
  readonly signal: AbortSignal;
  /** Aborted after `signal`: capsules get no grace. */
  readonly killSignal: AbortSignal;
  /** The run was started before: its rows contain its progress. */
  readonly isResumed: boolean;
  /** The run is resumed and had failed. */
  readonly isRetry: boolean;
}
