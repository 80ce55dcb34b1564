import type { LoadedSettings, Places } from '../../config/settings.ts';
import type { AppContext } from '../app-context.ts';
import type { SettingsOverrides } from '../open-options.ts';
import { type Check, checksOf } from './check.ts';
import { checkBreakers } from './check-breakers.ts';
import { checkFiles } from './check-files.ts';
import { checkIsolation, checkSearchPath } from './check-isolation.ts';
import { checkEmbedder, checkProviders } from './check-providers.ts';
import { planSearchIndex } from './repair/search-index.ts';

/** What a run opens, opened by the same functions. */
export async function checkParts(
  context: AppContext,
  loaded: LoadedSettings,
  overrides: SettingsOverrides,
): Promise<Check[]> {
  const { settings } = loaded;
  return [
    ...(await checkFiles(context, loaded, overrides)),
    await checkEmbedder(settings),
    ...(await checkProviders(settings)),
    ...(await checkBreakers(context)),
    checkSearchIndex(context.places),
    await checkIsolation(settings),
    ...(await checkSearchPath(settings, context.environment)),
  ];
}

const storage = checksOf('storage');

/** Whether what capsules are found by is complete. */
function checkSearchIndex(places: Places): Check {
  const name = 'search index';
  return planSearchIndex(places) === undefined
    ? storage.ok(name, 'complete')
    : storage.warn(name, 'parts of it are missing', undefined, 'repair');
}
