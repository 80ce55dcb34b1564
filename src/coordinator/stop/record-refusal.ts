import { uuidv7 } from '../../db/uuidv7.ts';
import { runEnded, runStarted } from '../events/run-events.ts';
import { failureOf } from '../failure.ts';
import { ownIdentity } from '../life/process-identity.ts';
import type { Stores } from '../store/open-stores.ts';
import type { RunRecord } from '../store/run-store.ts';

/**
 * Records a run that was refused because of invalid settings: its row is created as ended.
 *
 * @param run `sessionId`: default a new one.
 */
export function recordRefusal(
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
    audit.append({ actor: 'person', action: 'run.refused', runId: id, ref: id, detail });
    eventRows.append(runStarted(record));
    eventRows.append(runEnded(runs, record));
  });
  return record;
}
