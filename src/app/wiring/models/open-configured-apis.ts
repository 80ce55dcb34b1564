import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedServices } from '../../../config/files/configured-apis.ts';
import type { Settings } from '../../../config/settings.ts';

/** The services that the user configured. Their reader is loaded only if there are any. */
export async function openConfiguredApis(
  { places: { configDir }, privateOrigins }: Pick<Settings, 'places' | 'privateOrigins'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LoadedServices> {
  if (!existsSync(join(configDir, 'services.yaml'))) return { services: [], notices: [] };
  const { loadServices } = await import('../../../config/files/configured-apis.ts');
  return loadServices({ configDir, privateOrigins, environment });
}
