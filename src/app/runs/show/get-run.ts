import { readFile } from 'node:fs/promises';
import type { Settings } from '../../../config/settings.ts';
import { AppError } from '../../../contract/errors.ts';
import { unreadMessages } from '../../../coordinator/messages/unread-messages.ts';
import type { RunMessage } from '../../../coordinator/store/message-store.ts';
import { eventFile } from '../../../events/event-log.ts';
import type { AppContext } from '../../context/open-context.ts';
import { findRun } from '../find-run.ts';
import { type RunAccount, runAccount } from './run-account.ts';
import { type RunDocument, runDocument } from './run-document.ts';
import { type RunSummary, runSummary } from './run-summary.ts';

/** All details of one run. */
export interface RunDetails {
  readonly run: RunSummary;
  readonly document: RunDocument;
  readonly account: RunAccount;
  /** Messages that the run has not read, oldest first. */
  readonly unread: readonly RunMessage[];
  /** The model that all its calls use; null if it has no model, or several. */
  readonly model: string | null;
}

export async function getRun(context: AppContext, id: string): Promise<RunDetails> {
  const stores = await context.stores();
  const run = await findRun(context, id);
  return {
    run: runSummary(stores, run),
    document: runDocument(stores, run),
    account: runAccount(stores, run),
    unread: unreadMessages(stores, run.id),
    model: onlyModel(run.options as Partial<Settings>),
  };
}

function onlyModel({ models }: Partial<Settings>): string | null {
  const [model, ...others] = new Set([models?.fast, models?.balanced, models?.best]);
  return others.length > 0 ? null : (model ?? null);
}

/** The events of one run as they were logged: one JSON document per line. The last line may be truncated. */
export async function readRunLog(context: AppContext, id: string): Promise<string> {
  const run = await findRun(context, id);
  const path = eventFile(context.places.stateDir, run.id);
  return readFile(path, 'utf8').catch((cause: unknown) => {
    const problem = `The log of run ${run.id} can't be read: ${path}`;
    throw new AppError('USAGE', { problem }, { cause });
  });
}
