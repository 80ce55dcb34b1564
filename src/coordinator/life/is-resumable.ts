import type { RunRecord } from '../store/runs/run-record.ts';

/** Whether a run can be continued. A failed run without a policy was refused because of invalid settings. */
export const isResumable = ({
  status,
  policyVersion,
}: Pick<RunRecord, 'status' | 'policyVersion'>): boolean =>
  status === 'parked' || (status === 'failed' && policyVersion !== '');
