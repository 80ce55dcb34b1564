import { type VendorFacts, vendors } from '../../contract/vendors.ts';
import { isLoopback } from '../../platform/loopback.ts';
import { tryOr } from '../../platform/try-or.ts';
import {
  type Catalogue,
  type CatalogueVendor,
  openCatalogue,
  type Priced,
  vendorOf,
} from './catalogue.ts';

/** Context windows of models that the catalogue lists without one. From the vendors' pages, 2026-11-22. */
const windows: ReadonlyMap<string, number> = new Map([['gemini-3.1-pro-preview', 1_048_576]]);

/** Context windows of unknown models, by the vendor's name in the catalogue. */
const smallest: ReadonlyMap<string, number | undefined> = new Map(
  Object.entries<VendorFacts>(vendors).map(([name, facts]) => [
    facts.catalogue ?? name,
    facts.contextTokens,
  ]),
);

/**
 * The context window of a model in tokens, from the price catalogue, else a dated default of its
 * vendor. Undefined for other servers.
 */
export async function contextWindowOf(model: Priced): Promise<number | undefined> {
  if (model.origin === undefined || isLoopback(model.origin)) return undefined;
  const catalogue = await openCatalogue();
  const vendor = vendorOf(catalogue, model);
  if (vendor === undefined) return undefined;
  return (
    listedWindow(catalogue, vendor, model.model) ??
    windows.get(model.model) ??
    smallest.get(vendor.id)
  );
}

const listedWindow = ({ calcPrice }: Catalogue, provider: CatalogueVendor, model: string) =>
  tryOr(() => calcPrice({ input_tokens: 1 }, model, { provider })?.model.context_window, undefined);
