import type { RecordPool } from '../../broker/intent/scope.ts';
import { createRecordPool } from '../../broker/recall/record-pool.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { RecordedAttempt, RecordedIntent, Recording } from './recording.ts';

/** Where a replay went another way than its recording. */
export interface Divergence {
  /** `subtask s1, attempt 1 of file-clerk, request 2`. */
  readonly where: string;
  readonly recorded: string;
  readonly now: string;
}

/** An attempt that is carried out again, and what it will be told. */
export interface ReplayedAttempt {
  readonly attempt: RecordedAttempt;
  readonly pool: RecordPool;
}

/** How far a replay has come along its recording. */
export interface ReplayTrack {
  /** The subtask's next attempt that came to an end of its own; undefined where the recording has no more. */
  next(subtaskId: string): ReplayedAttempt | undefined;
  /** The attempt of the subtask that is under way. */
  current(subtaskId: string): ReplayedAttempt | undefined;
  /** What the coordinator's own calls are answered with. */
  readonly own: RecordPool;
  /** Keeps the first divergence, and stops the replay. */
  diverge(found: Divergence): AppError;
  divergence(): Divergence | undefined;
  /** Attempts that the replay has not come to. */
  readonly waiting: readonly RecordedAttempt[];
  /** Attempts that were started again. */
  readonly carriedOut: ReplayedAttempt[];
  /** Attempts whose ending is taken as recorded: they left no final, so there is nothing to compare. */
  readonly taken: RecordedAttempt[];
}

/** Own calls that belong to the routing: its receipts are read back instead. */
const routing = new Set(['judge', 'profile', 'capsule.choose', 'capsule.create', 'capsule.run']);

/** @param stop Told once, at the first divergence. */
export function createReplayTrack(recording: Recording, stop: () => void): ReplayTrack {
  const intents = new Map(recording.intents.map((intent) => [intent.id, toIntent(intent)]));
  const waiting = recording.attempts.filter(
    ({ status }) => status !== 'interrupted' && status !== 'running',
  );
  const underWay = new Map<string, ReplayedAttempt>();
  const own = [...intents.values()].filter(
    (intent) => intent.attemptId === null && wasHeard(intent),
  );
  let first: Divergence | undefined;
  return {
    own: createRecordPool(own.filter(({ name }) => !routing.has(name))),
    carriedOut: [],
    taken: [],
    next(subtaskId) {
      const index = waiting.findIndex((attempt) => attempt.subtaskId === subtaskId);
      const [attempt] = index === -1 ? [] : waiting.splice(index, 1);
      if (!attempt) return undefined;
      const records = attempt.record.flatMap((id) => intents.get(id) ?? []);
      const replayed = { attempt, pool: createRecordPool(records) };
      underWay.set(subtaskId, replayed);
      return replayed;
    },
    current: (subtaskId) => underWay.get(subtaskId),
    diverge(found) {
      if (first === undefined) {
        first = found;
        stop();
      }
      return new AppError('REPLAY_DIVERGED', { where: found.where });
    },
    divergence: () => first,
    waiting,
  };
}

const toIntent = ({ outcome, facts, effects, ...intent }: RecordedIntent): IntentRecord => ({
  ...intent,
  outcome: outcome ?? undefined,
  facts: facts ?? undefined,
  effects: effects ?? undefined,
});

/** Whether an answer reached the coordinator: a call that its process did not outlive was made again. */
function wasHeard({ outcome }: IntentRecord): boolean {
  const { error } = (outcome ?? {}) as { error?: { code?: string } };
  return outcome !== undefined && error?.code !== 'INTERRUPTED';
}
