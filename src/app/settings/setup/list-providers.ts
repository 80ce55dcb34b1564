import { maskSecret } from '../../../config/mask.ts';
import type { Settings } from '../../../config/settings.ts';
import { type VendorName, vendors } from '../../../contract/vendors.ts';
import { chooseProvider, ollamaAnswers } from '../../../llm/choose-provider.ts';
import type { ProviderKeys } from '../../../llm/providers.ts';
import type { AppContext } from '../../context/open-context.ts';
import { openIsolation } from '../../wiring/isolation.ts';
import { keyNameOf, providerOf, type SetupChoice, setupChoices } from './setup-provider.ts';

/** One choice of a model's provider. */
export type SetupProvider = Awaited<ReturnType<typeof listProviders>>[number];

const titles = {
  server: 'another OpenAI-compatible server',
  none: 'none yet: explicit instructions only',
};
const titleOf = (id: SetupChoice): string =>
  id === 'server' || id === 'none' ? titles[id] : vendors[id].title;

/** Implements `setup.isNeeded`. */
export async function isSetupNeeded(context: AppContext): Promise<boolean> {
  const { settings } = await context.settings();
  return settings.provider === undefined && (await chooseProvider(settings)).name === 'offline';
}

/** `reason`: why its level is not higher. */
export type SandboxInForce = Awaited<ReturnType<typeof sandboxInForce>>;

/** Implements `setup.sandbox`. */
export async function sandboxInForce(context: AppContext) {
  const { settings } = await context.settings({});
  const { level, reason } = await openIsolation(settings, false);
  return { level, reason };
}

/** All choices, in the order to show them. Probes a local Ollama for at most 50 ms. */
export async function listProviders(context: AppContext) {
  const { settings } = await context.settings({});
  const isOllamaFound = await ollamaAnswers(settings.baseUrls.ollama ?? vendors.ollama.address);
  return setupChoices.map((id) => ({
    id,
    /** For people: `Anthropic`. */
    title: titleOf(id),
    ...keyFacts(id, settings.keys),
    /** Whether its address has to be given. */
    needsBaseUrl: id === 'server',
    /** Whether it answers on this machine; null if it was not asked. */
    isFound: id === 'ollama' ? isOllamaFound : null,
  }));
}

interface KeyFacts {
  /** `required`: it answers only with a key. */
  readonly key: 'required' | 'optional' | 'none';
  /** The variable that holds its key; null if it takes none. */
  readonly keyName: string | null;
  /** The key in force, masked; null if none is set. */
  readonly keySet: string | null;
}

function keyFacts(id: SetupChoice, keys: Settings['keys']): KeyFacts {
  const keyName = keyNameOf(id);
  if (keyName === undefined) return { key: 'none', keyName: null, keySet: null };
  const value = (keys as ProviderKeys)[providerOf(id) as VendorName];
  return {
    key: id === 'server' ? 'optional' : 'required',
    keyName,
    keySet: value === undefined ? null : maskSecret(value),
  };
}
