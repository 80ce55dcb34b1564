import { randomBytes } from 'node:crypto';
import type { Policy } from '../../broker/rules/policy-snapshot.ts';
import type { Attachment } from '../../contract/wire/protocol.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { REDACTED } from '../../policy/secrets/redact.ts';
import { runStarted } from '../events/run-events.ts';
import type { RunStores } from '../store/create-stores.ts';
import type { RunRecord, RunRequestRecord } from '../store/runs/run-record.ts';
import { leaseFrom, ownIdentity } from './process-identity.ts';

/** The task and its options: see `RunRequestRecord`. `workspace`: absolute, symbolic links resolved; `options`: without secrets. */
export interface NewRun
  extends Pick<RunRecord, 'id' | 'task' | 'workspace' | 'provider' | 'isolation' | 'options'> {
  /** The session that the run belongs to. Default: a new one. */
  readonly sessionId?: string | undefined;
  /** The rules, gates and budgets of the run. */
  readonly policy: Policy;
  /** The capsule that gets the whole task, if the user named one. */
  readonly namedCapsule?: string | undefined;
  readonly planFirst?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly isCheck?: boolean | undefined;
  /** Hosts that settings or the task name, in lower case. */
  readonly namedHosts: ReadonlySet<string>;
  readonly hint?: RunRequestRecord['hint'] | undefined;
  /** Hosts and capsules in them do not count as named. */
  readonly attachments?: readonly Attachment[] | undefined;
}

/** Writes the row of a new run, owned by this process. A known secret in the task is replaced before anything reads it. */
export function createRun(context: RunStores, run: NewRun): RunRecord {
  const { runs, journal, audit, redactor, events, now } = context;
  const { id, workspace, provider, isolation, options, policy, namedCapsule, namedHosts } = run;
  const given = run.task.toWellFormed();
  const task = redactor.redact(given);
  const attachments = (run.attachments ?? []).map(({ name, text }) => ({
    name,
    text: redactor.redact(text.toWellFormed()),
  }));
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
    request: {
      namedCapsule: namedCapsule ?? null,
      namedHosts: [...namedHosts],
      ...(attachments.length > 0 && { attachments }),
      ...(run.hint && { hint: run.hint }),
      ...(run.planFirst ? { planFirst: true } : {}),
      ...(run.dryRun ? { dryRun: true } : {}),
      ...(run.isCheck ? { isCheck: true } : {}),
    },
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
