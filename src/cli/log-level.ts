import type { StartedRun } from '../app/runs/started-run.ts';
import type { CapstanEvent } from '../contract/event.ts';

export type LogLevel = StartedRun['logLevel'];

const ranks: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

/** Whether what is of one level is told where another is wanted (`CAPSTAN_LOG_LEVEL`). */
export const isTold = (level: LogLevel, wanted: LogLevel): boolean => ranks[level] <= ranks[wanted];

const warnings: ReadonlySet<CapstanEvent['type']> = new Set([
  'run.noticed',
  'plan.repaired',
  'intent.denied',
  'approval.asked',
  'budget.warned',
  'breaker.opened',
  'capsule.quarantined',
]);

/** How much an event matters to the person who waits. What ends a run is told at its end. */
export function levelOf(event: CapstanEvent): LogLevel {
  if (warnings.has(event.type)) return 'warn';
  if ('ok' in event && event.type !== 'capsule.ended') return event.ok ? 'info' : 'warn';
  if (event.type === 'subtask.ended') return event.status === 'completed' ? 'info' : 'warn';
  return 'info';
}
