import type { UntimedEvent } from '../../contract/event.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import type { RunStore } from '../store/runs/run-store.ts';

/** The first event of a run. */
export const runStarted = (run: RunRecord): UntimedEvent => ({
  type: 'run.started',
  run_id: run.id,
  session_id: run.sessionId,
  task: run.task,
  workspace: run.workspace,
  provider: run.provider,
  isolation: run.isolation,
});

/** The event for the end or the parking of a run. */
export const runEnded = (
  { costOf, durationOf }: Pick<RunStore, 'costOf' | 'durationOf'>,
  run: RunRecord,
): UntimedEvent => ({
  type: 'run.ended',
  run_id: run.id,
  status: run.status as 'completed' | 'failed' | 'cancelled' | 'parked',
  reason: run.reason,
  duration_ms: durationOf(run),
  cost_usd: costOf(run.id).costMicroUsd / 1e6,
});
