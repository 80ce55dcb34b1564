import { type Policy, policyOf } from '../broker/rules/policy-snapshot.ts';
import { AppError } from '../contract/errors.ts';
import { type Following, followRun, type RunGround } from './follow-run.ts';
import { leaseFrom, ownIdentity } from './process-identity.ts';
import type { RunRecord } from './run-store.ts';

/**
 * Goes on with a parked run: what completed is kept, an interrupted capsule is started again and told what it was told
 * before, and questions that were answered meanwhile count.
 *
 * @throws AppError `RUN_NOT_PARKED` where it has ended, or another process has it; `RUN_UNREADABLE` where its policy is
 *   of a form that this Capstan does not know; what `open` throws, with the run parked as it was.
 */
export async function resumeRun(
  ground: RunGround,
  { id, policy: began }: RunRecord,
  following: Pick<Following, 'signal' | 'open'>,
): Promise<RunRecord> {
  const { runs, journal, audit, events, now } = ground;
  const policy = await policyOfRun(id, began);
  const owner = ownIdentity();
  let isOurs = false;
  journal.commit(() => {
    isOurs = runs.claim(id, owner, leaseFrom(now()));
    if (!isOurs) return;
    audit.append({ actor: 'person', action: 'run.resumed', runId: id, ref: id, detail: {} });
  });
  const record = runs.find(id);
  if (!isOurs || !record)
    throw new AppError('RUN_NOT_PARKED', { id, status: record?.status ?? 'gone' });
  const { task, workspace, provider } = record;
  events.emit({ type: 'run.resumed', run_id: id, task, workspace, provider });
  return followRun(ground, record, { ...following, policy, isResumed: true });
}

async function policyOfRun(id: string, stored: unknown): Promise<Policy> {
  try {
    return (await policyOf(stored)).policy;
  } catch (error) {
    throw new AppError('RUN_UNREADABLE', { id }, { cause: error });
  }
}
