import type { Approval } from '../../contract/approval.ts';
import type { ToolCallIntent } from '../../contract/wire/protocol.ts';
import { decideToolCall } from '../../policy/decide/decide-tool-call.ts';
import { settled } from '../../policy/decide/decision.ts';
import { personQuestion } from '../../tools/ask-person.ts';
import { askPerson } from '../questions/ask.ts';
import { draftQuestion, earlierQuestion } from '../questions/question.ts';
import type { CallKind, Performed, Permitted } from './call.ts';
import type { ToolCall, ToolOutcome } from './tool/tool-call.ts';
import { toolCalls } from './tool.ts';

interface QuestionCall extends ToolCall {
  /** Undefined before it is answered, and if nobody may be asked. */
  readonly answered?: Approval;
}

/** Calls of `ask_person`: the person's answer is the result. It gives no permission. */
export const questionCalls: CallKind<ToolCallIntent, QuestionCall, ToolOutcome> = {
  ...toolCalls,
  waitForStart: () => undefined,
  permit,
  perform,
  denialError: (refusal, intent) =>
    refusal.reason === 'expired'
      ? nobodyAvailable(refusal.sentence)
      : toolCalls.denialError(refusal, intent),
};

/** With an approve mode nobody is asked: the call ends without an answer. */
async function permit(call: QuestionCall): Promise<Permitted<QuestionCall>> {
  const { context, intent, facts, prepared } = call;
  const decision = decideToolCall(prepared.operation, facts);
  if (decision.kind === 'deny') return { call, permission: settled(decision) };
  const { step, rule } = decision;
  if (context.scope.run.policy.approveMode !== 'ask')
    return { call, permission: { approved: true, step, rule } };
  const drafted = draft(call);
  const question = earlierQuestion(drafted, context) ?? drafted;
  const answered = await askPerson(question, intent, context);
  if (answered.answer === null) {
    const sentence = 'Nobody answered in time (CAPSTAN_APPROVAL_DEADLINE_SEC).';
    return { call, permission: { approved: false, step: 6, rule, reason: 'expired', sentence } };
  }
  const permission = { approved: true, step: 6, rule, approvalId: answered.id } as const;
  return { call: { ...call, answered }, permission };
}

function draft({ intent, context }: QuestionCall): Approval {
  const { args } = intent.request as { readonly args: unknown };
  const { question, choices, freeText } = personQuestion(args);
  const text = {
    question: `${intent.capsuleId} asks: ${intent.target}`,
    sentence: 'The capsule reads your answer. Do not type keys or passwords.',
    forced: false,
  };
  const details = question.trim() === intent.target ? '' : question;
  return draftQuestion(text, { kind: 'question', details, choices, freeText }, intent, context);
}

async function perform({
  answered,
  context,
  startedMs,
}: QuestionCall): Promise<Performed<ToolOutcome>> {
  const { scope, parts } = context;
  if (answered === undefined) {
    const why = `The approve mode is "${scope.run.policy.approveMode}", so nobody is asked.`;
    return { ended: 'failed', outcome: { ok: false, error: nobodyAvailable(why) }, startedMs };
  }
  // The person's answer may be private, and is not part of the task.
  scope.run.hasReadPrivate = true;
  return {
    ended: 'done',
    outcome: { ok: true, result: { answer: answered.answer }, origin: 'the person' },
    startedMs,
    alsoWrite: () => void parts.approvals.consume(answered.id),
  };
}

const nobodyAvailable = (why: string) => ({
  code: 'nobody_available',
  message: `${why} Continue with an assumption and state it in your result, or end with an error that says what is missing.`,
});
