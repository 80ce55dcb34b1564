import { tableSink } from '../broker/event-table.ts';
import type { Db } from '../db/open-database.ts';
import { messageOf } from '../errors.ts';
import type { EventBus } from '../events/bus.ts';
import { createEventLog, type EventLog, jsonlSink } from '../events/event-log.ts';

/** Keeps every event in the database and in the file of its run. That some were lost is said once. */
export function keepEvents(
  events: EventBus,
  { db, stateDir }: { readonly db: Db; readonly stateDir: string },
): EventLog {
  let isTold = false;
  const log = createEventLog([jsonlSink(stateDir), tableSink(db)], (error, [first]) => {
    if (isTold || !first) return;
    isTold = true;
    const text = `Events of this run are lost: ${messageOf(error)}`;
    events.emit({ type: 'run.noticed', run_id: first.run_id, text });
  });
  events.listen(log.add);
  return log;
}
