import { dirname } from 'node:path';
import type { Journal } from '../../broker/intent/journal.ts';
import type { CapstanEvent, UntimedEvent } from '../../contract/event.ts';
import type { ChangeWatch } from '../../db/changes/watch-changes.ts';
import { jsonlSink } from '../../events/event-log.ts';
import type { EventRows } from './event-rows.ts';

export interface EventParts {
  /** The database file: the run's log is beside it. */
  readonly path: string;
  readonly journal: Journal;
  readonly eventRows: EventRows;
  readonly changes: ChangeWatch;
}

/**
 * One transaction of any process, not only of the run's owner: the rows that `write` changes, and the event that it
 * returns, if any. The event then also goes into the run's log.
 */
export function commitEvent(
  { path, journal, eventRows, changes }: EventParts,
  write: () => UntimedEvent | undefined,
): void {
  const written = journal.commit(() => {
    const event = write();
    return event && eventRows.append(event);
  });
  if (!written) return;
  changes.notify();
  appendToLog(dirname(path), written);
}

/** Ignores failures: the log is only for observers, and the row is already written. */
function appendToLog(stateDir: string, event: CapstanEvent): void {
  try {
    jsonlSink(stateDir)([{ run_id: event.run_id, text: JSON.stringify(event) }]);
  } catch {}
}
