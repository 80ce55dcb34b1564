import type { Failure } from '../../contract/status.ts';

/** How one trial of a capsule went. */
export interface TrialOutcome {
  /** `waiting`: it reached a question that only a person may answer. */
  readonly status: 'completed' | 'failed' | 'waiting';
  readonly error: Failure | null;
  readonly result: unknown;
  /** The text of the result, or of the failure. */
  readonly answer: string;
  readonly steps: readonly OutcomeStep[];
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly costMicroUsd: number;
  /** The questions that a person would have been asked. */
  readonly approvals: readonly string[];
  /** Model answers that were recorded under another prompt, or after other tool results. */
  readonly reworded: number;
  /** Requests without a recorded answer, which were not performed. */
  readonly unknown: number;
  readonly durationMs: number;
}

/** One request of a trial. */
export interface OutcomeStep {
  /** `file_io.read`, `chat`. */
  readonly name: string;
  readonly target: string;
  readonly ok: boolean;
  /** The source of its answer. `unknown`: no answer is recorded, and it was not performed. */
  readonly from: 'workspace' | 'record' | 'reworded' | 'live' | 'unknown';
}
