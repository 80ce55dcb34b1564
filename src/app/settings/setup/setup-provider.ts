import type { SettingName } from '../../../config/setting-table.ts';
import type { Settings } from '../../../config/settings.ts';
import {
  type ProviderName,
  type VendorName,
  vendorFacts,
  vendorNames,
} from '../../../contract/vendors.ts';
import type { ModelHint } from '../../../contract/wire/chat.ts';

/** The choices of a person: a vendor, another server that speaks OpenAI's API, or no model yet. */
export type SetupChoice = VendorName | 'server' | 'none';

/** In the order to show them. */
export const setupChoices: readonly SetupChoice[] = [
  ...new Set<SetupChoice>(['anthropic', ...vendorNames, 'server', 'none']),
];

/** One model for each kind of call. */
export type ModelsByHint = Readonly<Record<ModelHint, string>>;

/** The same model for every kind of call. */
export const sameFor = (model: string): ModelsByHint => ({
  fast: model,
  balanced: model,
  best: model,
});

/** How to reach the models of a choice. */
export interface SetupAccess {
  readonly provider: Exclude<SetupChoice, 'none'>;
  /** Default: the key in force, if the provider takes one. */
  readonly key?: string | undefined;
  /** Needed for `server`. Default: the provider's own address. */
  readonly baseUrl?: string | undefined;
}

/** The value of the setting `provider` for a choice. */
export const providerOf = (choice: SetupChoice): ProviderName => {
  if (choice === 'none') return 'offline';
  return choice === 'server' ? 'openai' : choice;
};

/** The variable that holds the key of a choice; undefined if it takes none. */
export const keyNameOf = (choice: SetupChoice) => {
  const name = vendorFacts(providerOf(choice))?.keySetting;
  return name as SettingName | undefined;
};

/** The settings of a call with this access, with the models of `models`. */
export function settingsWith(
  settings: Settings,
  { provider: choice, key, baseUrl }: SetupAccess,
  models: ModelsByHint,
): Settings {
  const provider = providerOf(choice);
  const keys = key === undefined ? settings.keys : { ...settings.keys, [provider]: key };
  return { ...settings, provider, keys, models, baseUrl };
}
