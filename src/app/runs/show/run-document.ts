import { relative } from 'node:path';
import type { RunFile } from '../../../broker/intent/file-ledger.ts';
import type { ListedApproval } from '../../../broker/questions/approval-store.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import type { IntentSummary } from '../../../contract/intent.ts';
import { answerAction, type NextAction } from '../../../contract/next.ts';
import type { Failure } from '../../../contract/status.ts';
import type { RunParts } from '../../../coordinator/context/run-context.ts';
import { denialsOf, failedCallsOf } from '../../../coordinator/final/denials.ts';
import { isResumable, type RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { SubtaskRecord } from '../../../coordinator/store/subtasks/subtask-record.ts';
import { nextOfFailed, resumeAction } from './next-of-failed.ts';

/** A run with its subtasks, files, questions and next steps. The keys are those of its JSON document. */
export type RunDocument = ReturnType<typeof runDocument>;

/** Reads a run's rows into one document. */
export function runDocument(
  parts: Pick<RunParts, 'runs' | 'subtasks' | 'files' | 'approvals' | 'journal'>,
  run: RunRecord,
) {
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
    /** The surface at which a person stopped the parked run; left out if nobody did. */
    ...(run.status === 'parked' && run.stoppedBy !== null && { stopped_by: run.stoppedBy }),
    answer: run.answer,
    ...(run.error && { error: errorOf(run.error) }),
    provider: run.provider,
    ...isolationOf(run),
    duration_ms: parts.runs.durationOf(run),
    cost_usd: cost.costMicroUsd / 1e6,
    /** The part of `cost_usd` that no vendor reported; left out if all was reported. */
    ...(cost.estimatedMicroUsd > 0 && { estimated_cost_usd: cost.estimatedMicroUsd / 1e6 }),
    /** As the vendors reported it; of answers without a report, counted from their texts. */
    usage: {
      input_tokens: cost.inputTokens,
      cached_input_tokens: cost.cachedInputTokens,
      output_tokens: cost.outputTokens,
      /** The part of the tokens that was counted from the texts; left out if all was reported. */
      ...(cost.estimatedTokens > 0 && { estimated_tokens: cost.estimatedTokens }),
    },
    subtasks: subtasks.map(subtaskDocument),
    /** Of a dry run: what would be done. */
    ...(preview && { plan: preview.steps, forecast: preview.forecast }),
    ...artifactsOf(parts.files.madeBy(run.id), run),
    approvals: approvals.map(approvalDocument),
    /** Every refusal, in the order of the requests. */
    denials: denialsOf(intents).map((denial) => withDocumentKeys(denial)),
    /** The last 50 calls of tools and services that failed, in the order of the requests. */
    failed_calls: failedCalls(intents),
    /** Of a parked run: its open questions in the order they were asked, then `resume`. Of a failed run: what its errors suggest, then how to resume it, if that may help. */
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
  /** A later plan replaced it; left out if none did. */
  ...(subtask.replacedFor !== null && { replaced: true as const }),
});

/**
 * `answer`: `approve`, `deny`, the choice or the person's own words; null if nobody answered. `is_forced`: only a person can
 * answer it, whatever the approve mode is.
 */
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

/**
 * The newest 1,000 files, by path: those that tools wrote, and those that appeared or changed while a command ran, which
 * something else may have changed. Without those that were removed or undone. `artifacts_left_out`: how many are older.
 *
 * @param files Newest first.
 */
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

const failedCalls = (intents: readonly IntentSummary[]) =>
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
