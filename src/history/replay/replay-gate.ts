import type { CapsuleGate } from '../../broker/questions/capsule-gate.ts';
import { RecordedFailure } from '../../coordinator/failure.ts';
import type { Recording } from './recording.ts';

/** What was said of a changed capsule then is said again: a subtask that never got to an attempt ends as it did. */
export const createReplayGate = ({ subtasks, attempts }: Recording): CapsuleGate => ({
  async mayRun({ subtaskId }) {
    const recorded = subtasks.find(({ id }) => id === subtaskId);
    const hasAttempt = attempts.some((attempt) => attempt.subtaskId === subtaskId);
    if (hasAttempt || !recorded?.error) return true;
    throw new RecordedFailure(recorded.error, recorded.reason ?? 'subtask_failed');
  },
});
