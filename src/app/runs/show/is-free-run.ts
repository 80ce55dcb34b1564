import { vendorFacts } from '../../../contract/vendors.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';

/** Whether no model of a run costs anything. If its provider was not opened, the provider's name decides. */
export function isFreeRun({ eventRows }: Stores, { id, provider }: RunRecord): boolean {
  const limit = eventRows.limitUsd(id);
  if (limit !== undefined) return limit === null;
  return provider === 'offline' || vendorFacts(provider)?.isFree === true;
}
