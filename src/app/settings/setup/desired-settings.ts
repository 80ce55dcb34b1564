import { key as keyKind, url, word } from '../../../config/kinds.ts';
import type { SettingName } from '../../../config/setting-table.ts';
import { usage } from '../../../contract/usage.ts';
import {
  keyNameOf,
  type ModelsByHint,
  providerOf,
  type SetupChoice,
  setupChoices,
} from './setup-provider.ts';

/** The choices of a person. */
export interface SetupSelection {
  readonly provider: SetupChoice;
  /** Default: the key stays as it is. */
  readonly key?: string | undefined;
  /** For `server`, and for an Ollama elsewhere. Default: the provider's own address. */
  readonly baseUrl?: string | undefined;
  /** Default: the provider's own. */
  readonly models?: ModelsByHint | undefined;
}

/** The wanted settings of the user's files; null: absent. */
export type DesiredSettings = ReturnType<typeof desiredSettings>;

/** @param defaults The vendor's models in force without a setting; undefined for a server that brings its own. */
export function desiredSettings(
  { provider, key, baseUrl, models }: SetupSelection,
  defaults: ModelsByHint | undefined,
) {
  const keyName = keyNameOf(provider);
  const { fast, balanced, best } = modelSettings(models, defaults);
  return {
    /** In `config.yaml`. */
    yaml: new Map<SettingName, string | null>([
      ['CAPSTAN_PROVIDER', providerOf(provider)],
      ['CAPSTAN_BASE_URL', baseUrl ?? null],
      ['CAPSTAN_MODEL_FAST', fast],
      ['CAPSTAN_MODEL_BALANCED', balanced],
      ['CAPSTAN_MODEL_BEST', best],
    ]),
    /** In `.env`; undefined if the key stays. */
    key: key === undefined || keyName === undefined ? undefined : { name: keyName, value: key },
  };
}

/** Models that are in force anyway are not written. Without defaults, one model for all is one setting. */
function modelSettings(models: ModelsByHint | undefined, defaults: ModelsByHint | undefined) {
  const nothing = { fast: null, balanced: null, best: null };
  if (models === undefined) return nothing;
  const { fast, balanced, best } = models;
  if (defaults)
    return defaults.fast === fast && defaults.balanced === balanced && defaults.best === best
      ? nothing
      : models;
  return fast === balanced && best === balanced ? { ...nothing, balanced } : models;
}

/** @throws AppError `USAGE`, naming the field. */
export function assertSelection({ provider, key, baseUrl, models }: SetupSelection): void {
  if (!setupChoices.includes(provider))
    throw usage(
      `There is no provider "${provider}". Choose one of ${setupChoices.join(', ')}.`,
      'provider',
    );
  if (key !== undefined && keyNameOf(provider) === undefined)
    throw usage(`${provider} takes no key. Leave it out.`, 'key');
  if (key !== undefined && keyKind.read(key) === undefined)
    throw usage(`A key must be ${keyKind.expects}. Copy it again.`, 'key');
  if (provider === 'server' && baseUrl === undefined)
    throw usage(
      'The address of the server is missing, such as http://127.0.0.1:8000/v1.',
      'baseUrl',
    );
  if (baseUrl !== undefined && url.read(baseUrl) === undefined) {
    const fix = 'such as http://127.0.0.1:8000/v1';
    throw usage(`"${baseUrl}" must be ${url.expects}, ${fix}.`, 'baseUrl');
  }
  const wrong = Object.values(models ?? {}).find((model) => modelKind.read(model) === undefined);
  if (wrong !== undefined) throw usage(`"${wrong}" must be ${modelKind.expects}.`, 'models');
}

const modelKind = word("the provider's name of a model, up to 200 characters without spaces");
