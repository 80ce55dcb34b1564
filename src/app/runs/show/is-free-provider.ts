import { vendorFacts } from '../../../contract/vendors.ts';
import { isLoopback } from '../../../platform/loopback.ts';

/** Whether calls of a provider cost nothing: a free vendor, or a server of this machine. @param origin Its address. */
export const isFreeProvider = (provider: string, origin: string | null): boolean =>
  vendorFacts(provider)?.isFree === true || (origin !== null && isLoopback(origin));
