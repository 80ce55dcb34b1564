import * as z from 'zod';
import type { Need } from '../../../contract/permissions/need.ts';
import { reasons, subtaskStatuses } from '../../../contract/status.ts';
import type { ModelHint } from '../../../contract/wire/chat.ts';
import type { CoordinatorRequest } from '../../../contract/wire/coordinator-messages.ts';
import type { Step } from '../../plan/plan.ts';
import { StoredFailure } from '../runs/run-record.ts';

const CapsuleId = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  .max(64);

/** The columns of a subtask that a recording has, too. */
export const StoredSubtask = z.object({
  id: z.string(),
  phase: z.enum(['discovery', 'execution']),
  description: z.string(),
  dependsOn: z.array(z.string()).readonly(),
  /** Why a later plan replaced it; null if none did. */
  replacedFor: z.enum(['failure', 'message']).nullable(),
  capsuleId: CapsuleId.nullable(),
  taskKind: z.string().nullable(),
  route: z.unknown().describe('The routing receipt; null if no capsule was found.'),
  status: z.enum(subtaskStatuses),
  reason: z.enum(reasons).nullable(),
  result: z.unknown(),
  error: StoredFailure.nullable(),
});
/** Why the unfinished steps of a phase were planned again: a step failed, or the person sent a message. */
export type ReplacedFor = NonNullable<SubtaskRecord['replacedFor']>;

export interface SubtaskRecord extends Readonly<z.output<typeof StoredSubtask>> {
  /** Those of `dependsOn` whose results it does not get. */
  readonly orderOnly: readonly string[];
  /** The capsule that the plan names. */
  readonly plannedCapsule: string | null;
  /** Paths that it must write, relative to the workspace. */
  readonly writes: readonly string[];
  readonly needs: readonly Need[];
  /** The hint that a person chose for it; null: that of its capsule. */
  readonly hint: ModelHint | null;
  readonly attempts: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export type SubtaskEnd = Pick<SubtaskRecord, 'status' | 'reason' | 'error'> & {
  readonly result?: unknown;
  /** The capsule of the decisive attempt. Default: there was none. */
  readonly capsuleId?: string | null;
};

/** The columns of an attempt that a recording has, too. */
export const StoredAttempt = z.object({
  id: z.string(),
  subtaskId: z.string(),
  number: z.int().positive(),
  capsuleId: CapsuleId,
  capsuleHash: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'interrupted']),
  reason: z.enum(reasons).nullable(),
  error: StoredFailure.nullable(),
  request: z.unknown().describe('The request that the capsule started with.'),
  response: z.unknown().describe('Its final; null if there is none.'),
});

/** An attempt: one capsule process. */
export interface AttemptRecord extends Readonly<z.output<typeof StoredAttempt>> {
  readonly runId: string;
  /** With `duration_ms`; empty until it ended. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** With the request that the capsule starts from. */
export type AttemptStart = Omit<
  AttemptRecord,
  'status' | 'reason' | 'error' | 'metrics' | 'request' | 'response'
> & { readonly request: CoordinatorRequest };

/** `response`: the capsule's `agent_response`; undefined if there was none. */
export interface AttemptEnd
  extends Pick<AttemptRecord, 'reason' | 'error' | 'metrics' | 'response'> {
  readonly status: 'completed' | 'failed' | 'interrupted';
  /** Empty unless it completed. */
  readonly memoryUpdates: readonly string[];
  /** Whether the run had read content that its user did not name. */
  readonly isUntrusted: boolean;
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
  ...(subtask.orderOnly.length === 0 ? {} : { order_only: [...subtask.orderOnly] }),
  ...(subtask.plannedCapsule === null ? {} : { capsule: subtask.plannedCapsule }),
  writes: [...subtask.writes],
  needs: [...subtask.needs],
  ...(subtask.hint === null ? {} : { hint: subtask.hint }),
});
