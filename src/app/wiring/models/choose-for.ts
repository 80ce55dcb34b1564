import type { Settings } from '../../../config/settings.ts';
import { chooseProvider, type ProviderChoice } from '../../../llm/choose-provider.ts';

/** The provider of a run with these settings. */
export const chooseFor = ({
  provider,
  keys,
  baseUrl,
  baseUrls,
}: Pick<Settings, 'provider' | 'keys' | 'baseUrl' | 'baseUrls'>): Promise<ProviderChoice> =>
  chooseProvider({ setting: provider, keys, baseUrl, baseUrls });
