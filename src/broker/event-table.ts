import type { Db } from '../db/open-database.ts';
import type { EventSink } from '../events/event-log.ts';

/** Writes events as rows, numbered within their run. */
export function tableSink(db: Db): EventSink {
  const insert = db.prepare(`
    INSERT INTO events (run_id, seq, event)
    SELECT @run, coalesce(max(seq), 0) + 1, @event FROM events WHERE run_id = @run`);
  const write = db.transaction((events: Parameters<EventSink>[0]) => {
    for (const event of events) insert.run({ run: event.run_id, event: JSON.stringify(event) });
  });
  return (events) => write.immediate(events);
}
