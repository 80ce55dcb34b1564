import type { Approval } from '../../contract/approval.ts';
import type {
  PatternPreview,
  Question,
  QuestionHistory,
} from '../../contract/documents/question-documents.ts';
import type {
  Receipt,
  RequestDetails,
  RunList,
  RunPage,
  StepPrompt,
} from '../../contract/documents/run-documents.ts';
import type { Overview } from '../../contract/documents/state-documents.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import type { ListApprovals } from '../approvals/find-approval.ts';
import { lazyApi, withStores } from '../calls/lazy-api.ts';
import type { AppContext } from '../context/open-context.ts';
import type { Artifact } from './run-parts.ts';
import type { RunFilter } from './run-rows.ts';

/**
 * `capstan.reports`: documents for surfaces that show many things together. Nothing here has an effect. Functions of a run
 * throw AppError `RUN_UNKNOWN` and `USAGE`, those of a question `APPROVAL_UNKNOWN` and `USAGE`.
 */
export interface ReportsApi {
  /** @throws AppError `SETTINGS_INVALID`. */
  overview(): Promise<Omit<Overview, 'isolation' | 'breakers' | 'provider' | 'models'>>;
  /** Newest first. */
  runs(filter: RunFilter): Promise<RunList>;
  run(id: string): Promise<RunPage>;
  request(runId: string, intentId: string): Promise<RequestDetails>;
  routing(runId: string): Promise<readonly Receipt[]>;
  /** @throws AppError `CAPSULE_UNKNOWN`. */
  prompt(runId: string, stepId: string): Promise<StepPrompt>;
  artifact(runId: string, path: string): Promise<Artifact>;
  /** Open questions, oldest first; with `all` answered ones too, newest first. */
  questions(options?: ListApprovals): Promise<readonly Question[]>;
  question(id: string): Promise<Question>;
  history(approvalId: string): Promise<QuestionHistory>;
  previewPattern(
    approvalId: string,
    pattern: string,
    answer: 'approve' | 'deny',
  ): Promise<PatternPreview>;
}

export const reportsApi = lazyApi<ReportsApi>({
  overview: async () => (await import('./overview.ts')).overview,
  runs: async () => withStores((await import('./run-rows.ts')).runRows),
  run: async () => ofRun((await import('./run-page.ts')).runPage),
  request: async () => ofRun((await import('./run-parts.ts')).requestDetails),
  routing: async () => ofRun((await import('./run-parts.ts')).routingReceipts),
  prompt: async () => (await import('./run-parts.ts')).stepPrompt,
  artifact: async () => ofRun((await import('./run-parts.ts')).readArtifact),
  questions: async () => withStores((await import('./question-document.ts')).listQuestions),
  question: async () => ofQuestion((await import('./question-document.ts')).questionDocument),
  history: async () => ofQuestion((await import('./question-document.ts')).questionHistory),
  previewPattern: async () => ofQuestion((await import('./question-document.ts')).previewPattern),
});

/** A function of a run as one of its id. */
const ofRun =
  <A extends readonly unknown[], R>(read: (stores: Stores, run: RunRecord, ...args: A) => R) =>
  async (context: AppContext, id: string, ...args: A): Promise<Awaited<R>> => {
    const { findRun } = await import('../runs/find-run.ts');
    return await read(await context.stores(), await findRun(context, id), ...args);
  };

/** A function of a question as one of its id. */
const ofQuestion =
  <A extends readonly unknown[], R>(read: (stores: Stores, found: Approval, ...args: A) => R) =>
  async (context: AppContext, id: string, ...args: A): Promise<R> => {
    const { findApprovalToRead } = await import('../approvals/find-approval.ts');
    const stores = await context.stores();
    return read(stores, findApprovalToRead(stores, id), ...args);
  };
