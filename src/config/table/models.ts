import { providerNames } from '../../contract/provider-name.ts';
import { choice, fraction, key, ollamaUrl, path, url, vendorModels, word } from '../kinds.ts';
import { any, further, never, optional, setting } from '../setting.ts';

const modelOption = 'model';
const model = word("the vendor's name of a model, up to 200 characters without spaces");

export const modelSettings = {
  CAPSTAN_PROVIDER: optional({
    summary:
      'The provider of model calls. Default: the first vendor whose key is set, else an Ollama on this machine, else `offline`.',
    kind: choice(...providerNames),
    yaml: 'provider',
    option: 'provider',
    project: never,
  }),
  CAPSTAN_BASE_URL: optional({
    summary: "The provider's address, if it is not the vendor's own.",
    kind: url,
    yaml: 'base_url',
    project: never,
  }),
  CAPSTAN_MODEL_FAST: optional({
    summary: "The model for small steps. Default: the provider's.",
    kind: model,
    yaml: 'model.fast',
    option: modelOption,
    project: any,
  }),
  CAPSTAN_MODEL_BALANCED: optional({
    summary: "The model for most steps. Default: the provider's.",
    kind: model,
    yaml: 'model.balanced',
    option: modelOption,
    project: any,
  }),
  CAPSTAN_MODEL_BEST: optional({
    summary: "The model for hard steps. Default: the provider's.",
    kind: model,
    yaml: 'model.best',
    option: modelOption,
    project: any,
  }),
  CAPSTAN_MODEL_FALLBACK: optional({
    summary:
      'Models that answer while the provider is out of service, in this order. Default: none. Another vendor needs its own consent to spend.',
    kind: vendorModels,
    yaml: 'model.fallback',
    project: never,
  }),
  CAPSTAN_MODEL_REASONING: optional({
    summary:
      "How much models think before they answer; models that can't are asked without it. Default: the vendor's.",
    kind: choice('none', 'low', 'medium', 'high'),
    yaml: 'model.reasoning',
    project: any,
  }),
  CAPSTAN_EMBEDDER: setting({
    summary: 'The embedding model: the built-in table, or all-MiniLM-L6-v2, which is downloaded.',
    kind: choice('static', 'minilm'),
    fallback: 'static',
    yaml: 'embedder',
    project: any,
  }),
  CAPSTAN_MODEL_DIR: optional({
    summary: 'A folder that holds all-MiniLM-L6-v2, so that nothing is downloaded.',
    kind: path,
    yaml: 'model_dir',
    project: never,
  }),
  CAPSTAN_ROUTE_TAKE: optional({
    summary:
      "The score from which a capsule is chosen without further checks. Default: the embedder's.",
    kind: fraction({ min: 0, max: 2 }),
    yaml: 'route.take',
    project: any,
  }),
  CAPSTAN_ROUTE_CREATE: optional({
    summary: "The score below which a new capsule is proposed. Default: the embedder's.",
    kind: fraction({ min: 0, max: 2 }),
    yaml: 'route.create',
    project: any,
  }),
  CAPSTAN_ROUTE_JUDGE: setting({
    summary:
      'Who chooses if several capsules are close to a task: the model (without one, the best score is tried first), or you, if you can be asked.',
    kind: choice('auto', 'person'),
    fallback: 'auto',
    yaml: 'route.judge',
    project: further('auto', 'person'),
  }),
};

const vendorKey = (vendor: string, yaml: string, aliases: readonly string[] = []) =>
  optional({
    summary: `Your key for ${vendor}.`,
    kind: key,
    yaml,
    aliases,
    project: never,
    isSecret: true,
  });

const vendorUrl = (vendor: string, yaml: string) =>
  optional({
    summary: `The address of ${vendor}, or of a compatible server.`,
    kind: url,
    yaml,
    project: never,
  });

export const vendorSettings = {
  OPENAI_API_KEY: vendorKey('OpenAI', 'openai.api_key'),
  OPENAI_BASE_URL: vendorUrl('OpenAI', 'openai.base_url'),
  OPENAI_ORG_ID: optional({
    summary: 'Your organisation at OpenAI.',
    kind: word('an id without spaces'),
    yaml: 'openai.org_id',
    project: never,
  }),
  ANTHROPIC_API_KEY: vendorKey('Anthropic', 'anthropic.api_key'),
  ANTHROPIC_BASE_URL: vendorUrl('Anthropic', 'anthropic.base_url'),
  GEMINI_API_KEY: vendorKey('Gemini', 'gemini.api_key', ['GOOGLE_API_KEY']),
  GEMINI_BASE_URL: vendorUrl('Gemini', 'gemini.base_url'),
  OLLAMA_BASE_URL: optional({
    summary: 'Where Ollama listens. Default: http://127.0.0.1:11434.',
    kind: ollamaUrl,
    yaml: 'ollama.base_url',
    aliases: ['OLLAMA_HOST'],
    project: never,
  }),
};
