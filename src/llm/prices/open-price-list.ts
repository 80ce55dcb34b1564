import { loadOwnPrices, ownPricesFile } from './own-prices.ts';
import { createPriceList, type PriceList } from './prices.ts';

/**
 * The price list with the user's own prices.
 *
 * @throws AppError `SETTINGS_INVALID` if `prices.yaml` is invalid.
 */
export const openPriceList = async (configDir: string): Promise<PriceList> =>
  createPriceList(await loadOwnPrices(configDir), ownPricesFile(configDir));
