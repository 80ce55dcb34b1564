import { uptime } from 'node:os';
import { bootId } from '../platform/process-mark.ts';
import type { Db } from './open-database.ts';

export type DeadlineClock = ReturnType<typeof createDeadlineClock>;

/** Time since the machine started, which no change of the wall clock affects. */
export interface MachineTime {
  /** Differs after each start. */
  readonly bootId: string;
  uptimeMs(): number;
}

/** A clock for deadlines, shared by all processes, which never goes back when the wall clock is set back. */
export function createDeadlineClock(
  db: Db,
  wallClock: () => Date,
  { bootId: boot, uptimeMs }: MachineTime = machineTime,
) {
  const find = db.prepare<[], Kept>(
    'SELECT at_ms AS atMs, uptime_ms AS uptimeMs, boot_id AS bootId FROM deadline_clock',
  );
  const lastAudited = db
    .prepare<[], string>('SELECT at FROM audit ORDER BY seq DESC LIMIT 1')
    .pluck();
  const upsert = db.prepare<[Kept]>(`
    INSERT INTO deadline_clock (id, at_ms, uptime_ms, boot_id) VALUES (1, @atMs, @uptimeMs, @bootId)
    ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms, uptime_ms = excluded.uptime_ms,
      boot_id = excluded.boot_id`);
  const nowMs = (upMs: number): number => {
    const kept = find.get();
    const passedMs = kept?.bootId === boot ? Math.max(0, upMs - kept.uptimeMs) : 0;
    const auditedMs = Date.parse(lastAudited.get() ?? '') || 0;
    return Math.max(wallClock().getTime(), auditedMs, kept ? kept.atMs + passedMs : 0);
  };
  return {
    /**
     * The wall clock, but never before the latest time in the database, and never slower than the time since the machine
     * started.
     */
    now: () => new Date(nowMs(uptimeMs())),
    /** Stores the current time. To be called inside a transaction. */
    keep(): void {
      const upMs = uptimeMs();
      upsert.run({ atMs: nowMs(upMs), uptimeMs: upMs, bootId: boot });
    },
  };
}

interface Kept {
  readonly atMs: number;
  readonly uptimeMs: number;
  readonly bootId: string;
}

const machineTime: MachineTime = {
  // `-` if it is unknown. Then only the uptime shows that the machine was restarted.
  bootId: bootId(),
  uptimeMs: () => Math.floor(uptime() * 1_000),
};
