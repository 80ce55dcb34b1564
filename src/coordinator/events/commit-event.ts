import { dirname } from 'node:path';
import type { UntimedEvent } from '../../contract/event.ts';
import { jsonlSink } from '../../events/event-log.ts';
import type { Stores } from '../store/create-stores.ts';

/**
 * One transaction of any process, not only of the run's owner: the rows that `write` changes, and the event that it
 * returns, if any. The event then also goes into the run's log.
 */
export function commitEvent(
  { path, journal, eventRows, changes }: Pick<Stores, 'path' | 'journal' | 'eventRows' | 'changes'>,
  write: () => UntimedEvent | undefined,
): void {
  const written = journal.commit(() => {
    const event = write();
    return event && eventRows.append(event);
  });
  if (!written) return;
  changes.notify();
  try {
    jsonlSink(dirname(path))([{ run_id: written.run_id, text: JSON.stringify(written) }]);
  } catch {
    // The log is only for observers, and the row is already written.
  }
}
