import { runEnded, runStarted } from '../../src/coordinator/events/run-events.ts';
import { failureOf } from '../../src/coordinator/failure.ts';
import { ownIdentity } from '../../src/coordinator/life/process-identity.ts';
import type { Stores } from '../../src/coordinator/store/create-stores.ts';
import type { RunRecord } from '../../src/coordinator/store/runs/run-record.ts';
import { uuidv7 } from '../../src/db/uuidv7.ts';

/**
 * Records a run that failed before it began.
 *
 * @param run `sessionId`: default a new one.
 */
export function recordFailedRun(
  {
    runs,
    journal,
    eventRows,
    audit,
    now,
  }: Pick<Stores, 'runs' | 'journal' | 'eventRows' | 'audit' | 'now'>,
  run: Pick<RunRecord, 'task' | 'workspace'> & { readonly sessionId?: string | undefined },
  error: unknown,
): RunRecord {
  const at = now().toISOString();
  const record: RunRecord = {
    id: uuidv7(),
    sessionId: run.sessionId ?? uuidv7(),
    task: run.task,
    workspace: run.workspace,
    provider: '',
    isolation: '',
    options: {},
    status: 'failed',
    reason: 'settings',
    answer: null,
    error: failureOf(error),
    owner: ownIdentity(),
    leaseUntil: null,
    seed: '',
    policy: {},
    policyVersion: '',
    request: { namedCapsule: null, namedHosts: [] },
    forkedFrom: null,
    forkedAt: null,
    createdAt: at,
    endedAt: at,
    stoppedBy: null,
  };
  journal.commit(() => {
    runs.create(record);
    const { id, reason } = record;
    const detail = { reason };
    audit.append({ actor: 'person', action: 'run.failed', runId: id, ref: id, detail });
    eventRows.append(runStarted(record));
    eventRows.append(runEnded(runs, record));
  });
  return record;
}
