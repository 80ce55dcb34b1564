import { join } from 'node:path';
import type { Places } from '../../../config/settings.ts';
import {
  clearSearchIndex,
  isSearchIndexWhole,
} from '../../../registry/search/index/clear-search-index.ts';
import type { AppContext } from '../../app-context.ts';
import { withRegistry } from '../../routing/with-registry.ts';
import { readDatabase } from '../read-database.ts';
import type { RepairOptions, RepairPlan } from './repair.ts';

/** Undefined if the index is whole, or the database can't be read, which another check reports. */
export function planSearchIndex(places: Places): RepairPlan | undefined {
  if (readDatabase(places, isSearchIndexWhole) !== false) return undefined;
  const path = join(places.stateDir, 'capstan.db');
  return { id: 'search_index', steps: [`${path}: embed every capsule again`] };
}

export async function repairSearchIndex(
  context: AppContext,
  { onProgress }: RepairOptions,
): Promise<void> {
  const { db } = await context.stores();
  clearSearchIndex(db);
  await withRegistry(context, { overrides: {}, onProgress }, () => undefined);
}
