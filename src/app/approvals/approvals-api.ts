import type { RememberedAnswer } from '../../broker/questions/remembered-answers.ts';
import type { Approval } from '../../contract/approval.ts';
import { lazyApi, withStores } from '../calls/lazy-api.ts';
import type { AnsweredApproval, AnswerRequest } from './answer-approval.ts';
import type { ApprovalOfTask, ListApprovals } from './find-approval.ts';
import type { RevokedAnswer } from './remember-terms.ts';

export type { RememberedAnswer };

/**
 * `capstan.approvals`: questions to a person, their answers, and the answers that are remembered. An `id` may be the last 8
 * characters or more of it, for `get` also a unique end of 4. Functions with an id throw AppError `APPROVAL_UNKNOWN`, and
 * `USAGE` if several ids match.
 */
export interface ApprovalsApi {
  /** Open questions of every run, oldest first; with `all`, every question, newest first. */
  list(options?: ListApprovals): Promise<readonly ApprovalOfTask[]>;
  get(id: string): Promise<Approval>;
  /**
   * Answers an open question, once: the first answer wins, whichever process gives it.
   *
   * @throws AppError `APPROVAL_CLOSED`, `APPROVAL_CHOICE`, `APPROVAL_ELSEWHERE` if `binding` is of another request;
   *   `USAGE` if `note`, `by` or `remember` is refused.
   */
  answer(id: string, request: AnswerRequest): Promise<AnsweredApproval>;
  /** Newest first; those that ended or were revoked too. */
  remembered(): Promise<readonly RememberedAnswer[]>;
  /** Ends a remembered answer: the next request like it is asked about again. */
  revoke(id: string, options: { readonly by: string }): Promise<RevokedAnswer>;
}

export const approvalsApi = lazyApi<ApprovalsApi>({
  list: async () => withStores((await import('./find-approval.ts')).listApprovals),
  get: async () => withStores((await import('./find-approval.ts')).findApprovalToRead),
  answer: async () => (await import('./answer-approval.ts')).answerApproval,
  remembered: async () => withStores(({ remembered }) => remembered.list()),
  revoke: async () => withStores((await import('./remember-terms.ts')).revokeRemembered),
});
