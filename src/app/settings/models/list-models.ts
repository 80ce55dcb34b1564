import type { LoadedSettings, Settings } from '../../../config/settings.ts';
import { AppError, messageOf } from '../../../contract/errors.ts';
import { type ProviderName, vendorNames } from '../../../contract/vendors.ts';
import { ModelHint } from '../../../contract/wire/chat.ts';
import { chooseProvider } from '../../../llm/choose-provider.ts';
import { contextWindowOf } from '../../../llm/prices/context-window.ts';
import { openPriceList, type PriceList } from '../../../llm/prices/prices.ts';
import { type Provider, ProviderError } from '../../../llm/provider.ts';
import { openProvider, type ProviderKeys } from '../../../llm/providers.ts';
import type { AppContext, SettingsOverrides } from '../../context/open-context.ts';
import { openFallbacks } from '../../wiring/models/open-fallbacks.ts';
import { sameFor } from '../setup/setup-provider.ts';

export interface ModelSummary {
  readonly provider: string;
  readonly model: string;
  /** Null for a fallback, and for a model that no hint is mapped to. */
  readonly hint: ModelHint | null;
  /** Its source: an option, a variable or a file with its line; `default`, or `the vendor's list`. */
  readonly source: string;
  readonly price: ModelPrice;
  /** Input and output together; null if unknown. */
  readonly contextTokens: number | null;
}

/** US dollars for a million tokens. */
export interface ModelPrice {
  /** `unknown`: the most expensive known price of the provider applies. */
  readonly basis: 'free' | 'own' | 'list' | 'unknown';
  readonly inputUsd: number;
  readonly cachedInputUsd: number;
  readonly outputUsd: number;
  readonly source: string;
  /** `2026-09-23` */
  readonly date: string;
}

export interface ModelList {
  /** `offline` has no models. */
  readonly provider: string;
  readonly models: readonly ModelSummary[];
  /** Why the list of a vendor is missing, one sentence each. */
  readonly problems: readonly string[];
}

export interface ListModelsOptions extends ModelOptions {
  /** Also every model that the vendors list whose keys are set. Default: those that runs ask. */
  readonly all?: boolean | undefined;
}

/** Implements `models.list`. */
export async function listModels(
  context: AppContext,
  { settings: overrides = {}, all = false }: ListModelsOptions = {},
): Promise<ModelList> {
  const loaded = await context.settings(overrides);
  const { settings } = loaded;
  const { name } = await chooseProvider(settings);
  const prices = await openPriceList(settings.places.configDir);
  const provider = await open(name, settings);
  const fallbacks = await openFallbacks(settings, name);
  try {
    const models = provider.isModel ? await ofHints(provider, loaded, prices) : [];
    for (const one of fallbacks) models.push(await summaryOf(one, prices, fallback(loaded)));
    if (!all) return { provider: name, models, problems: [] };
    const listed = await listedModels(provider, settings, prices);
    return { provider: name, models: [...models, ...listed.models], problems: listed.problems };
  } finally {
    for (const one of [provider, ...fallbacks]) one.close();
  }
}

async function open(name: ProviderName, settings: Settings): Promise<Provider> {
  try {
    return await openProvider(name, settings);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const problem = `${error.provider}: ${error.message}`;
    throw new AppError('PROVIDER_FAILED', { problem }, { cause: error });
  }
}

type Place = Pick<ModelSummary, 'hint' | 'source'>;

const fallback = ({ origins }: LoadedSettings): Place => ({
  hint: null,
  source: origins.get('CAPSTAN_MODEL_FALLBACK')?.source ?? 'default',
});

const ofHints = (provider: Provider, loaded: LoadedSettings, prices: PriceList) =>
  Promise.all(
    ModelHint.options.map((hint) => {
      const source = sourceOfModel(loaded, hint, provider.modelFor(hint));
      return summaryOf(provider, prices, { hint, source });
    }),
  );

async function summaryOf(provider: Provider, prices: PriceList, { hint, source }: Place) {
  const model = provider.modelFor(hint ?? 'balanced');
  const contextTokens = (await provider.contextTokens(hint ?? 'balanced')) ?? null;
  const price = await priceOf(provider, model, prices);
  return { provider: provider.name, model, hint, source, price, contextTokens };
}

async function priceOf(
  { name, origin }: Provider,
  model: string,
  prices: PriceList,
): Promise<ModelPrice> {
  const { basis, price, source, date } = await prices.quote({ provider: name, model, origin });
  return {
    basis: basis === 'highest' ? 'unknown' : basis,
    inputUsd: price.inputPerMillionMicroUsd / 1e6,
    cachedInputUsd: price.cachedInputPerMillionMicroUsd / 1e6,
    outputUsd: price.outputPerMillionMicroUsd / 1e6,
    source,
    date,
  };
}

/** How long a vendor may take to list its models. */
const LIST_TIMEOUT_MS = 10_000;

/** The models of the chosen provider, and of every other vendor whose key is set. */
async function listedModels(chosen: Provider, settings: Settings, prices: PriceList) {
  const vendors = vendorNames.filter(
    (name) => name !== chosen.name && (settings.keys as ProviderKeys)[name] !== undefined,
  );
  const problems: string[] = [];
  const models: ModelSummary[] = [];
  for (const name of [chosen.name as ProviderName, ...vendors]) {
    const isChosen = name === chosen.name;
    const other = { ...settings, baseUrl: undefined, models: sameFor('any') };
    try {
      const provider = isChosen ? chosen : await openProvider(name, other);
      models.push(...(await listedBy(provider, prices)));
      if (!isChosen) provider.close();
    } catch (error) {
      problems.push(`${name}: ${messageOf(error)}`);
    }
  }
  return { models, problems };
}

async function listedBy(provider: Provider, prices: PriceList): Promise<readonly ModelSummary[]> {
  const { name, origin } = provider;
  const listed = await provider.listModels(AbortSignal.timeout(LIST_TIMEOUT_MS));
  return Promise.all(
    listed.map(async ({ id: model, contextTokens }) => ({
      provider: name,
      model,
      hint: null,
      source: "the vendor's list",
      price: await priceOf(provider, model, prices),
      contextTokens:
        contextTokens ?? (await contextWindowOf({ provider: name, model, origin })) ?? null,
    })),
  );
}

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

/** The source of a hint's model: a variable, an option or a file with its line; `default` if it is not set. */
function sourceOfModel(
  { origins, settings }: LoadedSettings,
  hint: ModelHint,
  model: string,
): string {
  const inOrder: readonly ModelHint[] = [hint, 'balanced', 'best', 'fast'];
  const setHint = inOrder.find((one) => settings.models[one] === model);
  return (setHint && origins.get(settingOfHint[setHint])?.source) ?? 'default';
}
