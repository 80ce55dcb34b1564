import { relative } from 'node:path';
import type { RunFile } from '../../../broker/intent/file-ledger.ts';
import type { ListedApproval } from '../../../broker/questions/approval-store.ts';
import {
  type WithDocumentKeys,
  withDocumentKeys,
} from '../../../contract/documents/document-keys.ts';
import type { IntentSummary } from '../../../contract/intent.ts';
import { answerAction, type NextAction } from '../../../contract/next.ts';
import type { PlanPreview } from '../../../contract/plan-preview.ts';
import type { Failure } from '../../../contract/status.ts';
import type { RunParts } from '../../../coordinator/context/run-context.ts';
import { type Denial, denialsOf, failedCallsOf } from '../../../coordinator/final/denials.ts';
import { isResumable, type RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { SubtaskRecord } from '../../../coordinator/store/subtasks/subtask-record.ts';
import { nextOfFailed, resumeAction } from './next-of-failed.ts';

/** A run with its subtasks, files, questions and next steps. The keys are those of its JSON document. */
export interface RunDocument {
  readonly run_id: string;
  readonly session_id: string;
  readonly status: string;
  readonly reason: string | null;
  /** The surface at which a person stopped the parked run; left out if nobody did. */
  readonly stopped_by?: string;
  readonly answer: string | null;
  readonly error?: { readonly code: string; readonly message: string };
  readonly provider: string;
  /** `A`, `B`, `C` or `none`. */
  readonly isolation: string;
  /** Why it is this level. */
  readonly isolation_reason: string;
  readonly duration_ms: number;
  readonly cost_usd: number;
  /** The part of `cost_usd` that no vendor reported; left out if all was reported. */
  readonly estimated_cost_usd?: number;
  /** As the vendors reported it; of answers without a report, counted from their texts. */
  readonly usage: {
    readonly input_tokens: number;
    readonly cached_input_tokens: number;
    readonly output_tokens: number;
    /** The part of the tokens that was counted from the texts; left out if all was reported. */
    readonly estimated_tokens?: number;
  };
  readonly subtasks: readonly {
    readonly id: string;
    readonly phase: string;
    readonly description: string;
    readonly depends_on: readonly string[];
    readonly capsule_id: string | null;
    readonly status: string;
    readonly reason: string | null;
    readonly attempts: number;
    readonly result: unknown;
    readonly error: { readonly code: string; readonly message: string } | null;
    /** A later plan replaced it; left out if none did. */
    readonly replaced?: true;
  }[];
  /** Of a dry run: what would be done. */
  readonly plan?: PlanPreview['steps'];
  readonly forecast?: PlanPreview['forecast'];
  /**
   * The newest 1,000 files, by path: those that tools wrote, and those that appeared or changed while a command ran, which
   * something else may have changed. Without those that were removed or undone.
   */
  readonly artifacts: readonly {
    readonly path: string;
    readonly bytes: number;
    /** Null if the file was too large to be hashed. */
    readonly sha256: string | null;
    readonly made_by: string;
  }[];
  /** How many older files are not in `artifacts`; left out if none. */
  readonly artifacts_left_out?: number;
  readonly approvals: readonly {
    readonly id: string;
    readonly kind: string;
    readonly question: string;
    readonly status: string;
    /** `approve`, `deny`, the choice or the person's own words; null if nobody answered. */
    readonly answer: string | null;
    /** Only a person can answer it, whatever the approve mode is. */
    readonly is_forced: boolean;
  }[];
  /** Every refusal, in the order of the requests. */
  readonly denials: readonly WithDocumentKeys<Denial>[];
  /** The last 50 calls of tools and services that failed, in the order of the requests. */
  readonly failed_calls: readonly {
    readonly subtask_id: string;
    readonly operation: string;
    readonly target: string;
    readonly code: string;
    /** At most 500 characters. */
    readonly message: string;
  }[];
  /** Of a parked run: its open questions in the order they were asked, then `resume`. Of a failed run: what its errors suggest, then how to resume it, if that may help. */
  readonly next: readonly NextAction[];
}

/** Reads a run's rows into one document. */
export function runDocument(
  parts: Pick<RunParts, 'runs' | 'subtasks' | 'files' | 'approvals' | 'journal'>,
  run: RunRecord,
): RunDocument {
  const cost = parts.runs.costOf(run.id);
  const approvals = parts.approvals.listOf(run.id);
  const subtasks = parts.subtasks.of(run.id);
  const intents = parts.journal.summariesOf(run.id);
  const { preview } = run.request;
  return {
    run_id: run.id,
    session_id: run.sessionId,
    status: run.status,
    reason: run.reason,
    ...(run.status === 'parked' && run.stoppedBy !== null && { stopped_by: run.stoppedBy }),
    answer: run.answer,
    ...(run.error && { error: errorOf(run.error) }),
    provider: run.provider,
    ...isolationOf(run),
    duration_ms: parts.runs.durationOf(run),
    cost_usd: cost.costMicroUsd / 1e6,
    ...(cost.estimatedMicroUsd > 0 && { estimated_cost_usd: cost.estimatedMicroUsd / 1e6 }),
    usage: {
      input_tokens: cost.inputTokens,
      cached_input_tokens: cost.cachedInputTokens,
      output_tokens: cost.outputTokens,
      ...(cost.estimatedTokens > 0 && { estimated_tokens: cost.estimatedTokens }),
    },
    subtasks: subtasks.map(subtaskDocument),
    ...(preview && { plan: preview.steps, forecast: preview.forecast }),
    ...artifactsOf(parts.files.madeBy(run.id), run),
    approvals: approvals.map(approvalDocument),
    denials: denialsOf(intents).map((denial) => withDocumentKeys(denial)),
    failed_calls: failedCalls(intents),
    next: nextOf(run, { approvals, subtasks, intents }),
  };
}

const subtaskDocument = (subtask: SubtaskRecord) => ({
  id: subtask.id,
  phase: subtask.phase,
  description: subtask.description,
  depends_on: subtask.dependsOn,
  capsule_id: subtask.capsuleId,
  status: subtask.status,
  reason: subtask.reason,
  attempts: subtask.attempts,
  result: subtask.result ?? null,
  error: subtask.error && errorOf(subtask.error),
  ...(subtask.replacedFor !== null && { replaced: true as const }),
});

const approvalDocument = (approval: ListedApproval) => {
  const { id, kind, question, status, answer, isForced } = approval;
  return withDocumentKeys({ id, kind, question, status, answer, isForced });
};

interface NextFacts {
  readonly approvals: readonly ListedApproval[];
  readonly subtasks: readonly SubtaskRecord[];
  readonly intents: readonly IntentSummary[];
}

function nextOf(
  run: RunRecord,
  { approvals, subtasks, intents }: NextFacts,
): readonly NextAction[] {
  if (run.status === 'failed') return nextOfFailed(run, subtasks, intents);
  return nextOfParked(run, approvals).map((next) =>
    next.action === 'resume' ? resumeAction(run, [], intents) : next,
  );
}

const MAX_ARTIFACTS = 1_000;

/** @param files Newest first. */
function artifactsOf(files: readonly RunFile[], { workspace }: Pick<RunRecord, 'workspace'>) {
  const artifacts = files
    .slice(0, MAX_ARTIFACTS)
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, bytes, sha256, subtaskId }) => {
      return { path: relative(workspace, path), bytes, sha256, made_by: subtaskId };
    });
  const leftOut = files.length - artifacts.length;
  return { artifacts, ...(leftOut > 0 && { artifacts_left_out: leftOut }) };
}

const MAX_FAILED_CALLS = 50;
const MAX_MESSAGE_CHARS = 500;

const failedCalls = (intents: readonly IntentSummary[]): RunDocument['failed_calls'] =>
  failedCallsOf(intents)
    .slice(-MAX_FAILED_CALLS)
    .map(({ subtaskId, name, target, error: { code, message } }) => ({
      subtask_id: subtaskId,
      operation: name,
      target,
      code: String(code ?? 'TOOL_FAILED'),
      message: String(message ?? '').slice(0, MAX_MESSAGE_CHARS),
    }));

const errorOf = ({ code, message }: Failure) => ({ code, message });

/** Of a parked run: its open questions, then to resume it, unless it is a check or a trial. Otherwise empty. */
export function nextOfParked(
  run: Pick<RunRecord, 'id' | 'status' | 'policyVersion' | 'request'>,
  approvals: readonly ListedApproval[],
) {
  if (run.status !== 'parked') return [];
  const open = approvals.filter((one) => one.status === 'pending');
  const resume = isResumable(run) ? [{ action: 'resume' as const, id: run.id }] : [];
  return [...open.map(answerAction), ...resume];
}

/** The row has both: `A: …`. */
function isolationOf({ isolation }: RunRecord) {
  const [level = '', ...reason] = isolation.split(': ');
  return { isolation: level, isolation_reason: reason.join(': ') };
}
