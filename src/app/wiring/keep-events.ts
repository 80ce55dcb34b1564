import { tableSink } from '../../broker/intent/event-table.ts';
import { messageOf } from '../../contract/errors.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import type { EventBus } from '../../events/bus.ts';
import {
  createEventLog,
  type EventLog,
  type EventSink,
  jsonlSink,
} from '../../events/event-log.ts';

/**
 * Keeps every event in the file of its run, and in the database by the way: with the next commit of the journal. That
 * some were lost is said once.
 */
export function keepEvents(
  events: EventBus,
  { db, journal }: Pick<Stores, 'db' | 'journal'>,
  stateDir: string,
): EventLog {
  let isTold = false;
  const writeRows = tableSink(db);
  const toTable: EventSink = (batch) => journal.noteSoon(() => writeRows(batch));
  const log = createEventLog([toTable, jsonlSink(stateDir)], (error, [first]) => {
    if (isTold || !first) return;
    isTold = true;
    const text = `Events of this run are lost: ${messageOf(error)}`;
    events.emit({ type: 'run.noticed', run_id: first.run_id, text });
  });
  events.listen(log.add);
  return log;
}
