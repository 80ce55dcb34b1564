import type { Repeatability } from './operation.ts';

export type IntentStatus =
  | 'proposed'
  | 'waiting'
  | 'denied'
  | 'started'
  | 'done'
  | 'failed'
  | 'unknown';

/** One request of a capsule (or of the coordinator) and what became of it. */
export interface IntentRecord {
  readonly id: string;
  readonly runId: string;
  /** Null for the coordinator's own calls. */
  readonly attemptId: string | null;
  readonly subtaskId: string;
  readonly capsuleId: string;
  /** The capsule's own id for it; null where it gave none. */
  readonly wireId: string | null;
  readonly kind: 'tool' | 'chat' | 'http';
  /** `file_io.read`, `terminal.write`, `chat`. */
  readonly name: string;
  readonly target: string;
  readonly tier: number;
  /** What may happen when it is done twice. */
  readonly repeatability: Repeatability;
  readonly request: unknown;
  readonly requestHash: string;
  /** SHA-256 of what the capsule asked for, where a hook changed it; null where the request is as it came. */
  readonly askedHash: string | null;
  /** The capsule's words. */
  readonly reason: string;
  readonly status: IntentStatus;
  /** The step of the order that decided, 1 to 6. */
  readonly step: number | null;
  readonly rule: string | null;
  /** Why it was denied: a stable code. */
  readonly denial: string | null;
  /** The reply, as the capsule gets it. */
  readonly outcome: unknown;
  /** What the decision looked at, so that it can be made again. */
  readonly facts: unknown;
  /** Files that it changes: path, content before and after by SHA-256, and the difference where that is text. */
  readonly effects: unknown;
  /** Money and tokens that it may still use while it is under way. */
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

export type IntentStanding = Pick<IntentRecord, 'name' | 'target' | 'tier' | 'status' | 'denial'>;
