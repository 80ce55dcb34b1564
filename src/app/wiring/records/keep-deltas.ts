import type { Stores } from '../../../coordinator/store/open-stores.ts';
import { isStorageFailure } from '../../../db/storage-failure.ts';
import type { EventBus } from '../../../events/bus.ts';

/**
 * Keeps the texts of answers in the database until they are complete, without a synced commit, so that followers in
 * other processes get them. What can't be written is lost: the answer itself is in the journal.
 */
export function keepDeltas(
  events: EventBus,
  { journal, changes, deltas }: Pick<Stores, 'journal' | 'changes' | 'deltas'>,
): void {
  events.listenToDeltas((delta) => {
    try {
      journal.note(() => deltas.add(delta));
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
    }
    changes.notify();
  });
  events.listen((event) => {
    if (event.type === 'model.answered') {
      journal.noteSoon(() => deltas.removeCall(event.intent_id));
    }
  });
}
