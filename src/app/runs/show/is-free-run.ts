import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';

/** Whether no model of a run costs anything. Before its provider is opened, only runs without a model are free. */
export function isFreeRun({ eventRows }: Stores, { id, provider }: RunRecord): boolean {
  const limit = eventRows.limitUsd(id);
  return limit === undefined ? provider === 'offline' : limit === null;
}
