import { messageRun } from '../../coordinator/stop/message-run.ts';
import { findRunToChange } from '../../coordinator/store/find-run.ts';
import type { RunMessage } from '../../coordinator/store/message-store.ts';
import type { AppContext } from '../app-context.ts';
import { assertActor } from '../assert-actor.ts';
import { currentWorkspace } from '../current-workspace.ts';

/** `runs.message`: see there. */
export async function messageNamedRun(
  context: AppContext,
  id: string,
  message: { readonly text: string; readonly by: string },
): Promise<RunMessage> {
  assertActor(message.by);
  const stores = await context.stores();
  const run = await findRunToChange(stores.runs, id, currentWorkspace(context));
  return messageRun(stores, run.id, message);
}
