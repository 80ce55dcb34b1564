import { relative } from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import { isStorageFailure } from '../../db/storage-failure.ts';
import { withRemarks } from '../answer-remarks.ts';
import { type Denial, openDenialsOf } from '../denials.ts';
import { endRun } from '../end-run.ts';
import { ownCall } from '../own-call.ts';
import type { RunContext } from '../run-context.ts';
import { isInterrupted } from '../run-stop.ts';
import type { RunState, RunUpdate, Verdict } from '../state.ts';
import type { SubtaskRecord } from '../subtask-store.ts';
import { answerCall, textOf } from '../synthesis.ts';

/** Node: writes the answer and ends the run's row. Reads `verdict`. */
export const synthesizeFinalResponse =
  (run: RunContext) =>
  async ({ verdict }: RunState): Promise<RunUpdate> => {
    if (!verdict) throw new Error('synthesize_final_response came before validate_outputs');
    const { parts, record } = run;
    const subtasks = parts.subtasks.of(record.id);
    const denials = openDenialsOf(parts.journal.summariesOf(record.id));
    const text = await answerOf(run, verdict, { subtasks, denials });
    const answer = withRemarks(text, { status: verdict.status, subtasks, denials });
    endRun(parts, record.id, { ...verdict, answer, error: null });
    return {};
  };

interface Findings {
  readonly subtasks: readonly SubtaskRecord[];
  readonly denials: readonly Denial[];
}

async function answerOf(
  run: RunContext,
  verdict: Verdict,
  { subtasks, denials }: Findings,
): Promise<string> {
  const only = subtasks.length === 1 ? subtasks[0] : undefined;
  if (verdict.status === 'completed' && only) return textOf(only.result);
  if (verdict.status === 'cancelled' || verdict.reason === 'deadline') {
    return plainAnswer(verdict, subtasks);
  }
  const { parts, record, scope } = run;
  const artifacts = parts.files
    .writtenBy(record.id)
    .map(({ path, bytes }) => ({ path: relative(record.workspace, path), bytes }));
  try {
    const facts = { task: record.task, status: verdict.status, subtasks, artifacts, denials };
    const { answer } = await ownCall(parts.broker, scope.coordinator, answerCall(facts));
    return answer;
  } catch (error) {
    if (isStorageFailure(error) || isInterrupted(run.signal)) throw error;
    const text = `The final answer could not be written by the model (${messageOf(error)}); here are the results as they are.`;
    parts.events.emit({ type: 'run.noticed', run_id: record.id, text });
    return plainAnswer(verdict, subtasks);
  }
}

/** Joins the results and failures, without a model. */
function plainAnswer({ status, reason }: Verdict, subtasks: readonly SubtaskRecord[]): string {
  const why = reason === null || reason === status ? '' : ` (${reason})`;
  const head =
    status === 'completed'
      ? []
      : [`The run ${status === 'failed' ? 'failed' : 'was cancelled'}${why}.`];
  const parts = subtasks.map((subtask) =>
    subtask.status === 'completed'
      ? textOf(subtask.result)
      : `${subtask.description}: ${subtask.status}. ${subtask.error?.message ?? ''}`.trim(),
  );
  return [...head, ...parts].join('\n\n');
}
