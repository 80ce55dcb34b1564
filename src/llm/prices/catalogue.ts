import { vendorFacts } from '../../contract/vendors.ts';
import type { Priced } from './price.ts';

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
