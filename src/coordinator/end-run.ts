import { hadEffect, reservationSpent, unreserved } from '../broker/intent/record.ts';
import { transition } from '../broker/intent/transitions.ts';
import type { IntentRecord } from '../contract/intent.ts';
import { ownIdentity } from './process-identity.ts';
import type { RunParts } from './run-context.ts';
import type { RunEnd } from './run-store.ts';

/**
 * Ends a run's row, and with it all its open questions and intents. Nothing is written if another process has taken the
 * run over.
 */
export function endRun(
  {
    runs,
    journal,
    approvals,
    audit,
    now,
  }: Pick<RunParts, 'runs' | 'journal' | 'approvals' | 'audit' | 'now'>,
  id: string,
  end: Omit<RunEnd, 'endedAt'>,
): void {
  const endedAt = now().toISOString();
  journal.commit(() => {
    if (!runs.end(id, ownIdentity(), { ...end, endedAt })) return;
    for (const intent of journal.openIntentsOf(id)) {
      if (intent.status !== 'unknown') journal.saveSoon(closed(intent, endedAt));
    }
    approvals.close(id);
    const { status, reason } = end;
    const detail = { status, reason };
    audit.append({ actor: 'coordinator', action: 'run.ended', runId: id, ref: id, detail });
  });
}

/** A started intent has cost what was reserved for it, and may have had its effect. Any other is void, and cost nothing. */
function closed(intent: IntentRecord, endedAt: string): IntentRecord {
  if (intent.status !== 'started') {
    return transition(unreserved(intent), 'denied', { denial: 'cancelled', endedAt });
  }
  const paid = reservationSpent(intent);
  return hadEffect(intent) ? transition(paid, 'unknown') : transition(paid, 'failed', { endedAt });
}
