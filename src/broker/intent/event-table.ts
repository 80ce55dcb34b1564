import type { Db } from '../../db/open-database.ts';
import type { EventSink } from '../../events/event-log.ts';

/** Writes events as rows, numbered within their run, but not of deleted runs. To be called inside the journal's transactions. */
export function tableSink(db: Db): EventSink {
  const insert = db.prepare(`
    INSERT INTO events (run_id, seq, event)
    SELECT @run, (SELECT coalesce(max(seq), 0) FROM events WHERE run_id = @run) + key + 1, value
    FROM json_each(@texts) WHERE EXISTS (SELECT 1 FROM runs WHERE id = @run)`);
  return (events) => {
    for (const run of new Set(events.map(({ run_id }) => run_id))) {
      const texts = events.filter(({ run_id }) => run_id === run).map(({ text }) => text);
      insert.run({ run, texts: `[${texts.join(',')}]` });
    }
  };
}
