import type { Repeatability } from './operation.ts';

export type IntentStatus =
  | 'proposed'
  | 'waiting'
  | 'denied'
  | 'started'
  | 'done'
  | 'failed'
  | 'unknown';

/** One request of a capsule (or of the coordinator), its decision and its outcome. */
export interface IntentRecord {
  readonly id: string;
  readonly runId: string;
  /** Null for the coordinator's own calls. */
  readonly attemptId: string | null;
  readonly subtaskId: string;
  readonly capsuleId: string;
  /** The id that the capsule gave it; null if it gave none. */
  readonly wireId: string | null;
  readonly kind: 'tool' | 'chat' | 'http';
  /** `file_io.read`, `terminal.write`, `chat`. */
  readonly name: string;
  readonly target: string;
  readonly tier: number;
  /** Whether it may be performed twice. */
  readonly repeatability: Repeatability;
  readonly request: unknown;
  readonly requestHash: string;
  /** SHA-256 of the request before a hook changed it; null if no hook did. */
  readonly askedHash: string | null;
  /** The reason the capsule gave. Untrusted text. */
  readonly reason: string;
  readonly status: IntentStatus;
  /** The step of the decision order that decided, 1 to 6. */
  readonly step: number | null;
  readonly rule: string | null;
  /** A stable code for the reason of a denial. */
  readonly denial: string | null;
  /** The reply that the capsule gets. */
  readonly outcome: unknown;
  /** The input of the decision, so that it can be made again. */
  readonly facts: unknown;
  /** Files that it changes: path, SHA-256 before and after, and the diff if the content is text. */
  readonly effects: unknown;
  /** Money and tokens reserved for it until it ends. */
  readonly reservedMicroUsd: number;
  readonly reservedTokens: number;
  readonly costMicroUsd: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly proposedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** The columns about the end of an intent. `outcome` is set if it was denied or failed. */
export type IntentSummary = Pick<
  IntentRecord,
  | 'subtaskId'
  | 'kind'
  | 'name'
  | 'target'
  | 'tier'
  | 'status'
  | 'step'
  | 'rule'
  | 'denial'
  | 'outcome'
>;
