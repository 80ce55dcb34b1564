import { vendorFacts } from '../../contract/vendors.ts';

/** The models, prices and context windows of `@pydantic/genai-prices` 0.1.8, published on this day. */
export const LIST_DATE = '2026-09-23';

export type Catalogue = typeof import('@pydantic/genai-prices');
export type CatalogueVendor = NonNullable<ReturnType<Catalogue['findProvider']>>;

/** Loaded lazily because it is large. */
export const openCatalogue = (): Promise<Catalogue> => import('@pydantic/genai-prices');

/** The vendor at an origin, or of a provider if no origin is given. */
export function vendorOf(
  catalogue: Catalogue,
  { provider, origin }: Pick<Priced, 'provider' | 'origin'>,
): CatalogueVendor | undefined {
  const facts = vendorFacts(provider);
  const providerId = facts && (facts.catalogue ?? provider);
  if (origin !== undefined) return catalogue.findProvider({ providerApiUrl: origin });
  return providerId === undefined ? undefined : catalogue.findProvider({ providerId });
}

/** The model to price, with fields of `Provider`. */
export interface Priced {
  /** `Provider.name` */
  readonly provider: string;
  readonly model: string;
  /** `Provider.origin`: a compatible server has the prices of its vendor, a loopback one is free. */
  readonly origin?: string | undefined;
}

/** Whole micro-dollars per million tokens, for prompts of the usual size. */
export interface Price {
  readonly inputPerMillionMicroUsd: number;
  readonly cachedInputPerMillionMicroUsd: number;
  /** For input that is written to the vendor's cache. */
  readonly cacheWritePerMillionMicroUsd: number;
  readonly outputPerMillionMicroUsd: number;
}

/** A price from the micro-dollars of a million tokens of each kind. */
export const priceOf = (microUsd: (kind: TokenKind) => number): Price => ({
  inputPerMillionMicroUsd: microUsd('input'),
  cachedInputPerMillionMicroUsd: microUsd('cached_input'),
  cacheWritePerMillionMicroUsd: microUsd('cache_write'),
  outputPerMillionMicroUsd: microUsd('output'),
});

export type TokenKind = 'input' | 'cached_input' | 'cache_write' | 'output';
