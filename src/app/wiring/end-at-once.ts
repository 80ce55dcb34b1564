import { endRun } from '../../coordinator/end-run.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import { ownIdentity } from '../../coordinator/process-identity.ts';
import { killAllCapsules } from '../../runtime/launch.ts';
import { endAllTools } from '../../tools/end-processes.ts';

/** Ends every process that was started and, as cancelled, every run of this process: for a second Ctrl-C. */
export function endAtOnce(stores: Stores): void {
  killAllCapsules();
  endAllTools();
  const own = ownIdentity();
  for (const { id } of stores.runs.unended().filter(({ owner }) => owner === own)) {
    endRun(stores, id, { status: 'cancelled', reason: 'cancelled', answer: null, error: null });
  }
}
