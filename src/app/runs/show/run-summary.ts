import type { RunStatus, SubtaskStatus } from '../../../contract/status.ts';
import { usage } from '../../../contract/usage.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { AppContext } from '../../context/open-context.ts';
import { workspaceFolder } from '../workspace-folder.ts';

/** One run in a list. */
export interface RunSummary {
  readonly id: string;
  readonly sessionId: string;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly task: string;
  readonly workspace: string;
  readonly provider: string;
  /** The level and why: `A: …`. */
  readonly isolation: string;
  /** The run and the intent at which this one was forked. */
  readonly forkedFrom: string | null;
  readonly forkedAt: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** The surface at which a person stopped it since it was last resumed; else null. Only `resume` continues it. */
  readonly stoppedBy: string | null;
  /** It only made a plan. */
  readonly isDryRun: boolean;
  /** Why it did not complete, as one sentence; null if its `reason` says it all. */
  readonly problem: string | null;
  readonly costUsd: number;
  /** The part of `costUsd` that no vendor reported. */
  readonly estimatedCostUsd: number;
  /** Input and output of its model calls, free ones too. */
  readonly tokens: number;
  /** Questions that wait for an answer. */
  readonly openQuestions: number;
  /** It is running, but only waits for a person's answer. */
  readonly isWaiting: boolean;
}

export function runSummary({ runs, approvals, subtasks }: Stores, run: RunRecord): RunSummary {
  const { id, sessionId, status, reason, task, workspace, provider, isolation } = run;
  const { forkedFrom, forkedAt, createdAt, endedAt, stoppedBy } = run;
  const openQuestions = approvals.listOf(id).filter((one) => one.status === 'pending').length;
  const { costMicroUsd, estimatedMicroUsd, inputTokens, outputTokens } = runs.costOf(id);
  return {
    ...{ id, sessionId, status, reason, task, workspace, provider, isolation },
    ...{ forkedFrom, forkedAt, createdAt, endedAt, stoppedBy },
    isDryRun: run.request.dryRun === true,
    problem: run.error?.message ?? null,
    costUsd: costMicroUsd / 1e6,
    estimatedCostUsd: estimatedMicroUsd / 1e6,
    tokens: inputTokens + outputTokens,
    openQuestions,
    isWaiting: openQuestions > 0 && isWaiting({ status, openQuestions, steps: subtasks.of(id) }),
  };
}

interface WaitingFacts {
  readonly status: RunStatus;
  readonly openQuestions: number;
  readonly steps: readonly { readonly status: SubtaskStatus }[];
}

/** Whether a running run waits for a person: it has an open question, and none of its steps is working. */
export const isWaiting = ({ status, openQuestions, steps }: WaitingFacts): boolean =>
  status === 'running' && openQuestions > 0 && steps.every((step) => step.status !== 'running');

export interface ListRunsOptions {
  /** The most to return, 1 to 10,000. Default: 20. */
  readonly limit?: number | undefined;
  readonly status?: RunStatus | undefined;
  /** Only runs of this folder, relative to the `cwd` of Capstan. It may have been deleted. Default: all. */
  readonly workspace?: string | undefined;
  /** Only runs that began at this time or later. Default: all. */
  readonly since?: Date | undefined;
  /** Whether runs that check models or try a capsule are listed, too. Default: false. */
  readonly trials?: boolean | undefined;
}

const MAX_LIMIT = 10_000;

/** Newest first. */
export async function listRuns(
  context: AppContext,
  { limit = 20, status, workspace, since, trials }: ListRunsOptions = {},
): Promise<readonly RunSummary[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    const problem = `limit is ${limit}; it must be a whole number from 1 to ${MAX_LIMIT}.`;
    throw usage(problem);
  }
  const stores = await context.stores();
  const folder = workspace === undefined ? undefined : workspaceFolder(context.cwd, workspace);
  return stores.runs
    .list({ limit, status, workspace: folder, since: since?.toISOString(), onlyTasks: !trials })
    .map((run) => runSummary(stores, run));
}
