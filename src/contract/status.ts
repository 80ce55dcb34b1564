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

/** A failure as it is kept and shown: a stable code and a message for people. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}
