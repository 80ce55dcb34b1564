import type { RecordPool } from '../../broker/intent/scope.ts';
import { createRecordPool } from '../../broker/recall/record-pool.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { canonicalJson } from '../../platform/text/canonical-hash.ts';
import type { RecordedAttempt, Recording } from '../recording/recording.ts';

/** The first difference between a replay and its recording. */
export interface Divergence {
  /** `subtask s1, attempt 1 of file-clerk, request 2`. */
  readonly where: string;
  readonly recorded: string;
  readonly now: string;
}

/** A repeated attempt, with the recorded answers for it. */
export interface ReplayedAttempt {
  readonly attempt: RecordedAttempt;
  readonly pool: RecordPool;
}

/** Calls of the coordinator for routing and for the earlier turns of the session, whose results are read from the rows instead. */
const keptInRows = new Set([
  ...['judge', 'profile', 'capsule.choose', 'capsule.create', 'capsule.run'],
  'summary',
]);

/** The replayed attempts of a recording, and the remaining ones. */
export type ReplayProgress = ReturnType<typeof createReplayProgress>;

/** @param stop Called once, at the first divergence. */
export function createReplayProgress(recording: Recording, stop: () => void) {
  const intents = new Map(recording.intents.map((intent) => [intent.id, toIntent(intent)]));
  const waiting = recording.attempts.filter(
    ({ status }) => status !== 'interrupted' && status !== 'running',
  );
  const running = new Map<string, ReplayedAttempt>();
  const own = [...intents.values()].filter(
    (intent) => intent.attemptId === null && wasAnswered(intent),
  );
  let first: Divergence | undefined;
  return {
    /** The recorded answers to the coordinator's own calls. */
    own: createRecordPool(own.filter(({ name }) => !keptInRows.has(name))),
    /** Attempts that were started again. */
    started: [] as ReplayedAttempt[],
    /** Attempts without an `agent_response`, which end as recorded. */
    notStarted: [] as RecordedAttempt[],
    /** The subtask's next recorded attempt that was not interrupted; undefined if there is none. */
    next(subtaskId: string): ReplayedAttempt | undefined {
      const index = waiting.findIndex((attempt) => attempt.subtaskId === subtaskId);
      const [attempt] = index === -1 ? [] : waiting.splice(index, 1);
      if (!attempt) return undefined;
      const records = attempt.record.flatMap((id) => intents.get(id) ?? []);
      const replayed = { attempt, pool: createRecordPool(records) };
      running.set(subtaskId, replayed);
      return replayed;
    },
    /** The subtask's running attempt. */
    current: (subtaskId: string) => running.get(subtaskId),
    /** Stores the first divergence, and stops the replay. */
    diverge(found: Divergence): AppError {
      if (first === undefined) {
        first = found;
        stop();
      }
      return new AppError('REPLAY_DIVERGED', { where: found.where });
    },
    divergence: () => first,
    /** Attempts that the replay has not started. */
    waiting,
  };
}

const toIntent = ({ outcome, facts, effects, ...intent }: IntentRecord): IntentRecord => ({
  ...intent,
  outcome: outcome ?? undefined,
  facts: facts ?? undefined,
  effects: effects ?? undefined,
});

/** Whether an answer reached the coordinator. A call that was interrupted by the end of the process was repeated. */
function wasAnswered({ outcome }: IntentRecord): boolean {
  const { error } = (outcome ?? {}) as { error?: { code?: string } };
  return outcome !== undefined && error?.code !== 'INTERRUPTED';
}

/** A value in the form that a divergence shows. */
export const shownValue = (value: unknown): string =>
  typeof value === 'string' ? value : canonicalJson(value ?? null);
