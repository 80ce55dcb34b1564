import type { Approval } from '../../contract/approval.ts';
import { CONTINUE, type HookVerdict } from '../../hooks/hook.ts';
import type { QuestionContext } from './question.ts';

/** Runs the hooks before an approval: they may deny it or require a person, but never approve. */
export async function beforeApproval(
  question: Approval,
  { scope, parts: { hooks } }: QuestionContext,
): Promise<HookVerdict> {
  if (!hooks.has('pre_approval')) return CONTINUE;
  return hooks.run('pre_approval', payloadOf(question), { signal: scope.signal });
}

/** Runs the hooks after an approval, with its answer. */
export async function afterApproval(
  question: Approval,
  { scope, parts: { hooks, events } }: QuestionContext,
): Promise<void> {
  if (!hooks.has('post_approval')) return;
  const { answer, answeredBy: by, status } = question;
  const payload = { ...payloadOf(question), answer, by, status };
  const { injected } = await hooks.run('post_approval', payload, { signal: scope.signal });
  for (const { by: hook, text } of injected) {
    const said = `The hook "${hook}" says: ${text}`;
    events.emit({ type: 'run.noticed', run_id: question.runId, text: said });
  }
}

const payloadOf = (question: Approval) => ({
  run_id: question.runId,
  subtask_id: question.subtaskId,
  capsule_id: question.capsuleId,
  approval_id: question.id,
  kind: question.kind,
  tool: toolOf(question),
  operation: question.operation,
  target: question.target,
  tier: question.tier,
  question: question.question,
  why: question.why,
  details: question.details,
});

/** The same name as in `pre_tool_call` and `pre_model_call`, so that filters of hooks mean the same. */
const toolOf = ({ operation }: Approval): string =>
  operation.includes('.') ? (operation.split('.')[0] ?? '') : 'chat';
