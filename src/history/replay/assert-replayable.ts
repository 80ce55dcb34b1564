import { AppError } from '../../contract/errors.ts';
import type { Recording } from '../recording/recording.ts';

/**
 * A replay can reproduce only the end of a run that ended by itself.
 *
 * @throws AppError `RUN_NOT_REPLAYABLE`.
 */
export function assertReplayable(recording: Recording): void {
  const problem = problemOf(recording);
  if (problem === undefined) return;
  const { id, status } = recording.run;
  throw new AppError('RUN_NOT_REPLAYABLE', { id, problem, isParked: status === 'parked' });
}

function problemOf({ run, intents, attempts, subtasks }: Recording): string | undefined {
  if (run.status === 'parked') return 'it is parked and has not ended. Resume it first';
  if (run.status === 'running' || run.status === 'pending') return 'it is still running';
  if (run.status === 'completed' && subtasks.length === 0 && attempts.length === 0)
    return 'it only made a plan';
  if (run.status === 'cancelled') return 'it was cancelled, and that moment is not recorded';
  const isLate = run.reason === 'deadline' && !subtasks.some(({ reason }) => reason === 'deadline');
  if (isLate || subtasks.some(({ status }) => status === 'cancelled')) {
    return 'it exceeded its time limit, and that moment is not recorded';
  }
  if (intents.length === 0 && attempts.length === 0) return 'it ended before its first request';
  if (attempts.some(({ status, request }) => status !== 'interrupted' && request === null)) {
    return 'it was made by a version of Capstan that did not record the requests to capsules';
  }
  return undefined;
}
