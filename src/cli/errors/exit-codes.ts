import { failureReason } from '../../app/runs/show/failure-reason.ts';
import { failedWith } from '../../contract/errors.ts';
import { exitCodeOfSignal, SignalReceived, type StopSignal } from '../io/watch-signals.ts';

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

/** The exit code of a run that has ended or parked. @param signal The one that this process received, if any. */
export function exitCodeOf(
  { status, reason }: { readonly status: string; readonly reason: string | null },
  signal?: StopSignal | undefined,
): number {
  if (reason === 'settings') return exitCodes.usage;
  if (signal) return exitCodeOfSignal[signal];
  if (status === 'completed') return exitCodes.completed;
  if (status === 'parked') return reason === 'provider' ? exitCodes.provider : exitCodes.parked;
  return codeOfReason[reason ?? ''] ?? exitCodes.failed;
}

const codes = [
  'SETTINGS_INVALID',
  'SETTINGS_NOT_WRITTEN',
  'USAGE',
  'RUN_UNKNOWN',
  'RUN_ACTIVE',
  'SESSION_UNKNOWN',
  'SESSION_PARKED',
  'NO_SESSION',
  'NO_RUN_PARKED',
  'SEVERAL_RUNS_PARKED',
  'KEY_USED',
  'APPROVAL_UNKNOWN',
  'APPROVAL_CHOICE',
  'CAPSULE_UNKNOWN',
  'CAPSULE_QUARANTINED',
  'MANIFEST_INVALID',
  'SKILL_UNKNOWN',
  'ARCHIVE_INVALID',
  'CAPSULE_FOLDER_INVALID',
  'OVERLAY_UNKNOWN',
  'PLACE_UNUSABLE',
  'DATABASE_NEWER',
  'DATABASE_UNREADABLE',
] as const;

/** Whether an error is about arguments or settings: exit code 2. */
export const isBadInput = (error: unknown): boolean =>
  codes.some((code) => failedWith(error, code));

/** The meaning of each exit code. */
export const exitCodeWords: Readonly<Record<keyof typeof exitCodes, string>> = {
  completed: 'completed',
  failed: 'failed, or cancelled elsewhere',
  usage: 'wrong arguments or settings',
  parked: 'parked: a question waits, or the run was stopped; `capstan resume` continues',
  denied: 'denied: a person, a rule, a gate, a deadline or a protection refused what was needed',
  budget: 'the budget is spent',
  provider: 'the model provider is unavailable',
  isolation: 'the isolation level is too low',
  deadline: 'the time limit of the run, or of a capsule, is over',
  hangup: 'stopped by SIGHUP; the run is parked',
  interrupted: 'stopped by SIGINT (Ctrl-C in capstan run); the run is parked',
  terminated: 'stopped by SIGTERM; the run is parked',
};

/** `capstan help exit-codes`. */
export const exitCodesHelp = (): string =>
  (Object.keys(exitCodes) as (keyof typeof exitCodes)[])
    .map((name) => `${String(exitCodes[name]).padStart(3)}  ${exitCodeWords[name]}\n`)
    .join('');
