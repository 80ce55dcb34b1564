import { findRunToChange } from '../../coordinator/find-run.ts';
import { messageRun } from '../../coordinator/message-run.ts';
import type { RunMessage } from '../../coordinator/message-store.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
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
