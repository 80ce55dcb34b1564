import type { AppContext } from '../app-context.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn } = checksOf('storage');

/** Whether what capsules are found by is complete. */
export async function checkSearchIndex({ places }: AppContext): Promise<Check[]> {
  const { planSearchIndex } = await import('./repair/search-index.ts');
  const name = 'search index';
  if (planSearchIndex(places) === undefined) return [ok(name, 'complete')];
  return [{ ...warn(name, 'parts of it are missing', undefined), next: 'repair' }];
}
