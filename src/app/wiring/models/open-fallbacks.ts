import type { Settings } from '../../../config/settings.ts';
import { AppError, messageOf } from '../../../contract/errors.ts';
import type { ProviderName } from '../../../contract/vendors.ts';
import type { Provider } from '../../../llm/provider.ts';
import { openProvider } from '../../../llm/providers.ts';
import { sameFor } from '../../settings/setup/setup-provider.ts';

/**
 * Opens the fallback models of a run with `provider`, each as a provider that knows this one model. None without a model.
 *
 * @throws AppError `SETTINGS_INVALID`, naming the fallback whose key or address is missing.
 */
export function openFallbacks(
  settings: Settings,
  provider: ProviderName,
): Promise<readonly Provider[]> {
  if (provider === 'offline') return Promise.resolve([]);
  return Promise.all(
    settings.modelFallback.map(async ({ provider: name, model }) => {
      const baseUrl = name === provider ? settings.baseUrl : undefined;
      try {
        return await openProvider(name, { ...settings, models: sameFor(model), baseUrl });
      } catch (error) {
        const issues = `CAPSTAN_MODEL_FALLBACK names ${name}:${model}. ${messageOf(error)}`;
        throw new AppError('SETTINGS_INVALID', { issues }, { cause: error });
      }
    }),
  );
}
