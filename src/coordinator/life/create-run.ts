import { randomBytes } from 'node:crypto';
import type { Policy } from '../../broker/rules/policy-snapshot.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { wellFormed } from '../../platform/text/well-formed.ts';
import { REDACTED } from '../../policy/secrets/redact.ts';
import { runStarted } from '../events/run-events.ts';
import type { RunStores } from '../store/create-stores.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import { leaseFrom, ownIdentity } from './process-identity.ts';

/** `workspace`: absolute, symbolic links resolved; `options`: without secrets. Hosts and capsules in attachments do not count as named. */
export interface NewRun
  extends Pick<
    RunRecord,
    'id' | 'task' | 'workspace' | 'provider' | 'isolation' | 'options' | 'request'
  > {
  /** The session that the run belongs to. Default: a new one. */
  readonly sessionId?: string | undefined;
  /** The rules, gates and budgets of the run. */
  readonly policy: Policy;
}

/** Writes the row of a new run, owned by this process. A known secret in the task is replaced before anything reads it. */
export function createRun(context: RunStores, run: NewRun): RunRecord {
  const { runs, journal, audit, redactor, events, now } = context;
  const { id, workspace, provider, isolation, options, policy, request } = run;
  const given = run.task.toWellFormed();
  const task = redactor.redact(given);
  const at = now();
  const record: RunRecord = {
    id,
    sessionId: run.sessionId ?? uuidv7(),
    task,
    workspace,
    provider,
    isolation,
    options,
    status: 'running',
    reason: null,
    answer: null,
    error: null,
    owner: ownIdentity(),
    leaseUntil: leaseFrom(at),
    seed: randomBytes(16).toString('hex'),
    policy: policy.snapshot,
    policyVersion: policy.version,
    request: redactor.redact(wellFormed(request)),
    forkedFrom: null,
    forkedAt: null,
    createdAt: at.toISOString(),
    endedAt: null,
    stoppedBy: null,
  };
  journal.noteSoon(() => {
    runs.create(record);
    const detail = { workspace, provider, isolation, policy: policy.version };
    audit.append({ actor: 'person', action: 'run.started', runId: id, ref: id, detail });
  });
  // Listeners write the event with the same commit as the row.
  events.emit(runStarted(record));
  journal.flush();
  if (task !== given) events.emit({ type: 'run.noticed', run_id: id, text: SECRET_IN_TASK });
  return record;
}

const SECRET_IN_TASK = `The task contained a known secret. The run continues with ${REDACTED} in its place.`;
