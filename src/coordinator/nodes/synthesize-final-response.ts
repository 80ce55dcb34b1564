import { relative } from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { firstLine } from '../../contract/text/first-line.ts';
import { isStorageFailure } from '../../db/health/storage-failure.ts';
import type { RunContext } from '../context/run-context.ts';
import { withRemarks } from '../final/answer-remarks.ts';
import { type Denial, openDenialsOf } from '../final/denials.ts';
import { answerCall, textOf } from '../final/synthesis.ts';
import { endRun } from '../life/end-run.ts';
import { ownCall } from '../own-call.ts';
import type { RunState, RunUpdate, Verdict } from '../state.ts';
import { isInterrupted } from '../stop/run-stop.ts';
import type { SubtaskRecord } from '../store/subtasks/subtask-record.ts';

/** Node: writes the answer and ends the run's row. Reads `verdict`. */
export async function synthesizeFinalResponse(
  run: RunContext,
  { verdict }: RunState,
): Promise<RunUpdate> {
  if (!verdict) throw new Error('synthesize_final_response ran before validate_outputs');
  const { parts, record } = run;
  const subtasks = parts.subtasks.of(record.id);
  const denials = openDenialsOf(parts.journal.summariesOf(record.id));
  const text = await answerOf(run, verdict, { subtasks, denials });
  const answer = withRemarks(text, { status: verdict.status, subtasks, denials });
  endRun(parts, record.id, { ...verdict, answer, error: null });
  return {};
}

interface Findings {
  readonly subtasks: readonly SubtaskRecord[];
  readonly denials: readonly Denial[];
}

async function answerOf(
  run: RunContext,
  verdict: Verdict,
  { subtasks, denials }: Findings,
): Promise<string> {
  const { parts, record, scope } = run;
  const counted = subtasks.filter(({ replacedFor }) => replacedFor === null);
  const [only] = counted;
  const isOneStep = counted.length === 1;
  if (verdict.status === 'completed' && isOneStep) return textOf(only?.result);
  const artifacts = parts.files
    .writtenBy(record.id)
    .map(({ path, bytes }) => ({ path: relative(record.workspace, path), bytes }));
  const withoutModel = plainAnswer(verdict, counted, { artifacts, denials });
  const isStopped = verdict.status === 'cancelled' || verdict.reason === 'deadline';
  const needsNone = parts.provider.isModel && (isOneStep || isProviderAlone(verdict, counted));
  if (isStopped || needsNone) return withoutModel;
  try {
    const facts = { task: record.task, status: verdict.status, subtasks, artifacts, denials };
    const { answer } = await ownCall(parts.broker, scope.coordinator, answerCall(facts));
    return answer;
  } catch (error) {
    if (isStorageFailure(error) || isInterrupted(run.signal)) throw error;
    const text = `The final answer could not be written by the model (${messageOf(error)}); here are the results as they are.`;
    parts.events.emit({ type: 'run.noticed', run_id: record.id, text });
    return withoutModel;
  }
}

/** Whether only the provider failed the run: then it is not asked for the answer. */
const isProviderAlone = ({ reason }: Verdict, subtasks: readonly SubtaskRecord[]): boolean =>
  reason === 'provider' &&
  subtasks.every(
    (one) =>
      one.status === 'completed' || one.reason === 'provider' || one.reason === 'dependency_failed',
  );

interface Ends extends Pick<Findings, 'denials'> {
  readonly artifacts: readonly { readonly path: string }[];
}

/** Joins the results, failures and files, without a model. A remark about denials already says that it failed. */
function plainAnswer(
  { status, reason }: Verdict,
  subtasks: readonly SubtaskRecord[],
  { artifacts, denials }: Ends,
): string {
  const isPlain = reason === null || reason === status || reason === 'subtask_failed';
  const shown = reason === 'deadline' ? 'its time limit was over' : reason?.replaceAll('_', ' ');
  const why = isPlain ? '' : `: ${shown}`;
  const head =
    status === 'completed' || (reason === 'denied' && denials.length > 0)
      ? []
      : [`The run ${status === 'failed' ? 'failed' : 'was cancelled'}${why}.`];
  const parts = subtasks.map(({ description, status: how, result, error }, at) => {
    const isDone = how === 'completed';
    const text = isDone ? textOf(result) : (error?.message ?? '');
    if (subtasks.length === 1) return isDone ? text : `${description}: ${how}. ${text}`.trim();
    const end = isDone ? '' : ` (${how.replaceAll('_', ' ')})`;
    return `## ${at + 1}. ${firstLine(description)}${end}\n\n${text}`.trim();
  });
  const files = artifacts.map(({ path }) => `- ${escapeText(path)}`);
  const written = files.length > 0 ? [`Files written:\n\n${files.join('\n')}`] : [];
  return [...head, ...parts, ...written].join('\n\n');
}
