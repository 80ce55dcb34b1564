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
  'deadline',
  'approval',
  'interrupted',
  'cancelled',
  'crashed',
  'settings',
] as const;
export type Reason = (typeof reasons)[number];

export type RunStatus = 'pending' | 'running' | 'parked' | 'completed' | 'failed' | 'cancelled';
export type SubtaskStatus =
  | 'pending'
  | 'running'
  | 'waiting_approval'
  | 'completed'
  | 'failed'
  | 'skipped'
  | 'cancelled';

/** A failure as it is stored and shown. */
export interface Failure {
  /** Stable. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  /** What can be done about it. Left out if the message says it all. */
  readonly next?: readonly NextAction[] | undefined;
}
