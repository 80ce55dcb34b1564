import type { Settings } from '../config/settings.ts';
import { AppError } from '../contract/errors.ts';
import {
  type ProviderName,
  type VendorApiName,
  type VendorFacts,
  type VendorName,
  vendors,
} from '../contract/vendors.ts';
import type { ModelHint } from '../contract/wire/chat.ts';
import { isLoopback } from '../platform/loopback.ts';
import { proxiesOf } from './http/proxies.ts';
import type { Provider } from './provider.ts';
import { listWaitMs } from './served-models.ts';
import type { VendorOptions } from './vendor.ts';

export type ProviderKeys = Readonly<Partial<Record<VendorName, string | undefined>>>;

type Given = Partial<Pick<Settings, 'openaiOrganization' | 'modelTimeoutMs' | 'modelReasoning'>>;

/** The part of the settings that providers read. */
export interface ProviderSettings extends Given {
  readonly keys: ProviderKeys;
  /** For the chosen provider; takes precedence over `baseUrls`. */
  readonly baseUrl?: string | undefined;
  readonly baseUrls?: ProviderKeys | undefined;
  readonly models: Readonly<Partial<Record<ModelHint, string | undefined>>>;
  readonly network?: Partial<Settings['network']>;
}

type Create = (options: VendorOptions) => Provider;

/** `src/llm/providers/<api>.ts`, loaded lazily. */
const load = (api: VendorApiName): Promise<{ readonly createProvider: Create }> =>
  import(`./providers/${api}.ts`);

/**
 * Opens a provider for a run. Servers with their own models (Ollama, OpenAI-compatible ones) are asked for them, if
 * the settings name none.
 *
 * @throws AppError `SETTINGS_INVALID` for a missing key, a bad base URL or a missing model; ProviderError if such a server does not answer.
 */
export async function openProvider(
  name: ProviderName,
  settings: ProviderSettings,
): Promise<Provider> {
  if (name === 'offline') return (await import('./providers/offline.ts')).createOfflineProvider();
  const options = optionsOf(name, settings);
  const { keySetting: keyName }: VendorFacts = vendors[name];
  if (options.apiKey === undefined && options.baseUrl === undefined && keyName !== undefined) {
    throw invalid(
      `Provider "${name}" needs ${keyName}, which is not set. Set it, or choose another provider with CAPSTAN_PROVIDER.`,
    );
  }
  const { createProvider } = await load(vendors[name].api);
  return createProvider({ ...options, models: await modelsFor(createProvider, name, options) });
}

function optionsOf(name: VendorName, settings: ProviderSettings): VendorOptions {
  const { network = {}, openaiOrganization } = settings;
  const baseUrl = settings.baseUrl || settings.baseUrls?.[name] || undefined;
  if (baseUrl !== undefined) assertBaseUrl(baseUrl);
  const organization = name === 'openai' && baseUrl === undefined ? openaiOrganization : undefined;
  return {
    vendor: name,
    apiKey: settings.keys[name] || undefined,
    baseUrl,
    models: settings.models,
    headers: organization ? { 'openai-organization': organization } : undefined,
    proxies: proxiesOf(network),
    timeoutMs: settings.modelTimeoutMs,
    reasoning: settings.modelReasoning,
  };
}

const invalid = (issues: string) => new AppError('SETTINGS_INVALID', { issues });

function assertBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && !url.hash;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain) {
    throw invalid(
      'The base URL of a provider must be an http or https URL without user, query and fragment, such as http://127.0.0.1:8000/v1.',
    );
  }
}

type Models = VendorOptions['models'];

/**
 * A vendor's own models are known; another server is asked for one unless the settings name one. Configured models are kept;
 * a hint without one gets the nearest configured model, else the server's: one for all hints, so that a local server need
 * not swap models.
 */
async function modelsFor(
  create: Create,
  name: VendorName,
  options: VendorOptions,
): Promise<Models> {
  const facts: VendorFacts = vendors[name];
  const isListed = facts.api === 'openai' || facts.api === 'ollama';
  const { baseUrl = facts.address } = options;
  const isOwn = new URL(baseUrl).origin === new URL(facts.address).origin;
  if (!isListed || (isOwn && facts.models)) return options.models;
  const { fast, balanced, best } = options.models ?? {};
  const any =
    balanced || best || fast || (await servedModel(create, facts, { ...options, baseUrl }));
  return { fast: fast || any, balanced: balanced || any, best: best || any };
}

/** If a server has more models than this, a person must choose. */
const MAX_MODELS_TO_GUESS_FROM = 5;

/** The newest model of an Ollama, or one of the few models of another server. */
async function servedModel(
  create: Create,
  { api, title }: VendorFacts,
  options: VendorOptions & { readonly baseUrl: string },
): Promise<string> {
  const { baseUrl } = options;
  const provider = create({ ...options, timeoutMs: listWaitMs });
  try {
    const models = await provider.listModels(new AbortController().signal);
    const [first] = models;
    if (first && (api === 'ollama' || models.length <= MAX_MODELS_TO_GUESS_FROM)) return first.id;
    if (api === 'openai')
      throw invalid(
        `${provider.origin} serves ${models.length} models: choose one with CAPSTAN_MODEL_BALANCED.`,
      );
    const where = isLoopback(baseUrl)
      ? `${title} has no model`
      : `The ${title} at ${baseUrl} has no model`;
    throw invalid(`${where}: get one with \`ollama pull qwen3\`, or choose another provider.`);
  } finally {
    provider.close();
  }
}
