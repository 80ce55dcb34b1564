import { isStorageFailure } from '../../db/health/storage-failure.ts';
import { recoverRuns } from '../life/recover-runs.ts';
import { createStores, type StoreOptions, type Stores } from './create-stores.ts';

/**
 * Opens the database in Capstan's state folder, for reading if it can't be written now. Runs whose process is dead are
 * parked first.
 *
 * @throws AppError `DATABASE_FAILED`, `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`.
 */
export function openStores(stateDir: string, options: StoreOptions): Stores {
  const stores = createStores(stateDir, options);
  try {
    if (!stores.unwritable) recoverRuns(stores);
  } catch (error) {
    // Reading continues, and the next write reports the failure.
    if (!isStorageFailure(error)) throw error;
  }
  return stores;
}
