import type { LoadedSettings } from '../../config/settings.ts';
import type { ModelHint } from '../../contract/chat.ts';
import type { SettingsOverrides } from '../open-options.ts';

export const hints: readonly ModelHint[] = ['fast', 'balanced', 'best'];

/** The settings of a command about models. */
export interface ModelOptions {
  /** Overrides of settings, such as `provider` and `model`. */
  readonly settings?: SettingsOverrides | undefined;
}

const settingOfHint = {
  fast: 'CAPSTAN_MODEL_FAST',
  balanced: 'CAPSTAN_MODEL_BALANCED',
  best: 'CAPSTAN_MODEL_BEST',
} as const;

/** Where the model of a hint was set: a variable, an option or a file with its line; `default` if it is not set. */
export function sourceOfModel(
  { origins, settings }: LoadedSettings,
  hint: ModelHint,
  model: string,
): string {
  const setHint = [hint, 'balanced', 'best', 'fast'].find(
    (one) => settings.models[one as ModelHint] === model,
  ) as ModelHint | undefined;
  return (setHint && origins.get(settingOfHint[setHint])?.source) ?? 'default';
}
