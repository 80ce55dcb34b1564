import type { AppContext } from '../../app-context.ts';
import { findRun } from '../../find-run.ts';
import { type RunAccount, runAccount } from './run-account.ts';
import { type RunDocument, runDocument } from './run-document.ts';
import { type RunSummary, runSummary } from './run-summary.ts';

/** Everything that is known of one run. */
export interface RunDetails {
  readonly run: RunSummary;
  readonly document: RunDocument;
  readonly account: RunAccount;
}

export async function getRun(context: AppContext, id: string): Promise<RunDetails> {
  const stores = await context.stores();
  const run = await findRun(context, id);
  return {
    run: runSummary(stores, run),
    document: runDocument(stores, run),
    account: runAccount(stores, run),
  };
}
