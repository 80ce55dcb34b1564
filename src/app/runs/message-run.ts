import { findRunToChange } from '../../coordinator/find-run.ts';
import { messageRun } from '../../coordinator/message-run.ts';
import type { RunMessage } from '../../coordinator/message-store.ts';
import type { Stores } from '../../coordinator/open-stores.ts';

/** `runs.message`: see there. */
export const messageNamedRun = (
  stores: Stores,
  id: string,
  message: { readonly text: string; readonly by: string },
): RunMessage => messageRun(stores, findRunToChange(stores.runs, id).id, message);
