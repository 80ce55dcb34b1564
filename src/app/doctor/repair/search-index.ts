import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '../../../config/settings.ts';
import { openForReading } from '../../../db/open-database.ts';
import {
  clearSearchIndex,
  isSearchIndexWhole,
} from '../../../registry/search/index/clear-search-index.ts';
import type { AppContext } from '../../app-context.ts';
import { withRegistry } from '../../routing/with-registry.ts';
import type { RepairOptions, RepairPlan } from './repair.ts';

/** Undefined if the index is whole, or the database can't be read, which another check reports. */
export function planSearchIndex({ stateDir }: Places): RepairPlan | undefined {
  const path = join(stateDir, 'capstan.db');
  if (!existsSync(path)) return undefined;
  try {
    const db = openForReading(path);
    try {
      if (isSearchIndexWhole(db)) return undefined;
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
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
