import type { RunStatus } from '../../../contract/status.ts';
import type { Stores } from '../../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../../coordinator/store/run-store.ts';
import { isWaiting } from './is-waiting.ts';

/** One run in a list. */
export interface RunSummary {
  readonly id: string;
  readonly sessionId: string;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly task: string;
  readonly workspace: string;
  readonly provider: string;
  /** The level and why: `A: …`. */
  readonly isolation: string;
  /** The run and the intent at which this one was forked. */
  readonly forkedFrom: string | null;
  readonly forkedAt: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** The surface at which a person stopped it since it was last resumed; else null. Only `resume` continues it. */
  readonly stoppedBy: string | null;
  /** It only made a plan. */
  readonly isDryRun: boolean;
  /** Why it did not complete, as one sentence; null if its `reason` says it all. */
  readonly problem: string | null;
  readonly costUsd: number;
  /** Questions that wait for an answer. */
  readonly openQuestions: number;
  /** It is running, but only waits for a person's answer. */
  readonly isWaiting: boolean;
}

export function runSummary(
  { runs, approvals, subtasks }: Pick<Stores, 'runs' | 'approvals' | 'subtasks'>,
  run: RunRecord,
): RunSummary {
  const { id, sessionId, status, reason, task, workspace, provider, isolation } = run;
  const { forkedFrom, forkedAt, createdAt, endedAt } = run;
  const openQuestions = approvals.of(id).filter((one) => one.status === 'pending').length;
  return {
    ...{ id, sessionId, status, reason, task, workspace, provider, isolation },
    ...{ forkedFrom, forkedAt, createdAt, endedAt, stoppedBy: run.stoppedBy },
    isDryRun: run.request.dryRun === true,
    problem: run.error?.message ?? null,
    costUsd: runs.costOf(id).costMicroUsd / 1e6,
    openQuestions,
    isWaiting: openQuestions > 0 && isWaiting({ status, openQuestions, steps: subtasks.of(id) }),
  };
}
