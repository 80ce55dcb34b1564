import type { RunStatus } from '../../contract/status.ts';
import type { Db } from '../../db/open-database.ts';

/** How long processes have executed each run, by a monotonic clock. */
export interface RunDurations {
  /** To be called when this process starts to execute the run. */
  begin(id: string): void;
  /** Milliseconds since `begin` or the last `take`, to be added to the row. */
  take(id: string): number;
  /** In milliseconds, without the time in which the run was parked. If another process executes it: as of its last heartbeat. */
  of(run: { readonly id: string; readonly status: RunStatus }): number;
}

export function createRunDurations(db: Db): RunDurations {
  const stored = db.prepare<[string], number>('SELECT duration_ms FROM runs WHERE id = ?').pluck();
  /** By run: milliseconds of `performance.now()`. */
  const sinceMs = new Map<string, number>();
  const passedMs = (id: string) => {
    const nowMs = performance.now();
    return Math.round(nowMs - (sinceMs.get(id) ?? nowMs));
  };
  return {
    begin: (id) => void sinceMs.set(id, performance.now()),
    take(id) {
      const ms = passedMs(id);
      if (sinceMs.has(id)) sinceMs.set(id, performance.now());
      return ms;
    },
    of: ({ id, status }) => (stored.get(id) ?? 0) + (status === 'running' ? passedMs(id) : 0),
  };
}
