import type { Approval } from '../../contract/approval.ts';
import { waitForChange } from '../../db/wait-for-change.ts';
import type { AppContext } from '../app-context.ts';

/** `approvals.watch`: see there. */
export async function* watchApprovals(
  context: AppContext,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<readonly Approval[], void, void> {
  const { approvals, changes } = await context.stores();
  const ending = signal ? AbortSignal.any([signal, changes.closed]) : changes.closed;
  const waiter = waitForChange(changes, ending);
  let last: string | undefined;
  try {
    while (!ending.aborted) {
      const open = approvals.pending();
      const ids = open.map(({ id }) => id).join();
      if (ids !== last) yield open;
      last = ids;
      await waiter.next();
    }
  } finally {
    waiter.stop();
  }
}
