import type { RunRecord } from '../../coordinator/run-store.ts';
import type { SubtaskRecord } from '../../coordinator/subtask-store.ts';
import type { Recording } from './recording.ts';
import { told } from './replay-broker.ts';
import type { Divergence, ReplayTrack } from './replay-track.ts';

interface Ended {
  readonly run: RunRecord;
  readonly subtasks: readonly SubtaskRecord[];
  readonly track: ReplayTrack;
}

/** The first thing in which a replay's end differs from what is recorded; undefined where every byte is the same. */
export function sameEnding(recording: Recording, ended: Ended): Divergence | undefined {
  const { run, subtasks, track } = ended;
  return (
    differentPlan(recording, subtasks) ??
    recording.subtasks.map((one) => differentSubtask(one, subtasks)).find(Boolean) ??
    leftOver(track) ??
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

/** What was recorded and never came up again. */
function leftOver({ waiting, own }: ReplayTrack): Divergence | undefined {
  const [attempt] = waiting;
  if (attempt) {
    const where = `subtask ${attempt.subtaskId}`;
    const recorded = `attempt ${attempt.number} of ${attempt.capsuleId}`;
    return { where, recorded, now: 'no such attempt' };
  }
  const [unasked] = own.left();
  if (!unasked) return undefined;
  const recorded = `it asked for "${unasked.name}": ${told(unasked.request)}`;
  return { where: "the coordinator's own calls", recorded, now: 'it did not ask' };
}

interface Ending {
  readonly status: string;
  readonly reason: string | null;
  readonly error: unknown;
}

const endingOf = (row: Ending | undefined) =>
  row ? { status: row.status, reason: row.reason, error: row.error } : null;

/** Byte for byte, as the rows hold it. */
function compare(where: string, recorded: unknown, now: unknown): Divergence | undefined {
  if (JSON.stringify(recorded) === JSON.stringify(now)) return undefined;
  return { where, recorded: told(recorded), now: told(now) };
}
