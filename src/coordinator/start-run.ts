import { randomBytes } from 'node:crypto';
import type { Policy } from '../broker/rules/policy-snapshot.ts';
import { uuidv7 } from '../db/uuidv7.ts';
import { REDACTED } from '../policy/redact.ts';
import { followRun, type RunGround } from './follow-run.ts';
import { leaseFrom, ownIdentity } from './process-identity.ts';
import type { RunParts } from './run-context.ts';
import type { RunRecord } from './run-store.ts';

export interface RunRequest {
  readonly task: string;
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  readonly sessionId?: string;
  readonly provider: string;
  /** The settings that the run begins with, secrets left out. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The rules, gates and budgets that it begins with. */
  readonly policy: Policy;
  /** The person named a capsule: the whole task goes to it. */
  readonly namedCapsule?: string | undefined;
  /** Hosts that settings or the task name, in lower case. */
  readonly namedHosts: ReadonlySet<string>;
  /**
   * Aborting cancels the run: with reason `deadline` it failed for want of time; with `now` its capsules get no grace.
   */
  readonly signal: AbortSignal;
}

/**
 * Carries out one task from its row to its row: when this returns, the run has ended or parked and its row says how.
 *
 * @param open Opens what may fail to open (a provider, an embedder): the row is there before it is tried.
 */
export function startRun(
  ground: RunGround,
  request: RunRequest,
  open: () => Promise<RunParts>,
): Promise<RunRecord> {
  const record = begin(ground, request);
  const { policy, signal } = request;
  return followRun(ground, record, { policy, isResumed: false, signal, open });
}

/** A secret in the task goes no further than here: the plan, the capsules and the model see that one was taken out. */
function begin(
  { runs, journal, audit, events, redactor, now, isolation }: RunGround,
  request: RunRequest,
) {
  const task = redactor.redact(request.task);
  const { workspace, provider, options, policy, namedCapsule, namedHosts } = request;
  const at = now();
  const record: RunRecord = {
    id: uuidv7(),
    sessionId: request.sessionId ?? uuidv7(),
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
    wish: { namedCapsule: namedCapsule ?? null, namedHosts: [...namedHosts] },
    forkedFrom: null,
    forkedAt: null,
    createdAt: at.toISOString(),
    endedAt: null,
  };
  const { id: run_id, sessionId: session_id, policyVersion } = record;
  journal.note(() => {
    runs.create(record);
    const detail = { workspace, provider, isolation, policy: policyVersion };
    audit.append({ actor: 'person', action: 'run.started', runId: run_id, ref: run_id, detail });
  });
  const about = { run_id, session_id, task, workspace, provider, isolation };
  events.emit({ type: 'run.started', ...about });
  if (task !== request.task) events.emit({ type: 'run.noticed', run_id, text: TASK_HELD_A_SECRET });
  return record;
}

const TASK_HELD_A_SECRET = `The task held a secret value of yours. It goes on without it: ${REDACTED} stands in its place.`;
