import { maskSecret } from '../../../config/mask.ts';
import type { Settings } from '../../../config/settings.ts';
import type { IsolationLevel } from '../../../contract/permissions/isolation.ts';
import { type VendorName, vendors } from '../../../contract/vendors.ts';
import { chooseProvider, ollamaAnswers } from '../../../llm/choose-provider.ts';
import type { ProviderKeys } from '../../../llm/providers.ts';
import type { AppContext } from '../../context/open-context.ts';
import { openIsolation } from '../../wiring/isolation.ts';
import { keyNameOf, providerOf, type SetupChoice, setupChoices } from './setup-provider.ts';

/** One choice of a model's provider. */
export interface SetupProvider {
  readonly id: SetupChoice;
  /** For people: `Anthropic`. */
  readonly title: string;
  /** `required`: it answers only with a key. */
  readonly key: 'required' | 'optional' | 'none';
  /** The variable that holds its key; null if it takes none. */
  readonly keyName: string | null;
  /** The key in force, masked; null if none is set. */
  readonly keySet: string | null;
  /** Whether its address has to be given. */
  readonly needsBaseUrl: boolean;
  /** Whether it answers on this machine; null if it was not asked. */
  readonly isFound: boolean | null;
}

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
export interface SandboxInForce {
  readonly level: IsolationLevel;
  readonly reason: string;
}

/** Implements `setup.sandbox`. */
export async function sandboxInForce(context: AppContext): Promise<SandboxInForce> {
  const { settings } = await context.settings({});
  const { level, reason } = await openIsolation(settings, false);
  return { level, reason };
}

/** All choices, in the order to show them. Probes a local Ollama for at most 50 ms. */
export async function listProviders(context: AppContext): Promise<readonly SetupProvider[]> {
  const { settings } = await context.settings({});
  const isOllamaFound = await ollamaAnswers(settings.baseUrls.ollama ?? vendors.ollama.address);
  return setupChoices.map((id) => ({
    id,
    title: titleOf(id),
    ...keyFacts(id, settings.keys),
    needsBaseUrl: id === 'server',
    isFound: id === 'ollama' ? isOllamaFound : null,
  }));
}

function keyFacts(id: SetupChoice, keys: Settings['keys']) {
  const keyName = keyNameOf(id);
  if (keyName === undefined) return { key: 'none', keyName: null, keySet: null } as const;
  const value = (keys as ProviderKeys)[providerOf(id) as VendorName];
  return {
    key: id === 'server' ? 'optional' : 'required',
    keyName,
    keySet: value === undefined ? null : maskSecret(value),
  } as const;
}
