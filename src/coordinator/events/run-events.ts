import { dirname } from 'node:path';
import { raisesIn } from '../../broker/money/budget.ts';
import type { UntimedEvent } from '../../contract/event.ts';
import { ModelHint } from '../../contract/wire/chat.ts';
import { jsonlSink } from '../../events/event-log.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Stores } from '../store/create-stores.ts';
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

/**
 * One transaction of any process, not only of the run's owner: the rows that `write` changes, and the event that it
 * returns, if any. The event then also goes into the run's log.
 */
export function commitEvent(
  { path, journal, eventRows, changes }: Pick<Stores, 'path' | 'journal' | 'eventRows' | 'changes'>,
  write: () => UntimedEvent | undefined,
): void {
  const written = journal.commit(() => {
    const event = write();
    return event && eventRows.append(event);
  });
  if (!written) return;
  changes.notify();
  try {
    jsonlSink(dirname(path))([{ run_id: written.run_id, text: JSON.stringify(written) }]);
  } catch {
    // The log is only for observers, and the row is already written.
  }
}

/** Emits `provider.opened`: when a run starts, and each time it is resumed. */
export function reportProvider({ parts, record, scope }: RunContext): void {
  const { provider, events, canSpend = false } = parts;
  const raised = raisesIn(parts.db).get({ scope: 'run', subject: record.id }) ?? 0;
  const models = new Set(ModelHint.options.map(provider.modelFor));
  events.emit({
    type: 'provider.opened',
    run_id: record.id,
    provider: provider.name,
    models: provider.isModel ? [...models] : [],
    origin: provider.origin ?? null,
    limit_usd: canSpend ? (scope.policy.budget.runMicroUsd + raised) / 1e6 : null,
  });
}
