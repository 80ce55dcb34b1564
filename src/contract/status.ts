import type { NextAction } from './next.ts';

/** Why a run or subtask ended without completing, or why a run is parked. */
export const reasons = [
  'subtask_failed',
  'dependency_failed',
  'plan_invalid',
  'denied',
  'expired',
  'budget',
  'provider',
  'isolation',
  'protocol',
  'loop',
  'limit',
  'deadline',
  'approval',
  'interrupted',
  'cancelled',
  'crashed',
  'settings',
] as const;
export type Reason = (typeof reasons)[number];

export const runStatuses = [
  'pending',
  'running',
  'parked',
  'completed',
  'failed',
  'cancelled',
] as const;
export type RunStatus = (typeof runStatuses)[number];
export const subtaskStatuses = [
  'pending',
  'running',
  'waiting_approval',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type SubtaskStatus = (typeof subtaskStatuses)[number];

/** A failure in the form that is stored and shown. */
export interface Failure {
  /** Stable. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  /** Possible next actions. Omitted if the message itself contains the fix. */
  readonly next?: readonly NextAction[] | undefined;
}
