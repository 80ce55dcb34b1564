import { leftAnEffect } from '../broker/tool-calls/left-an-effect.ts';
import type { IntentRecord } from '../contract/intent.ts';
import { ownIdentity } from './process-identity.ts';
import type { RunParts } from './run-context.ts';
import type { RunEnd } from './run-store.ts';

/**
 * Ends a run's row, and with it every question and intent of it that is still open. Nothing is written where another
 * process has the run by now.
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

/** What had started has cost what was reserved for it, and may have had its effect; what had not is free and void. */
function closed(intent: IntentRecord, endedAt: string): IntentRecord {
  const over = { ...intent, reservedMicroUsd: 0, reservedTokens: 0 };
  if (intent.status !== 'started')
    return { ...over, status: 'denied', denial: 'cancelled', endedAt };
  const paid = {
    ...over,
    costMicroUsd: intent.costMicroUsd + intent.reservedMicroUsd,
    outputTokens: intent.outputTokens + intent.reservedTokens,
  };
  return leftAnEffect(intent)
    ? { ...paid, status: 'unknown' }
    : { ...paid, status: 'failed', endedAt };
}
