import type { IntentRecord } from '../contract/intent.ts';
import type { ApiCallIntent, CoordinatorRequest, Intent } from '../contract/protocol.ts';
import type { Rows } from '../coordinator/read-rows.ts';
import { apiReplyOf } from '../history/replay-broker.ts';
import { keysOf, placeless, type Told, type ToldAnswer } from './told-before.ts';

/** A task that a capsule once did, with what it was told on the way. */
export interface JournaledTask {
  readonly runId: string;
  readonly subtaskId: string;
  /** The line that it started from. */
  readonly request: CoordinatorRequest;
  readonly workspace: string;
  /** `2026-11-21` */
  readonly day: string;
  readonly answers: readonly ToldAnswer[];
}

/** The last tasks of a capsule that came to an end, newest first; of each its last attempt. */
export function journaledTasks(
  { runs, subtasks, journal }: Pick<Rows, 'runs' | 'subtasks' | 'journal'>,
  capsuleId: string,
  most: number,
): readonly JournaledTask[] {
  const seen = new Set<string>();
  return subtasks.lastOf(capsuleId, most * ATTEMPTS).flatMap((attempt) => {
    const { runId, subtaskId } = attempt;
    const run = runs.find(runId);
    const key = `${runId}/${subtaskId}`;
    if (!run || seen.has(key) || seen.size >= most) return [];
    seen.add(key);
    const { workspace, createdAt } = run;
    const request = attempt.request as CoordinatorRequest;
    const answers = journal.recordOf(attempt.id).flatMap((row) => toldAnswer(row, workspace));
    return [{ runId, subtaskId, request, workspace, day: createdAt.slice(0, 10), answers }];
  });
}

/** A task is seldom tried more often. */
const ATTEMPTS = 3;

/** Nothing, where no answer is recorded. */
function toldAnswer(row: IntentRecord, workspace: string): ToldAnswer[] {
  if (row.outcome === undefined) return [];
  const { name, tier, costMicroUsd, target, step } = row;
  const intent = intentOf(row);
  const reply: Told =
    row.kind === 'chat' || intent.type === 'api_call_intent'
      ? apiReplyOf(row)
      : { type: 'tool_call_result', ...(row.outcome as { ok: boolean }) };
  return [
    {
      ...keysOf(intent, [workspace]),
      name,
      tier,
      costMicroUsd,
      reply: placeless(reply, [workspace]) as Told,
      question: step === ASKED ? `${name} ${target}` : null,
    },
  ];
}

/** The step of the order at which somebody was asked. */
const ASKED = 6;

function intentOf({ kind, request }: IntentRecord): Intent {
  if (kind === 'tool') {
    const { tool, args } = request as { tool: string; args: Record<string, unknown> };
    return { type: 'tool_call_intent', tool, args, reason: '' };
  }
  const asked = request as ApiCallIntent['request'];
  return { type: 'api_call_intent', provider: '', endpoint: '', reason: '', request: asked };
}
