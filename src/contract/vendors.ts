import { either } from './text/either.ts';
import type { ModelHint } from './wire/chat.ts';

/** The facts about a model vendor. A vendor with one of the existing APIs needs only this entry. */
export type VendorFacts = CommonFacts & (ListedModels | KnownModels);

/** With an API whose servers list their models. */
interface ListedModels {
  readonly api: 'openai' | 'ollama';
  /** Default models. Default: one that the server lists. */
  readonly models?: Models;
}

/** With another API, whose models must be known. */
interface KnownModels {
  readonly api: string;
  /** Default models. */
  readonly models: Models;
}

type Models = Readonly<Record<ModelHint, string>>;

interface CommonFacts {
  /** For people: `Anthropic`. */
  readonly title: string;
  readonly address: string;
  /** The setting of its address, with alternative names. */
  readonly addressSetting: string;
  readonly addressAliases?: readonly string[];
  /** The setting of its key, with alternative names. Default: it needs no key. */
  readonly keySetting?: string;
  readonly keyAliases?: readonly string[];
  /** Its name in the price catalogue. Default: its name here. */
  readonly catalogue?: string;
  /** The smallest context window of its current models, in tokens, for models that are not in the catalogue. */
  readonly contextTokens?: number;
  /** Its name in OpenTelemetry. Default: its name here. */
  readonly traceName?: string;
  /** Whether its models run on the user's own machines and are free. Default: false. */
  readonly isFree?: boolean;
}

/** Every vendor, by its name in settings. If several keys are set, the first vendor is used. Models and windows: 2026-11-22. */
export const vendors = {
  openai: {
    title: 'OpenAI',
    api: 'openai',
    address: 'https://api.openai.com/v1',
    addressSetting: 'OPENAI_BASE_URL',
    keySetting: 'OPENAI_API_KEY',
    models: { fast: 'gpt-5.6-luna', balanced: 'gpt-5.6-terra', best: 'gpt-5.6-sol' },
    contextTokens: 128_000,
  },
  anthropic: {
    title: 'Anthropic',
    api: 'anthropic',
    address: 'https://api.anthropic.com',
    addressSetting: 'ANTHROPIC_BASE_URL',
    keySetting: 'ANTHROPIC_API_KEY',
    models: { fast: 'claude-haiku-4-5', balanced: 'claude-sonnet-5', best: 'claude-opus-5-5' },
    contextTokens: 200_000,
  },
  gemini: {
    title: 'Gemini',
    api: 'gemini',
    address: 'https://generativelanguage.googleapis.com',
    addressSetting: 'GEMINI_BASE_URL',
    keySetting: 'GEMINI_API_KEY',
    keyAliases: ['GOOGLE_API_KEY'],
    models: {
      fast: 'gemini-3.5-flash-lite',
      balanced: 'gemini-3.6-flash',
      best: 'gemini-3.1-pro-preview',
    },
    catalogue: 'google',
    contextTokens: 1_000_000,
    traceName: 'gcp.gemini',
  },
  ollama: {
    title: 'Ollama',
    api: 'ollama',
    address: 'http://127.0.0.1:11434',
    addressSetting: 'OLLAMA_BASE_URL',
    addressAliases: ['OLLAMA_HOST'],
    isFree: true,
  },
} as const satisfies Readonly<Record<string, VendorFacts>>;

export type VendorName = keyof typeof vendors;
/** The APIs of the vendors. Each has a `createProvider` in `src/llm/providers/<api>.ts`. */
export type VendorApiName = (typeof vendors)[VendorName]['api'];
export const vendorNames = Object.keys(vendors) as readonly VendorName[];

/** `offline` answers without a model. */
export const providerNames = ['offline', ...vendorNames] as const;
export type ProviderName = (typeof providerNames)[number];

/** Undefined for `offline`, and for unknown names. */
export const vendorFacts = (name: string): VendorFacts | undefined =>
  Object.hasOwn(vendors, name) ? vendors[name as VendorName] : undefined;

/** The vendors that need a key, with the settings of their keys. */
export const keySettings: readonly (readonly [VendorName, string])[] = vendorNames.flatMap(
  (name) => {
    const key = vendorFacts(name)?.keySetting;
    return key === undefined ? [] : [[name, key] as const];
  },
);

/** `offline, openai, … or ollama`. */
export const PROVIDERS = either(providerNames);

/** How to configure a model, for the end of a message. */
export const GET_A_MODEL = `Set ${either(keySettings.map(([, key]) => key))}, or start Ollama`;
