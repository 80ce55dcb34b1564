import { readFile } from 'node:fs/promises';
import type { Settings } from '../../../config/settings.ts';
import { AppError } from '../../../contract/errors.ts';
import { unreadMessages } from '../../../coordinator/messages/unread-messages.ts';
import { eventFile } from '../../../events/event-log.ts';
import type { AppContext } from '../../context/open-context.ts';
import { findRun } from '../find-run.ts';
import { runAccount } from './run-account.ts';
import { runDocument } from './run-document.ts';
import { runSummary } from './run-summary.ts';

/** All details of one run. */
export type RunDetails = Awaited<ReturnType<typeof getRun>>;

export async function getRun(context: AppContext, id: string) {
  const stores = await context.stores();
  const run = await findRun(context, id);
  return {
    run: runSummary(stores, run),
    document: runDocument(stores, run),
    account: runAccount(stores, run),
    /** Messages that the run has not read, oldest first. */
    unread: unreadMessages(stores, run.id),
    /** The model that all its calls use; null if it has no model, or several. */
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
