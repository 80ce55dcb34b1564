import type { Reason } from '../contract/status.ts';
import type { RunRecord } from '../coordinator/run-store.ts';

/** What `capstan` exits with; the first that applies of usage, signals, deadline, isolation, parked, budget, provider, denied, failed. */
export const exitCodes = {
  completed: 0,
  failed: 1,
  usage: 2,
  parked: 3,
  denied: 4,
  budget: 5,
  provider: 6,
  isolation: 7,
  deadline: 124,
  interrupted: 130,
  terminated: 143,
} as const;

const codeOfReason: Partial<Record<Reason, number>> = {
  settings: exitCodes.usage,
  deadline: exitCodes.deadline,
  isolation: exitCodes.isolation,
  budget: exitCodes.budget,
  provider: exitCodes.provider,
  denied: exitCodes.denied,
  expired: exitCodes.denied,
};

/** The exit code of a run that has ended or parked. `signal` is the one that this process got, if any. */
export function exitCodeOf(
  run: Pick<RunRecord, 'status' | 'reason'>,
  options: { readonly signal?: 'SIGINT' | 'SIGTERM' | undefined; readonly isLate: boolean },
): number {
  if (options.signal === 'SIGINT') return exitCodes.interrupted;
  if (options.signal === 'SIGTERM') return exitCodes.terminated;
  if (run.status === 'completed') return exitCodes.completed;
  if (options.isLate) return exitCodes.deadline;
  if (run.status === 'parked') return exitCodes.parked;
  return (run.reason && codeOfReason[run.reason]) ?? exitCodes.failed;
}
