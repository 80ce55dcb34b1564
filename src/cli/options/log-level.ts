import type { StartedRun } from '../../app/runs/start/started-run.ts';
import type { CapstanEvent } from '../../contract/event.ts';

export type LogLevel = StartedRun['logLevel'];

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** Whether output of this level is shown if the log level is `threshold` (`CAPSTAN_LOG_LEVEL`). */
export const isShownAt = (level: LogLevel, threshold: LogLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(threshold);

/** Warnings that `--quiet` does not hide. */
const notices: readonly CapstanEvent['type'][] = [
  'run.noticed',
  'budget.warned',
  'breaker.opened',
  'model.delayed',
  'capsule.quarantined',
];

export const isNotice = ({ type }: CapstanEvent): boolean => notices.includes(type);

const warnings: readonly CapstanEvent['type'][] = [
  ...notices,
  'plan.repaired',
  'intent.denied',
  'approval.asked',
];

/** Details that only the log level `debug` shows. */
const details: readonly CapstanEvent['type'][] = [
  'run.started',
  'run.ended',
  'plan.made',
  'subtask.routed',
  'capsule.started',
  'capsule.ended',
  'capsule.progressed',
  'memory.recalled',
  'tool.requested',
  'tool.answered',
  'model.requested',
  'intent.recalled',
  'file.written',
  'file.removed',
];

/** The level at which a run shows an event. Errors are shown when the run ends. */
export function levelOf(event: CapstanEvent): LogLevel {
  if (details.includes(event.type)) return 'debug';
  if (warnings.includes(event.type)) return 'warn';
  if ('ok' in event && event.type !== 'capsule.ended') return event.ok ? 'info' : 'warn';
  if (event.type === 'subtask.ended') return event.status === 'completed' ? 'info' : 'warn';
  return 'info';
}
