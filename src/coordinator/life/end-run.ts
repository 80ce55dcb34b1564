import { estimateOf, hadEffect, reservationSpent, unreserved } from '../../broker/intent/record.ts';
import { transition } from '../../broker/intent/transitions.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Stores } from '../store/create-stores.ts';
import type { RunEnd } from '../store/runs/run-store.ts';
import { ownIdentity } from './process-identity.ts';

export interface EndOptions extends Omit<RunEnd, 'endedAt'> {
  /** For the audit. Default: `coordinator`. */
  readonly actor?: string;
}

/** Ends a run's row, its open intents and its open questions. Writes nothing if another process owns the run now. */
export function endRun(parts: Stores, id: string, end: EndOptions): void {
  parts.journal.commit(() => writeRunEnd(parts, id, end));
}

/** The same as a part of a transaction. */
export function writeRunEnd(
  { runs, journal, approvals, audit, now }: Stores,
  id: string,
  { actor = 'coordinator', ...end }: EndOptions,
): void {
  const endedAt = now().toISOString();
  if (!runs.end(id, ownIdentity(), { ...end, endedAt })) return;
  for (const intent of journal.openIntentsOf(id)) {
    if (intent.status !== 'unknown') journal.saveSoon(closed(intent, endedAt));
  }
  approvals.close(id);
  const { status, reason } = end;
  audit.append({ actor, action: 'run.ended', runId: id, ref: id, detail: { status, reason } });
}

/** A started intent may have taken effect, so its reservation counts as spent. Every other open intent is denied and free. */
function closed(intent: IntentRecord, endedAt: string): IntentRecord {
  if (intent.status !== 'started') {
    return transition(unreserved(intent), 'denied', { denial: 'cancelled', endedAt });
  }
  const paid = reservationSpent(intent);
  if (hadEffect(intent)) return transition(paid, 'unknown');
  const estimated = estimateOf(intent);
  if (!estimated) return transition(paid, 'failed', { endedAt });
  const message = 'The run ended before there was an answer.';
  const error = { code: 'CANCELLED', message };
  const outcome = { approved: true, note: message, error, estimated };
  return transition(paid, 'failed', { endedAt, outcome });
}
