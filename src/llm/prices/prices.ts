import { printable } from '../../contract/text/printable.ts';
import { vendorFacts } from '../../contract/vendors.ts';
import { isLoopback } from '../../platform/loopback.ts';
import { tryOr } from '../../platform/try-or.ts';
import type { CountedUsage } from '../provider.ts';
import {
  type Catalogue,
  type CatalogueVendor,
  LIST_DATE,
  openCatalogue,
  type Price,
  type Priced,
  priceOf,
  type TokenKind,
  vendorOf,
} from './catalogue.ts';
import { loadOwnPrices, type OwnPrices, ownPricesFile } from './own-prices.ts';

/** The price of one model's calls, fixed when the quote is made, so that estimate and bill use the same price. */
export interface Quote {
  /**
   * `free`: nothing is billed. `own`: the user's `prices.yaml`. `list`: the vendor's list price. `highest`: the
   * price is unknown, so the highest price of its provider is assumed.
   */
  readonly basis: 'free' | 'own' | 'list' | 'highest';
  /** The source of the price. */
  readonly source: string;
  /** The date of the price: `2026-09-23`. */
  readonly date: string;
  readonly price: Price;
  /** How to set an unknown price: a sentence with the file and the entry. */
  readonly advice?: string;
  /** Whole micro-dollars, rounded up. */
  costMicroUsd(usage: CountedUsage): number;
}

export type PriceList = ReturnType<typeof createPriceList>;

/**
 * The price list: list prices are those of the catalogue, with each vendor's own page as the source. Precedence: the user's own prices, free, the vendor's list, the highest prices of the vendor's list.
 *
 * @param ownFile The file that the advice about an unknown price names.
 */
export function createPriceList(own?: OwnPrices, ownFile = 'prices.yaml') {
  return {
    /** Always returns a quote: an unknown price is never free. */
    async quote(priced: Priced): Promise<Quote> {
      const mine = own?.find(priced);
      if (mine) return quoteOf('own', mine, (usage) => linearUsd(mine.price, usage));
      if (isFree(priced)) return FREE;
      return (
        (await listQuote(priced)) ?? {
          ...(await highestQuote(priced)),
          advice: adviceOn(priced, ownFile),
        }
      );
    },
  };
}

/**
 * The price list with the user's own prices.
 *
 * @throws AppError `SETTINGS_INVALID` if `prices.yaml` is invalid.
 */
export const openPriceList = async (configDir: string): Promise<PriceList> =>
  createPriceList(await loadOwnPrices(configDir), ownPricesFile(configDir));

function adviceOn({ provider, model }: Priced, file: string): string {
  const date = new Date().toISOString().slice(0, 10);
  const entry = `${provider}: {${JSON.stringify(model)}: {input_usd: 0, output_usd: 0, date: ${date}}}`;
  return `If it costs less, or nothing, write its price in dollars per million tokens into ${printable(file, 500)}: ${printable(entry, 300)}`;
}

const isFree = ({ provider, origin }: Priced): boolean =>
  provider === 'offline' ||
  vendorFacts(provider)?.isFree === true ||
  (origin !== undefined && isLoopback(origin));

const FREE: Quote = {
  basis: 'free',
  source: 'this machine, or your own server',
  date: LIST_DATE,
  price: priceOf(() => 0),
  costMicroUsd: () => 0,
};

/** Dollars for a usage; undefined if unknown. */
type Rate = (usage: CountedUsage) => number | undefined;

function quoteOf(
  basis: Quote['basis'],
  { source, date }: Pick<Quote, 'source' | 'date'>,
  rate: Rate,
): Quote {
  const price = priceOfRate(rate);
  const costMicroUsd = (usage: CountedUsage) => toMicroUsd(rate(usage) ?? linearUsd(price, usage));
  return { basis, source, date, price, costMicroUsd };
}

const linearUsd = (price: Price, { cache_write_tokens = 0, ...usage }: CountedUsage): number =>
  ((usage.input_tokens - usage.cached_input_tokens - cache_write_tokens) *
    price.inputPerMillionMicroUsd +
    cache_write_tokens * price.cacheWritePerMillionMicroUsd +
    usage.cached_input_tokens * price.cachedInputPerMillionMicroUsd +
    usage.output_tokens * price.outputPerMillionMicroUsd) /
  1e12;

/** A thousand tokens of each kind. Cached tokens and those written to the cache are input, too. */
const samples: Readonly<Record<TokenKind, Partial<CountedUsage>>> = {
  input: { input_tokens: 1_000 },
  cached_input: { input_tokens: 1_000, cached_input_tokens: 1_000 },
  cache_write: { input_tokens: 1_000, cache_write_tokens: 1_000 },
  output: { output_tokens: 1_000 },
};

const priceOfRate = (rate: Rate): Price =>
  priceOf((kind) => Math.round((rate({ ...NOTHING, ...samples[kind] }) ?? 0) * 1e9));

const NOTHING: CountedUsage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };

/** Some prices depend on the time of day. */
const MAX_QUOTE_AGE_MS = 60_000;
const listQuotes = new Map<string, { readonly quote: Quote | undefined; readonly atMs: number }>();

/** The list price as of the last minute: looking it up takes longer than most decisions. */
async function listQuote(priced: Priced): Promise<Quote | undefined> {
  const { provider, model, origin } = priced;
  const key = JSON.stringify([provider, model, origin]);
  const known = listQuotes.get(key);
  if (known && Date.now() - known.atMs < MAX_QUOTE_AGE_MS) return known.quote;
  const quote = await lookUpQuote(priced);
  listQuotes.set(key, { quote, atMs: Date.now() });
  return quote;
}

async function lookUpQuote({ provider, model, origin }: Priced): Promise<Quote | undefined> {
  const catalogue = await openCatalogue();
  const vendor = vendorOf(catalogue, { provider, origin });
  if (vendor === undefined) return undefined;
  const rate = rateOf(catalogue, vendor, model);
  return rate({ ...NOTHING, input_tokens: 1_000, output_tokens: 1_000 }) === undefined
    ? undefined
    : quoteOf('list', aboutVendor(vendor), rate);
}

const highestPrices = new Map<string, Price>();

/** For an unknown compatible server, the provider that it is configured as counts as the vendor. */
async function highestQuote({ provider, origin }: Priced): Promise<Quote> {
  const catalogue = await openCatalogue();
  const vendor =
    vendorOf(catalogue, { provider, origin }) ??
    vendorOf(catalogue, { provider }) ??
    vendorOf(catalogue, { provider: 'openai' });
  if (vendor === undefined) throw new Error('The list of prices has no vendors.');
  const price = highestPrices.get(vendor.id) ?? highestOf(catalogue, vendor);
  highestPrices.set(vendor.id, price);
  const { source, date } = aboutVendor(vendor);
  const about = { source: `the highest prices of ${source}`, date };
  return quoteOf('highest', about, (usage) => linearUsd(price, usage));
}

const MILLION = 1_000_000;

/** The highest input price and the highest output price of all its models, for short and long prompts. */
function highestOf(catalogue: Catalogue, vendor: CatalogueVendor): Price {
  const rates = vendor.models.map(({ id }) => rateOf(catalogue, vendor, id));
  const highest = (usage: Partial<CountedUsage>, times: number) =>
    Math.ceil(Math.max(0, ...rates.map((rate) => (rate({ ...NOTHING, ...usage }) ?? 0) * times)));
  const most = (field: 'input_tokens' | 'output_tokens') =>
    Math.max(highest({ [field]: 1_000 }, 1e9), highest({ [field]: MILLION }, 1e6));
  const [input, output] = [most('input_tokens'), most('output_tokens')];
  const factors = { input: 1, cached_input: 1, cache_write: CACHE_WRITE_FACTOR };
  return priceOf((kind) => (kind === 'output' ? output : Math.ceil(input * factors[kind])));
}

/** The usual price of cache writes, as a multiple of the input price. */
const CACHE_WRITE_FACTOR = 1.25;

const aboutVendor = (vendor: CatalogueVendor) => ({
  source: vendor.pricing_urls?.[0] ?? vendor.name,
  date: LIST_DATE,
});

/** Some prices depend on the time of day: a rate uses the time when it was made. */
function rateOf({ calcPrice }: Catalogue, provider: CatalogueVendor, model: string): Rate {
  const timestamp = new Date();
  let searched = provider;
  return ({ input_tokens, cached_input_tokens, cache_write_tokens = 0, output_tokens }) => {
    const cache_read_tokens = cached_input_tokens;
    const usage = { input_tokens, cache_read_tokens, cache_write_tokens, output_tokens };
    return tryOr(() => {
      const found = calcPrice(usage, model, { provider: searched, timestamp });
      if (found === null || !Number.isFinite(found.total_price)) return undefined;
      // The catalogue compares the name with each model's patterns: the next search has one to compare.
      searched = { ...provider, models: [found.model] };
      return found.total_price;
    }, undefined);
  };
}

const toMicroUsd = (usd: number): number => Math.ceil(Number((usd * 1_000_000).toFixed(3)));
