import type { Approval } from '../../contract/approval.ts';
import { CONTINUE, type HookVerdict } from '../../hooks/hook.ts';
import type { BrokerParts } from '../calls/parts.ts';
import type { AttemptScope } from '../intent/scope.ts';

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

/** Lets the hooks before an approval look at the question: they may refuse it or insist on a person, never agree. */
export async function beforeApproval(
  question: Approval,
  { scope, parts }: Where,
): Promise<HookVerdict> {
  if (!parts.hooks.has('pre_approval')) return CONTINUE;
  return parts.hooks.run('pre_approval', payloadOf(question), { signal: scope.signal });
}

/** Tells the hooks after an approval how it was decided. */
export async function afterApproval(question: Approval, { scope, parts }: Where): Promise<void> {
  if (!parts.hooks.has('post_approval')) return;
  const { answer, answeredBy: by, status } = question;
  const payload = { ...payloadOf(question), answer, by, status };
  const { injected } = await parts.hooks.run('post_approval', payload, { signal: scope.signal });
  for (const { by, text } of injected) {
    const said = `The hook "${by}" says: ${text}`;
    parts.events.emit({ type: 'run.noticed', run_id: question.runId, text: said });
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

/** As `pre_tool_call` and `pre_model_call` name it, so that a hook's filter means the same here. */
const toolOf = ({ operation }: Approval): string =>
  operation.includes('.') ? (operation.split('.')[0] ?? '') : 'chat';
