import { type Policy, policyOf } from '../../broker/rules/policy-snapshot.ts';
import { AppError } from '../../contract/errors.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import type { RunStores } from '../store/create-stores.ts';
import { isResumable, type RunRecord } from '../store/runs/run-record.ts';
import { leaseFrom, ownIdentity } from './process-identity.ts';

export interface ClaimOptions {
  /** The settings from now on, without secrets. Default: those that the run started with. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** The budget from now on. Default: that of its policy. */
  readonly budget?: Policy['budget'] | undefined;
}

/**
 * Makes this process the owner of a parked or failed run. Completed subtasks of a failed run keep their results, and the others are pending
 * again; failures of earlier attempts no longer count against `MAX_ATTEMPTS`.
 *
 * @param run As `assertResumable` allows.
 * @throws AppError `RUN_NOT_PARKED` if another process claimed it first; `RUN_UNREADABLE` if its
 *   policy has a format that this version does not know.
 */
export async function claimRun(
  context: RunStores,
  run: RunRecord,
  { options = run.options, budget }: ClaimOptions = {},
) {
  const { runs, subtasks, journal, audit, cancelRequests, events, now } = context;
  const { id } = run;
  const policy = await policyOfRun(run, budget);
  const isRetry = run.status === 'failed';
  const request = isRetry ? { ...run.request, retriedAfter: uuidv7() } : run.request;
  let isOurs = false;
  journal.commit(() => {
    isOurs = runs.claim(id, ownIdentity(), {
      status: run.status,
      leaseUntil: leaseFrom(now()),
      options,
      policy: policy.snapshot,
      policyVersion: policy.version,
      request,
    });
    if (!isOurs) return;
    cancelRequests.discard(id);
    if (isRetry) subtasks.retryUnfinished(id);
    const detail = { status: run.status, reason: run.reason, policy: policy.version };
    audit.append({ actor: 'person', action: 'run.resumed', runId: id, ref: id, detail });
  });
  const record = runs.find(id);
  if (!isOurs || !record)
    throw new AppError('RUN_NOT_PARKED', { id, status: record?.status ?? 'deleted', isTask: true });
  const { task, workspace, provider } = record;
  events.emit({ type: 'run.resumed', run_id: id, task, workspace, provider });
  return { record, policy };
}

/** @throws AppError `RUN_NOT_PARKED`. */
export function assertResumable(run: RunRecord): void {
  const { id, status, request } = run;
  if (isResumable(run)) return;
  throw new AppError('RUN_NOT_PARKED', { id, status, isTask: !request.isCheck });
}

async function policyOfRun(
  { id, policy: stored }: RunRecord,
  budget: Policy['budget'] | undefined,
): Promise<Policy> {
  try {
    const { policy } = await policyOf(stored);
    return budget ? (await policyOf({ ...policy.snapshot, budget })).policy : policy;
  } catch (error) {
    throw new AppError('RUN_UNREADABLE', { id }, { cause: error });
  }
}
