import type { RunRecord } from '../coordinator/store/runs/run-record.ts';
import type { SubtaskRecord } from '../coordinator/store/subtasks/subtask-record.ts';
import type { Recording } from './recording/recording.ts';
import { type Divergence, type ReplayProgress, shownValue } from './replay/replay-progress.ts';

interface Ended {
  readonly run: RunRecord;
  readonly subtasks: readonly SubtaskRecord[];
  readonly progress: ReplayProgress;
}

/** The first difference between the end of a replay and the recorded one; undefined if every byte is the same. */
export function compareEndings(recording: Recording, ended: Ended): Divergence | undefined {
  const { run, subtasks, progress } = ended;
  return (
    differentPlan(recording, subtasks) ??
    recording.subtasks.map((one) => differentSubtask(one, subtasks)).find(Boolean) ??
    unusedRecord(progress) ??
    compare("the run's ending", endingOf(recording.run), endingOf(run)) ??
    compare('the final answer', recording.run.answer, run.answer)
  );
}

function differentPlan(
  recording: Recording,
  subtasks: readonly SubtaskRecord[],
): Divergence | undefined {
  const planOf = (
    rows: readonly Pick<SubtaskRecord, 'id' | 'phase' | 'description' | 'dependsOn'>[],
  ) => rows.map(({ id, phase, description, dependsOn }) => ({ id, phase, description, dependsOn }));
  return compare('the plan', planOf(recording.subtasks), planOf(subtasks));
}

function differentSubtask(
  recorded: Recording['subtasks'][number],
  subtasks: readonly SubtaskRecord[],
): Divergence | undefined {
  const now = subtasks.find(({ id }) => id === recorded.id);
  return (
    compare(`subtask ${recorded.id}, its ending`, endingOf(recorded), endingOf(now)) ??
    compare(`subtask ${recorded.id}, its capsule`, recorded.capsuleId, now?.capsuleId ?? null) ??
    compare(`subtask ${recorded.id}, its result`, recorded.result, now?.result ?? null)
  );
}

/** A recorded attempt or call that did not happen in the replay. */
function unusedRecord({ waiting, own }: ReplayProgress): Divergence | undefined {
  const [attempt] = waiting;
  if (attempt) {
    const where = `subtask ${attempt.subtaskId}`;
    const recorded = `attempt ${attempt.number} of ${attempt.capsuleId}`;
    return { where, recorded, now: 'no such attempt' };
  }
  const [unused] = own.left();
  if (!unused) return undefined;
  const recorded = `requested "${unused.name}": ${shownValue(unused.request)}`;
  return { where: "the coordinator's own calls", recorded, now: 'not requested' };
}

const endingOf = (
  row: Pick<RunRecord | SubtaskRecord, 'status' | 'reason' | 'error'> | undefined,
) => (row ? { status: row.status, reason: row.reason, error: row.error } : null);

/** Compares byte for byte, as stored. */
function compare(where: string, recorded: unknown, now: unknown): Divergence | undefined {
  if (JSON.stringify(recorded) === JSON.stringify(now)) return undefined;
  return { where, recorded: shownValue(recorded), now: shownValue(now) };
}
