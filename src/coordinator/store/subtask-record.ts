import type { ModelHint } from '../../contract/chat.ts';
import type { Need } from '../../contract/need.ts';
import type { CoordinatorRequest } from '../../contract/protocol.ts';
import type { Failure, Reason, SubtaskStatus } from '../../contract/status.ts';
import type { Phase, Step } from '../plan/plan.ts';

/** Why the unfinished steps of a phase were planned again: a step failed, or the person sent a message. */
export type ReplacedFor = 'failure' | 'message';

export interface SubtaskRecord {
  readonly id: string;
  readonly phase: Phase;
  readonly description: string;
  readonly dependsOn: readonly string[];
  /** The capsule that the plan names. */
  readonly plannedCapsule: string | null;
  /** Paths that it must write, relative to the workspace. */
  readonly writes: readonly string[];
  readonly needs: readonly Need[];
  /** The hint that a person chose for it; null: that of its capsule. */
  readonly hint: ModelHint | null;
  /** Why a later plan replaced it; null if none did. */
  readonly replacedFor: ReplacedFor | null;
  readonly capsuleId: string | null;
  readonly taskKind: string | null;
  /** The routing receipt. */
  readonly route: unknown;
  readonly status: SubtaskStatus;
  readonly reason: Reason | null;
  readonly result: unknown;
  readonly error: Failure | null;
  readonly attempts: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export type SubtaskEnd = Pick<SubtaskRecord, 'status' | 'reason' | 'error'> & {
  readonly result?: unknown;
  /** The capsule of the decisive attempt. Default: there was none. */
  readonly capsuleId?: string | null;
};

export interface AttemptStart {
  readonly id: string;
  readonly runId: string;
  readonly subtaskId: string;
  readonly number: number;
  readonly capsuleId: string;
  readonly capsuleHash: string;
  /** The request that the capsule starts from. */
  readonly request: CoordinatorRequest;
}

export interface AttemptEnd {
  readonly status: 'completed' | 'failed' | 'interrupted';
  readonly reason: Reason | null;
  readonly error: Failure | null;
  readonly metrics: Readonly<Record<string, number>>;
  /** Empty unless it completed. */
  readonly memoryUpdates: readonly string[];
  /** Whether the run had read content that its user did not name. */
  readonly isUntrusted: boolean;
  /** The capsule's `agent_response`; undefined if there was none. */
  readonly response: unknown;
}

/** An attempt: one capsule process. */
export interface AttemptRecord extends Omit<AttemptStart, 'request'> {
  /** With `duration_ms`; empty until it ended. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly status: 'running' | 'completed' | 'failed' | 'interrupted';
  readonly reason: Reason | null;
  readonly error: Failure | null;
  /** The request that it started from; null if it never got one. */
  readonly request: unknown;
  /** Its `agent_response`; null if there was none. */
  readonly response: unknown;
}

export interface MemoryUpdateRow {
  readonly attemptId: string;
  readonly position: number;
  readonly capsuleId: string;
  readonly text: string;
  readonly runId: string;
  readonly workspace: string;
  readonly isUntrusted: 0 | 1;
}

/** The step that a row was made from. */
export const toStep = (subtask: SubtaskRecord): Step => ({
  id: subtask.id,
  description: subtask.description,
  depends_on: [...subtask.dependsOn],
  ...(subtask.plannedCapsule === null ? {} : { capsule: subtask.plannedCapsule }),
  writes: [...subtask.writes],
  needs: [...subtask.needs],
  ...(subtask.hint === null ? {} : { hint: subtask.hint }),
});
