import type { ModelHint } from '../contract/chat.ts';
import { AppError } from '../contract/errors.ts';
import {
  type ProviderName,
  type VendorFacts,
  type VendorName,
  vendors,
} from '../contract/vendors.ts';
import type { Reasoning } from './answer/reasoning.ts';
import { isLoopback } from './http/loopback.ts';
import type { Provider } from './provider.ts';
import { listWaitMs, readModelList } from './served-models.ts';
import { openVendor, type VendorOptions, vendorOf } from './vendor.ts';

export type ProviderKeys = Readonly<Partial<Record<VendorName, string | undefined>>>;

/** The part of the settings that providers read. */
export interface ProviderSettings {
  readonly keys: ProviderKeys;
  /** For the chosen provider; takes precedence over `baseUrls`. */
  readonly baseUrl?: string | undefined;
  readonly baseUrls?: ProviderKeys | undefined;
  readonly openaiOrganization?: string | undefined;
  readonly models: Readonly<Partial<Record<ModelHint, string | undefined>>>;
  readonly network?: {
    readonly httpProxy?: string | undefined;
    readonly httpsProxy?: string | undefined;
    readonly noProxy?: readonly string[] | undefined;
  };
  /** Time limit of one call. Default 120 s. */
  readonly modelTimeoutMs?: number | undefined;
  /** The reasoning effort. Default: the vendor's. */
  readonly modelReasoning?: Reasoning | undefined;
}

/** One line per API, loaded lazily. */
const apis: Readonly<Record<VendorFacts['api'], (options: VendorOptions) => Promise<Provider>>> = {
  openai: async (options) => {
    const { createOpenaiProvider } = await import('./providers/openai.ts');
    return createOpenaiProvider({ ...options, models: await openaiModelsFor(options) });
  },
  anthropic: async (options) =>
    (await import('./providers/anthropic.ts')).createAnthropicProvider(options),
  gemini: async (options) => (await import('./providers/gemini.ts')).createGeminiProvider(options),
  ollama: async (options) => {
    const { createOllamaProvider } = await import('./providers/ollama.ts');
    return createOllamaProvider({ ...options, models: await ollamaModelsFor(options) });
  },
};

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
  const { api, keySetting: keyName }: VendorFacts = vendors[name];
  if (options.apiKey === undefined && options.baseUrl === undefined && keyName !== undefined) {
    throw invalid(
      `Provider "${name}" needs ${keyName}, which is not set. Set it, or choose another provider with CAPSTAN_PROVIDER.`,
    );
  }
  return apis[api](options);
}

function optionsOf(name: VendorName, settings: ProviderSettings): VendorOptions {
  const { network, openaiOrganization } = settings;
  const baseUrl = settings.baseUrl || settings.baseUrls?.[name] || undefined;
  if (baseUrl !== undefined) assertBaseUrl(baseUrl);
  const organization = name === 'openai' && baseUrl === undefined ? openaiOrganization : undefined;
  return {
    vendor: name,
    apiKey: settings.keys[name] || undefined,
    baseUrl,
    models: settings.models,
    headers: organization ? { 'openai-organization': organization } : undefined,
    proxies: {
      http: network?.httpProxy,
      https: network?.httpsProxy,
      no: network?.noProxy?.join(','),
    },
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

/** If a server has more models than this, a person must choose. */
const maxModelsToGuessFrom = 5;

type Models = VendorOptions['models'];

/** The vendor's own models are known; those of another server are requested unless the settings name one. */
async function openaiModelsFor(options: VendorOptions): Promise<Models> {
  const { facts } = vendorOf(options, 'openai');
  const baseUrl = options.baseUrl ?? facts.address;
  const isOwn = new URL(baseUrl).origin === new URL(facts.address).origin;
  if (isOwn && facts.models !== undefined) return options.models;
  return fillHints(options.models, () => servedModel(options, baseUrl));
}

async function servedModel(options: VendorOptions, baseUrl: string): Promise<string> {
  const vendor = openVendor(
    {
      provider: vendorOf(options, 'openai').name,
      baseUrl,
      headers: options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {},
      assembler: () => ({ push: () => '', isComplete: () => false, document: () => ({}) }),
    },
    { ...options, timeoutMs: listWaitMs },
  );
  try {
    const models = readModelList(await vendor.get('/models', new AbortController().signal));
    const [first] = models;
    if (first !== undefined && models.length <= maxModelsToGuessFrom) return first.id;
    throw invalid(
      `${vendor.origin} serves ${models.length} models: choose one with CAPSTAN_MODEL_BALANCED.`,
    );
  } finally {
    vendor.close();
  }
}

/** One model for all hints, so that a local server need not swap models. */
async function ollamaModelsFor(options: VendorOptions): Promise<Models> {
  return fillHints(options.models, async () => {
    const { installedModels } = await import('./providers/ollama.ts');
    const limited = { ...options, timeoutMs: listWaitMs };
    const [newest] = await installedModels(limited, new AbortController().signal);
    if (newest !== undefined) return newest;
    const { facts } = vendorOf(options, 'ollama');
    const url = options.baseUrl ?? facts.address;
    const { title } = facts;
    const where = isLoopback(url) ? `${title} has no model` : `The ${title} at ${url} has no model`;
    throw invalid(`${where}: get one with \`ollama pull qwen3\`, or choose another provider.`);
  });
}

/** Configured models are kept. A hint without one gets the nearest configured model, else the server's. */
async function fillHints(models: Models, offered: () => Promise<string>): Promise<Models> {
  const { fast, balanced, best } = models ?? {};
  const any = balanced || best || fast || (await offered());
  return { fast: fast || any, balanced: balanced || any, best: best || any };
}
