import type { RunGround } from './follow-run.ts';
import type { RunEnd } from './run-store.ts';

/** Ends a run's row, and with it every question and intent of it that is still open. */
export function endRun(
  {
    runs,
    journal,
    approvals,
    audit,
    now,
  }: Omit<RunGround, 'graph' | 'isSomebodyThere' | 'events' | 'isolation'>,
  id: string,
  end: Omit<RunEnd, 'endedAt'>,
): void {
  const endedAt = now().toISOString();
  const open = journal.openIntentsOf(id);
  for (const intent of open) {
    journal.saveSoon({ ...intent, status: 'denied', denial: 'cancelled', endedAt });
  }
  journal.commit(() => {
    approvals.close(id);
    runs.end(id, { ...end, endedAt });
    const { status, reason } = end;
    const detail = { status, reason };
    audit.append({ actor: 'coordinator', action: 'run.ended', runId: id, ref: id, detail });
  });
}
