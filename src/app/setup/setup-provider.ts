import type { Settings } from '../../config/settings.ts';
import type { ModelHint } from '../../contract/chat.ts';
import type { ProviderName } from '../../contract/provider-name.ts';

/** What a person can choose: a vendor, another server that speaks OpenAI's API, or no model yet. */
export const setupChoices = ['anthropic', 'openai', 'gemini', 'ollama', 'server', 'none'] as const;
export type SetupChoice = (typeof setupChoices)[number];

/** One model for each kind of call. */
export type ModelsByHint = Readonly<Record<ModelHint, string>>;

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
  if (choice === 'none' || choice === 'ollama') return undefined;
  return keyNames[choice === 'server' ? 'openai' : choice];
};

const keyNames = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
} as const;

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
