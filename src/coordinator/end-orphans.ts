import type { Stores } from './open-stores.ts';
import { isAlive } from './process-identity.ts';
import type { Failure } from './status.ts';
import type { SubtaskEnd, SubtaskRecord } from './subtask-store.ts';

/** Ends runs whose process died without a word: failed, with reason `crashed`. What had been done stands in their journal. */
export function endOrphans({ runs, subtasks, journal, now }: Omit<Stores, 'close'>): void {
  const orphans = runs.unended().filter(({ owner }) => !isAlive(owner));
  const message = 'The process that worked on this run is gone.';
  const error: Failure = { code: 'CRASHED', message };
  for (const { id } of orphans) {
    const endedAt = now().toISOString();
    const open = subtasks.of(id).filter(({ endedAt }) => endedAt === null);
    journal.commit(() => {
      runs.end(id, { status: 'failed', reason: 'crashed', answer: null, error, endedAt });
      for (const subtask of open) subtasks.end(id, subtask.id, endOf(subtask, error));
      subtasks.interruptAttempts(id);
    });
  }
}

const endOf = ({ status, capsuleId }: SubtaskRecord, error: Failure): SubtaskEnd => ({
  ...(status === 'pending'
    ? { status: 'cancelled', reason: 'cancelled' }
    : { status: 'failed', reason: 'crashed' }),
  result: undefined,
  error,
  capsuleId,
});
