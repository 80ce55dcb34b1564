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
import { lazyApi, withStores } from '../calls/lazy-api.ts';
import type { AppContext } from '../context/open-context.ts';
import type { Artifact } from './run-parts.ts';
import type { RunFilter } from './run-rows.ts';

/** `capstan.reports`: documents for surfaces that show many things together. Nothing here has an effect. */
export interface ReportsApi {
  /** @throws AppError `SETTINGS_INVALID`. */
  overview(): Promise<Omit<Overview, 'isolation' | 'breakers' | 'provider' | 'models'>>;
  /** Newest first. */
  runs(filter: RunFilter): Promise<RunList>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  run(id: string): Promise<RunPage>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  request(runId: string, intentId: string): Promise<RequestDetails>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  routing(runId: string): Promise<readonly Receipt[]>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`, `CAPSULE_UNKNOWN`. */
  prompt(runId: string, stepId: string): Promise<StepPrompt>;
  /** @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  artifact(runId: string, path: string): Promise<Artifact>;
  /** Open questions, oldest first; with `all` answered ones too, newest first. */
  questions(options?: {
    readonly all?: boolean;
    readonly limit?: number;
  }): Promise<readonly Question[]>;
  /** @throws AppError `APPROVAL_UNKNOWN`, `USAGE`. */
  question(id: string): Promise<Question>;
  /** @throws AppError `APPROVAL_UNKNOWN`, `USAGE`. */
  history(approvalId: string): Promise<QuestionHistory>;
  /** @throws AppError `APPROVAL_UNKNOWN`, `USAGE`. */
  previewPattern(approvalId: string, pattern: string): Promise<PatternPreview>;
}

export const reportsApi = (context: AppContext): ReportsApi =>
  lazyApi<ReportsApi>(context, {
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
