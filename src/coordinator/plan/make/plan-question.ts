import { namedInText } from '../../../registry/files/named-in-text.ts';
import { attachmentsForPlan } from '../../attempt/attachments.ts';
import type { RunContext } from '../../context/run-context.ts';
import { taskWithNotes } from '../../context/run-hooks.ts';
import { conversationOf } from '../../conversation/store-conversation.ts';
import type { SubtaskRecord } from '../../store/subtasks/subtask-record.ts';
import type { Phase } from '../plan.ts';
import { planMaterial } from './plan-material.ts';
import type { AskedPlan, Found, PlanQuestion } from './planner.ts';

/**
 * @param again The steps to plan again and why, if the rest of a phase is planned again.
 * @param dropped Ids of steps that the new plan replaces and that are ignored.
 */
export async function planQuestion(
  run: RunContext,
  phase: Phase,
  again: Pick<PlanQuestion, 'unfinished' | 'again'> = {},
  dropped: ReadonlySet<string> = new Set(),
): Promise<AskedPlan> {
  const { parts, record } = run;
  const said = parts.messages.of(record.id);
  const messages = said.length > 0 ? { messages: said.map(({ text }) => text) } : {};
  const material = parts.recorded?.plans.material() ?? {
    ...(await planMaterial(run)),
    ...messages,
  };
  const subtasks = parts.subtasks.of(record.id).filter(({ id }) => !dropped.has(id));
  const known = new Map(parts.registry.list().map((capsule) => [capsule.id, capsule]));
  const conversation = conversationOf(run);
  const named = namedInText(record.task, known);
  return {
    question: {
      task: taskWithNotes(run, phase),
      phase,
      ...(conversation ? { conversation } : {}),
      ...attachmentsForPlan(record),
      found: subtasks.flatMap(foundIn),
      ...material,
      max_subtasks: parts.limits.maxSubtasks,
      ...(named === undefined ? {} : { named: `@${named}` }),
      ...again,
    },
    earlier: new Map(subtasks.map(({ id, status }) => [id, status === 'completed'])),
    messageIds: said.map(({ id }) => id),
  };
}

function foundIn({ id, description, status, result, error }: SubtaskRecord): readonly Found[] {
  const about = { subtask_id: id, description };
  if (status === 'completed') return [{ ...about, result: result ?? null }];
  if (status === 'failed') return [{ ...about, result: { failed: error?.message ?? status } }];
  return [];
}
