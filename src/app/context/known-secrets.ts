import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { LoadedSettings } from '../../config/settings.ts';
import { readTextFile } from '../../config/yaml/text-file.ts';
import type { GrowingRedactor } from '../../policy/secrets/redact.ts';
import type { Environment } from './open-options.ts';

/**
 * Adds the keys of model vendors and the credentials of services, from the environment and the user's files, and the headers
 * that are sent to a collector of traces. If the
 * settings or services can't be read: the value of every variable, of the environment and the user's `.env`, whose name
 * ends in KEY, TOKEN, SECRET or PASSWORD.
 */
export async function addSecrets(
  redactor: GrowingRedactor,
  loading: Promise<LoadedSettings>,
  { environment, configDir }: { readonly environment: Environment; readonly configDir: string },
): Promise<void> {
  if (Object.keys(environment).some((name) => /^OTEL_.*_HEADERS$/.test(name))) {
    const { otelSecrets } = await import('../../telemetry/otel-variables.ts');
    redactor.add(otelSecrets(environment));
  }
  try {
    const loaded = await loading;
    redactor.add(Object.values(loaded.settings.keys).filter((key) => key !== undefined));
    const credentials = await serviceCredentials(loaded, environment);
    redactor.add(credentials.filter((secret) => secret !== undefined));
  } catch {
    const own = readTextFile(join(configDir, '.env'));
    const variables = own && 'text' in own ? parseEnv(own.text) : {};
    redactor.add([...namedLikeSecrets(environment), ...namedLikeSecrets(variables)]);
  }
}

async function serviceCredentials(
  { settings: { places, privateOrigins } }: LoadedSettings,
  environment: Environment,
): Promise<(string | undefined)[]> {
  const { configDir } = places;
  if (!existsSync(join(configDir, 'services.yaml'))) return [];
  const { loadServices } = await import('../../config/files/configured-apis.ts');
  const { services } = await loadServices({ configDir, privateOrigins, environment });
  return services.map(({ credential }) => credential?.secret);
}

const namedLikeSecrets = (environment: Environment): string[] =>
  Object.entries(environment).flatMap(([name, value = '']) =>
    /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) ? [value] : [],
  );
