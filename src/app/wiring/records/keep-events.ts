import { tableSink } from '../../../broker/intent/event-table.ts';
import { messageOf } from '../../../contract/errors.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { EventBus } from '../../../events/bus.ts';
import {
  createEventLog,
  type EventLog,
  type EventSink,
  jsonlSink,
} from '../../../events/event-log.ts';

/**
 * Keeps every event in the file of its run, and in the database with the next commit of the journal. Lost events are
 * reported once.
 */
export function keepEvents(
  events: EventBus,
  { db, journal, changes }: Pick<Stores, 'db' | 'journal' | 'changes'>,
  stateDir: string,
): EventLog {
  let isReported = false;
  const writeRows = tableSink(db);
  const toTable: EventSink = (batch) =>
    journal.noteSoon(() => {
      writeRows(batch);
      changes.notify();
    });
  const log = createEventLog([toTable, jsonlSink(stateDir)], (error, [first]) => {
    if (isReported || !first) return;
    isReported = true;
    const text = `Events of this run are lost: ${messageOf(error)}`;
    events.emit({ type: 'run.noticed', run_id: first.run_id, text });
  });
  events.listen((event) => {
    log.add(event);
    // Another process may append an event to the run from now on: this one must be the first.
    if (event.type === 'run.started') log.flush();
  });
  return log;
}

/** Keeps the texts of answers and the output of commands in the database until they are complete, so that followers in other processes get them. */
export function keepDeltas(
  events: EventBus,
  { journal, changes, deltas }: Pick<Stores, 'journal' | 'changes' | 'deltas'>,
): void {
  /** Ids of the calls of this process that have rows; those of a dead process are removed by its recovery. */
  const kept = new Set<string>();
  events.listenToDeltas((delta) => {
    kept.add(delta.intent_id);
    journal.noteSoon(() => {
      deltas.add(delta);
      changes.notify();
    });
  });
  events.listen((event) => {
    if (event.type !== 'model.answered' && event.type !== 'tool.answered') return;
    if (!kept.delete(event.intent_id)) return;
    const remove = () => deltas.removeCall(event.run_id, event.intent_id);
    // With a later commit than the last piece, so that followers can read that.
    journal.noteSoon(() => queueMicrotask(() => journal.noteSoon(remove)));
  });
}
