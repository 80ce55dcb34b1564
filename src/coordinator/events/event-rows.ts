import { tableSink } from '../../broker/intent/event-table.ts';
import type { CapstanEvent, NumberedEvent, UntimedEvent } from '../../contract/event.ts';
import type { Db } from '../../db/open-database.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';

export const EVENTS_PER_PAGE = 200;

/** The numbered events of runs. */
export function createEventRows(db: Db, now: () => Date, { redact }: Redactor) {
  const page = db.prepare<[string, number], { seq: number; text: string }>(`
    SELECT seq, event AS text FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ${EVENTS_PER_PAGE}`);
  const lastStep = db
    .prepare<[string], string>(`
      SELECT event ->> 'type' FROM events
      WHERE run_id = ? AND event ->> 'type' IN ('run.started', 'run.resumed', 'run.ended')
      ORDER BY seq DESC LIMIT 1`)
    .pluck();
  const limit = db
    .prepare<[string], number | null>(`
      SELECT event ->> 'limit_usd' FROM events
      WHERE run_id = ? AND event ->> 'type' = 'provider.opened'
      ORDER BY seq DESC LIMIT 1`)
    .pluck();
  const last = db
    .prepare<[string], number>('SELECT coalesce(max(seq), 0) FROM events WHERE run_id = ?')
    .pluck();
  const lastAt = db
    .prepare<[string], string>(
      "SELECT event ->> 'at' FROM events WHERE run_id = ? ORDER BY seq DESC LIMIT 1",
    )
    .pluck();
  const write = tableSink(db);
  return {
    /** The events of a run after this number, in order: at most `EVENTS_PER_PAGE`. */
    page: (runId: string, after: number): readonly NumberedEvent[] =>
      page
        .all(runId, after)
        .map(({ seq, text }) => ({ seq, event: JSON.parse(text) as CapstanEvent })),
    /** The number of the run's newest event; 0 if it has none. */
    last: (runId: string) => last.get(runId) ?? 0,
    /** When the run's newest event was written; undefined if it has none. */
    lastAt: (runId: string) => lastAt.get(runId),
    /** Whether the run's newest lifecycle event says that it ended or parked. */
    hasEnded: (runId: string) => lastStep.get(runId) === 'run.ended',
    /** The newest `limit_usd` of a run's `provider.opened`; undefined if it has none. */
    limitUsd: (runId: string) => limit.get(runId),
    /** A plain statement, to be called inside the journal's transactions. Returns the event as it was written. */
    append(event: UntimedEvent): CapstanEvent {
      const written = { ...redact(event), at: now().toISOString() } as CapstanEvent;
      write([{ run_id: event.run_id, text: JSON.stringify(written) }]);
      return written;
    },
  };
}
