import type { RunStatus } from '../../../contract/status.ts';
import type { Db } from '../../../db/open-database.ts';

/** How long processes have executed each run, by a monotonic clock. */
export function createRunDurations(db: Db) {
  const stored = db.prepare<[string], number>('SELECT duration_ms FROM runs WHERE id = ?').pluck();
  /** By run: milliseconds of `performance.now()`. */
  const sinceMs = new Map<string, number>();
  const passedMs = (id: string) => {
    const nowMs = performance.now();
    return Math.round(nowMs - (sinceMs.get(id) ?? nowMs));
  };
  return {
    /** To be called when this process starts to execute the run. */
    begin: (id: string) => void sinceMs.set(id, performance.now()),
    /** Milliseconds since `begin` or the last `take`, to be added to the row. */
    take(id: string) {
      const ms = passedMs(id);
      if (sinceMs.has(id)) sinceMs.set(id, performance.now());
      return ms;
    },
    /** In milliseconds, without the time in which the run was parked. If another process executes it: as of its last heartbeat. */
    of: ({ id, status }: { readonly id: string; readonly status: RunStatus }) =>
      (stored.get(id) ?? 0) + (status === 'running' ? passedMs(id) : 0),
  };
}
