import { findRun } from '../../coordinator/find-run.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import { type RunAccount, runAccount } from './run-account.ts';
import { type RunDocument, runDocument } from './run-document.ts';
import { type RunSummary, runSummary } from './run-summary.ts';

/** Everything that is known of one run. */
export interface RunDetails {
  readonly run: RunSummary;
  readonly document: RunDocument;
  readonly account: RunAccount;
}

export function getRun(stores: Stores, id: string): RunDetails {
  const run = findRun(stores.runs, id);
  return {
    run: runSummary(stores, run),
    document: runDocument(stores, run),
    account: runAccount(stores, run),
  };
}
