import type { Stores } from '../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../coordinator/store/run-store.ts';
import type { AppContext } from '../app-context.ts';
import { currentWorkspace } from '../current-workspace.ts';
import type { Artifact } from './artifact.ts';
import type { Overview } from './overview.ts';
import type { QuestionDocument } from './question-document.ts';
import type { PatternPreview, QuestionHistory } from './question-history.ts';
import type { RequestDetails } from './request-details.ts';
import type { RoutingReceipt } from './routing-receipts.ts';
import type { RunPage } from './run-page.ts';
import type { RunFilter, RunRow } from './run-rows.ts';
import type { StepPrompt } from './step-prompt.ts';

/** `capstan.reports`: documents for surfaces that show many things together. Nothing here has an effect. */
export interface ReportsApi {
  /** @throws AppError `SETTINGS_INVALID`. */
  overview(): Promise<Overview>;
  /** Newest first. */
  runs(
    filter: RunFilter,
  ): Promise<{ readonly runs: readonly RunRow[]; readonly next: string | null }>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  run(id: string): Promise<RunPage>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  request(runId: string, intentId: string): Promise<RequestDetails>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  routing(runId: string): Promise<readonly RoutingReceipt[]>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`, `CAPSULE_UNKNOWN`. */
  prompt(runId: string, stepId: string): Promise<StepPrompt>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  artifact(runId: string, path: string): Promise<Artifact>;
  /** Open questions, oldest first; with `all` answered ones too, newest first. */
  questions(options?: {
    readonly all?: boolean;
    readonly limit?: number;
  }): Promise<readonly QuestionDocument[]>;
  /** @throws AppError `APPROVAL_UNKNOWN`, `USAGE`. */
  question(id: string): Promise<QuestionDocument>;
  /** @throws AppError `APPROVAL_UNKNOWN`, `USAGE`. */
  history(approvalId: string): Promise<QuestionHistory>;
  /** @throws AppError `APPROVAL_UNKNOWN`, `USAGE`. */
  previewPattern(approvalId: string, pattern: string): Promise<PatternPreview>;
}

export function reportsApi(context: AppContext): ReportsApi {
  const findRun = async (id: string): Promise<{ stores: Stores; run: RunRecord }> => {
    const { findRunToRead } = await import('../../coordinator/store/find-run.ts');
    const stores = await context.stores();
    return { stores, run: await findRunToRead(stores.runs, id, currentWorkspace(context)) };
  };
  const findQuestion = async (id: string) => {
    const { findApprovalToRead } = await import('../approvals/find-approval.ts');
    const stores = await context.stores();
    return { stores, approval: findApprovalToRead(stores, id) };
  };
  return {
    async overview() {
      const { overview } = await import('./overview.ts');
      return overview(context);
    },
    async runs(filter) {
      const { runRows } = await import('./run-rows.ts');
      return runRows(await context.stores(), filter);
    },
    async run(id) {
      const { runPage } = await import('./run-page.ts');
      const { stores, run } = await findRun(id);
      return runPage(stores, run);
    },
    async request(runId, intentId) {
      const { requestDetails } = await import('./request-details.ts');
      const { stores, run } = await findRun(runId);
      return requestDetails(stores, run, intentId);
    },
    async routing(runId) {
      const { routingReceipts } = await import('./routing-receipts.ts');
      const { stores, run } = await findRun(runId);
      return routingReceipts(stores, run.id);
    },
    async prompt(runId, stepId) {
      const { stepPrompt } = await import('./step-prompt.ts');
      const { stores, run } = await findRun(runId);
      return stepPrompt(context, stores, { run, stepId });
    },
    async artifact(runId, path) {
      const { readArtifact } = await import('./artifact.ts');
      const { run } = await findRun(runId);
      return readArtifact(context, run, path);
    },
    async questions(options) {
      const { listApprovals } = await import('../approvals/list-approvals.ts');
      const { questionDocument } = await import('./question-document.ts');
      const stores = await context.stores();
      return listApprovals(stores, options).map((one) => questionDocument(stores, one));
    },
    async question(id) {
      const { questionDocument } = await import('./question-document.ts');
      const { stores, approval } = await findQuestion(id);
      return questionDocument(stores, approval);
    },
    async history(approvalId) {
      const { questionHistory } = await import('./question-history.ts');
      const { stores, approval } = await findQuestion(approvalId);
      return questionHistory(stores, approval);
    },
    async previewPattern(approvalId, pattern) {
      const { previewPattern } = await import('./question-history.ts');
      const { stores, approval } = await findQuestion(approvalId);
      return previewPattern(stores, approval, pattern);
    },
  };
}
