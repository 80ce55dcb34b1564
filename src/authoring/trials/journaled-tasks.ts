import { basename } from 'node:path';
import { answeringRecords } from '../../broker/recall/record-pool.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { CoordinatorRequest } from '../../contract/wire/coordinator-messages.ts';
import type { ApiCallIntent, Intent, toolRequest } from '../../contract/wire/protocol.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import { replyOf } from '../../history/replay/replay-broker.ts';
import { promptOf } from '../prompt-of.ts';
import type { Subject, TrialRunner } from './authored-task.ts';
import {
  keysOf,
  type RecordedAnswer,
  type RecordedReply,
  withoutRoots,
} from './recorded-answers.ts';
import type { TrialResult } from './trial.ts';
import type { TrialInputs } from './trial-inputs.ts';

/** A task that a capsule has done, with the answers that it got. */
export interface JournaledTask {
  readonly runId: string;
  readonly subtaskId: string;
  /** The request that it started from. */
  readonly request: CoordinatorRequest;
  readonly workspace: string;
  /** `2026-11-21` */
  readonly day: string;
  readonly answers: readonly RecordedAnswer[];
}

/** The last tasks of a capsule that have ended, newest first, each with its last attempt. */
export function journaledTasks(
  { runs, subtasks, journal }: Pick<Stores, 'runs' | 'subtasks' | 'journal'>,
  capsuleId: string,
  limit: number,
): readonly JournaledTask[] {
  const seen = new Set<string>();
  return subtasks.lastOf(capsuleId, limit * ATTEMPTS_PER_TASK).flatMap((attempt) => {
    const { runId, subtaskId } = attempt;
    const run = runs.find(runId);
    const key = `${runId}/${subtaskId}`;
    if (!run || seen.has(key) || seen.size >= limit) return [];
    seen.add(key);
    const { workspace, createdAt } = run;
    const request = attempt.request as CoordinatorRequest;
    const records = answeringRecords(journal.recordOf(attempt.id));
    const answers = records.flatMap((row) => recordedAnswer(row, run));
    return [{ runId, subtaskId, request, workspace, day: createdAt.slice(0, 10), answers }];
  });
}

/** Few tasks have more. */
const ATTEMPTS_PER_TASK = 3;

/** Empty if no answer is recorded. */
function recordedAnswer(
  row: IntentRecord,
  { id, createdAt, workspace }: Pick<RunRecord, 'id' | 'createdAt' | 'workspace'>,
): RecordedAnswer[] {
  if (row.outcome === undefined) return [];
  const { name, tier, costMicroUsd } = row;
  return [
    {
      ...keysOf(intentOf(row), [workspace]),
      name,
      tier,
      costMicroUsd,
      reply: withoutRoots(replyOf(row), [workspace]) as RecordedReply,
      question: row.step === ASKED ? `${name} ${row.target}` : null,
      run: { id, createdAt },
    },
  ];
}

/** The step of the decision order at which a person was asked. */
const ASKED = 6;

function intentOf({ kind, request }: IntentRecord): Intent {
  if (kind === 'tool') {
    const { tool, args, invalid_args } = request as ReturnType<typeof toolRequest>;
    return { type: 'tool_call_intent', tool, args, invalid_args, reason: '' };
  }
  const asked = request as ApiCallIntent['request'];
  return { type: 'api_call_intent', provider: '', endpoint: '', reason: '', request: asked };
}

interface Repetition extends Subject {
  /** Default: no tool is performed, and only the journal answers. */
  readonly inputs: TrialInputs | undefined;
}

/** Repeats a journaled task with its original request, under the overlay that the capsule has now. */
export async function repeatTask(
  runner: TrialRunner,
  { request, workspace, day, answers }: JournaledTask,
  { capsule, skills, inputs }: Repetition,
): Promise<TrialResult> {
  const { task_kind, mode, max_steps, model } = request.config;
  const variables = { task_kind, workspace_name: basename(workspace), today: day };
  const prompt = promptOf(capsule, skills, variables);
  const known = capsule.manifest.task_kinds.find(({ name }) => name === task_kind);
  const gone = { description: '', input_schema: {}, hint: 'balanced' } as const;
  return runner.run({
    capsule,
    kind: known ?? { ...gone, examples: [], name: task_kind, mode, max_steps },
    prompt,
    task: request.task,
    from: request,
    answers,
    hasModel: model,
    roots: [workspace],
    inputs,
  });
}
