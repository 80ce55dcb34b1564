import type { Approval } from '../../contract/approval.ts';
import type { AppContext } from '../app-context.ts';
import { findApproval } from './find-approval.ts';
import { type ListApprovals, listApprovals } from './list-approvals.ts';

/** `capstan.approvals`: questions to a person, their answers, and the answers that are remembered. */
export interface ApprovalsApi {
  /** Open questions of every run, oldest first; with `all`, every question, newest first. */
  list(options?: ListApprovals): Promise<readonly Approval[]>;
  /** @throws AppError `APPROVAL_UNKNOWN`; `USAGE` if several ids match. */
  get(id: string): Promise<Approval>;
}

export const approvalsApi = (context: AppContext): ApprovalsApi => ({
  list: async (options) => listApprovals(await context.stores(), options),
  get: async (id) => findApproval(await context.stores(), id),
});
