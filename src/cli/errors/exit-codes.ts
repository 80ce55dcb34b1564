import { failureReason } from '../../app/runs/show/failure-reason.ts';
import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { exitCodeOfSignal, SignalReceived, type StopSignal } from '../io/watch-signals.ts';
import { isBadInput } from './is-bad-input.ts';

/** The exit codes of `capstan`. If several apply, the order is: usage, signals, deadline, isolation, parked, budget, provider, denied, failed. */
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
  hangup: exitCodeOfSignal.SIGHUP,
  interrupted: exitCodeOfSignal.SIGINT,
  terminated: exitCodeOfSignal.SIGTERM,
} as const;

const codeOfReason: Readonly<Record<string, number | undefined>> = {
  settings: exitCodes.usage,
  deadline: exitCodes.deadline,
  isolation: exitCodes.isolation,
  budget: exitCodes.budget,
  provider: exitCodes.provider,
  denied: exitCodes.denied,
  expired: exitCodes.denied,
};

/** The exit code of a command that threw this. */
export function exitCodeOfError(error: unknown): number {
  if (isBadInput(error)) return exitCodes.usage;
  if (error instanceof SignalReceived) return exitCodeOfSignal[error.signal];
  return codeOfReason[failureReason(error)] ?? exitCodes.failed;
}

/**
 * The exit code of a run that has ended or parked.
 *
 * @param signal The signal that this process received, if any.
 */
export function exitCodeOf(
  { status, reason }: Pick<RunDocument, 'status' | 'reason'>,
  signal?: StopSignal | undefined,
): number {
  if (reason === 'settings') return exitCodes.usage;
  if (signal) return exitCodeOfSignal[signal];
  if (status === 'completed') return exitCodes.completed;
  if (status === 'parked') return reason === 'provider' ? exitCodes.provider : exitCodes.parked;
  return codeOfReason[reason ?? ''] ?? exitCodes.failed;
}
