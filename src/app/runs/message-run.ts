import { messageRun } from '../../coordinator/stop/message-run.ts';
import { findRunToChange } from '../../coordinator/store/find-run.ts';
import type { RunMessage } from '../../coordinator/store/message-store.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import { assertActor } from '../assert-actor.ts';

/** `runs.message`: see there. */
export function messageNamedRun(
  stores: Stores,
  id: string,
  message: { readonly text: string; readonly by: string },
): RunMessage {
  assertActor(message.by);
  return messageRun(stores, findRunToChange(stores.runs, id).id, message);
}
