import {
  providerNames,
  type VendorFacts,
  type VendorName,
  vendorNames,
  vendors,
} from '../../contract/vendors.ts';
import { choice, fraction, key, ollamaUrl, path, url, vendorModels, word } from '../kinds.ts';
import { any, further, listed, optional, type Setting, setting } from '../setting.ts';

const model = word("the vendor's name of a model, up to 200 characters without spaces");

const modelFor = <const H extends 'fast' | 'balanced' | 'best'>(hint: H, steps: string) =>
  optional({
    field: `models.${hint}`,
    summary: `The model for ${steps} steps. Default: the provider's.`,
    kind: model,
    yaml: `model.${hint}`,
    option: 'model',
    project: any,
  });

const scoreOf = <const N extends 'take' | 'create'>(name: N, what: string) =>
  optional({
    field: `route.${name}`,
    summary: `The score ${what}. Default: the embedder's.`,
    kind: fraction({ min: 0, max: 2 }),
    yaml: `route.${name}`,
    project: any,
  });

export const modelSettings = {
  CAPSTAN_PROVIDER: optional({
    field: 'provider',
    summary:
      'The provider of model calls. Default: the first vendor whose key is set, else `openai` if its address is set to one on this machine, else an Ollama on this machine, else `offline`.',
    kind: choice(...providerNames),
    yaml: 'provider',
    option: 'provider',
  }),
  CAPSTAN_BASE_URL: optional({
    field: 'baseUrl',
    summary:
      "The provider's address, if it is not the vendor's own. Without a key, an address on this machine selects `openai`.",
    kind: url,
    yaml: 'base_url',
  }),
  CAPSTAN_MODEL_FAST: modelFor('fast', 'small'),
  CAPSTAN_MODEL_BALANCED: modelFor('balanced', 'most'),
  CAPSTAN_MODEL_BEST: modelFor('best', 'hard'),
  CAPSTAN_MODEL_FALLBACK: listed({
    field: 'modelFallback',
    summary:
      'Models that answer while the provider is out of service, in this order. Default: none. Another vendor needs its own consent to spend.',
    kind: vendorModels,
    yaml: 'model.fallback',
  }),
  CAPSTAN_MODEL_REASONING: optional({
    field: 'modelReasoning',
    summary:
      "The reasoning effort of models; models that reject it are called without it. Default: the vendor's.",
    kind: choice('none', 'low', 'medium', 'high'),
    yaml: 'model.reasoning',
    project: any,
  }),
  CAPSTAN_EMBEDDER: setting({
    field: 'embedder',
    summary: 'The embedding model: the built-in table, or all-MiniLM-L6-v2, which is downloaded.',
    kind: choice('static', 'minilm'),
    fallback: 'static',
    yaml: 'embedder',
    project: any,
  }),
  CAPSTAN_MODEL_DIR: optional({
    field: 'modelDir',
    summary: 'A folder that holds all-MiniLM-L6-v2, so that nothing is downloaded.',
    kind: path,
    yaml: 'model_dir',
  }),
  CAPSTAN_ROUTE_TAKE: scoreOf('take', 'from which a capsule is chosen without further checks'),
  CAPSTAN_ROUTE_CREATE: scoreOf('create', 'below which a new capsule is proposed'),
  CAPSTAN_ROUTE_JUDGE: setting({
    field: 'route.judge',
    summary:
      'Who chooses if several capsules are close to a task: the model (without one, the best score is tried first), or you, if you can be asked.',
    kind: choice('auto', 'person'),
    fallback: 'auto',
    yaml: 'route.judge',
    project: further('auto', 'person'),
  }),
};

type KeySettings = {
  readonly [V in VendorName as KeyOf<V>]: Setting<string | undefined, `keys.${V}`>;
};
type KeyOf<V extends VendorName> = (typeof vendors)[V] extends {
  readonly keySetting: infer K extends string;
}
  ? K
  : never;
type AddressSettings = {
  readonly [V in VendorName as (typeof vendors)[V]['addressSetting']]: Setting<
    string | undefined,
    `baseUrls.${V}`
  >;
};

const keyOf = (name: VendorName, { title, keyAliases = [] }: VendorFacts) =>
  optional({
    field: `keys.${name}`,
    summary: `Your key for ${title}.`,
    kind: key,
    yaml: `${name}.api_key`,
    aliases: keyAliases,
    isSecret: true,
  });

const addressOf = (name: VendorName, { title, api, address, addressAliases = [] }: VendorFacts) =>
  optional({
    field: `baseUrls.${name}`,
    summary: `The address of ${title}, or of a compatible server. Default: ${address}.`,
    kind: api === 'ollama' ? ollamaUrl : url,
    yaml: `${name}.base_url`,
    aliases: addressAliases,
  });

const perVendor = Object.fromEntries(
  vendorNames.flatMap((name) => {
    const facts: VendorFacts = vendors[name];
    const { keySetting, addressSetting } = facts;
    return [
      ...(keySetting === undefined ? [] : [[keySetting, keyOf(name, facts)] as const]),
      [addressSetting, addressOf(name, facts)] as const,
    ];
  }),
) as unknown as KeySettings & AddressSettings;

export const vendorSettings = {
  ...perVendor,
  OPENAI_ORG_ID: optional({
    field: 'openaiOrganization',
    summary: 'Your organisation at OpenAI.',
    kind: word('an id without spaces'),
    yaml: 'openai.org_id',
  }),
};
