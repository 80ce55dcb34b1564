import { issueLine } from '../../../contract/text/issue-line.ts';
import { type ChatRequest, chatRequest } from '../../../contract/wire/chat.ts';
import type { CallContext } from '../parts.ts';
import { hookAnswerOf } from '../tool/tool-hooks.ts';
import type { ChatCall, ChatOutcome } from './chat-call.ts';

/** Runs the hooks before a model call. They may change its request, which is decided afterwards. */
export async function runBeforeChatHooks(
  request: ChatRequest,
  context: CallContext,
): Promise<Pick<ChatCall, 'request' | 'hook'>> {
  const { scope, parts } = context;
  const payload = { ...about(request, context), request };
  const { signal } = scope;
  const verdict = await parts.hooks.run('pre_model_call', payload, { key: 'request', signal });
  const hook = hookAnswerOf(verdict);
  if (verdict.value === undefined) return { request, hook };
  const changed = chatRequest().safeParse(verdict.value);
  if (changed.success) return { request: changed.data, hook };
  const why = `It changed the request to an invalid one: ${issueLine(changed.error)}`;
  return { request, hook: { answer: 'deny', hook: verdict.hook, why } };
}

/** Runs the hooks after a model call; returns the outcome with their notes, or undefined if there are none. */
export async function runAfterChatHooks(
  { request, context }: ChatCall,
  outcome: ChatOutcome,
): Promise<ChatOutcome | undefined> {
  const { scope, parts } = context;
  const { approved, response, usage, error } = outcome;
  const payload = {
    ...about(request, context),
    approved,
    response: response ?? null,
    usage: usage ?? null,
    error: error ?? null,
  };
  const { signal } = scope;
  const { injected } = await parts.hooks.run('post_model_call', payload, { signal });
  if (injected.length === 0) return undefined;
  const said = injected.map(({ by, text }) => `[hook ${by}] ${text}`);
  const note = [outcome.note, ...said].filter((text) => text !== '').join('\n');
  return { ...outcome, note };
}

/** Only the coordinator's own calls have other operations than `chat`. */
const about = (request: Pick<ChatRequest, 'response' | 'hint'>, { scope, parts }: CallContext) => ({
  run_id: scope.run.id,
  subtask_id: scope.subtaskId,
  capsule_id: scope.capsuleId,
  tool: 'chat',
  operation: scope.attemptId === null ? (request.response?.name ?? 'chat') : 'chat',
  provider: parts.provider.name,
  model: parts.provider.modelFor(request.hint),
});
