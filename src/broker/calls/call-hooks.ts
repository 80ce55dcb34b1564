import { messageOf } from '../../contract/errors.ts';
import { issueLine } from '../../contract/text/issue-line.ts';
import { type ChatRequest, chatRequest } from '../../contract/wire/chat.ts';
import type { ToolCallIntent } from '../../contract/wire/protocol.ts';
import type { HookVerdict } from '../../hooks/hook.ts';
import type { HookAnswer } from '../../policy/decide/tool-call-facts.ts';
import type { PreparedCall } from '../../tools/define/tool.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { ChatCall, ChatOutcome } from './chat/chat-call.ts';
import type { CallContext } from './parts.ts';
import type { HookedCall, ToolCall, ToolOutcome } from './tool/tool-call.ts';

/** Runs the hooks before a tool call. They may change its arguments, which are decided afterwards. */
export async function runBeforeToolHooks(
  { tool, args, reason }: ToolCallIntent,
  prepared: PreparedCall,
  { scope, parts }: CallContext,
): Promise<HookedCall> {
  const payload = { ...aboutTool(scope, prepared), args, reason };
  const options = { key: 'args', signal: scope.signal };
  const verdict = await parts.hooks.run('pre_tool_call', payload, options);
  const hook = hookAnswerOf(verdict);
  const unchanged = { prepared, args, isChanged: false };
  if (verdict.value === undefined) return { ...unchanged, hook };
  try {
    const changed = parts.tools.get(tool)?.prepare(verdict.value) ?? prepared;
    return { prepared: changed, args: verdict.value, isChanged: true, hook };
  } catch (error) {
    const why = `It changed the arguments to invalid ones: ${messageOf(error)}`;
    return { ...unchanged, hook: { answer: 'deny', hook: verdict.hook, why } };
  }
}

const hookAnswerOf = ({ kind, hook, why }: HookVerdict): HookAnswer | undefined =>
  kind === 'deny' || kind === 'ask' ? { answer: kind, hook, why } : undefined;

const idsOf = ({ run, subtaskId, capsuleId }: AttemptScope) => ({
  run_id: run.id,
  subtask_id: subtaskId,
  capsule_id: capsuleId,
});

const aboutTool = (
  scope: AttemptScope,
  { operation: { tool, name: operation, target, tier } }: PreparedCall,
) => ({ ...idsOf(scope), tool, operation, target, tier });

/** Hooks get the length of a longer result instead. */
const MAX_RESULT_CHARS = 64 * 1024;

/** Runs the hooks after a tool call; returns the outcome with their notes, or undefined if there are none. */
export async function runAfterToolHooks(
  { prepared, context }: ToolCall,
  outcome: ToolOutcome,
): Promise<ToolOutcome | undefined> {
  const { scope, parts } = context;
  const length = JSON.stringify(outcome).length;
  const shown = length > MAX_RESULT_CHARS ? { ok: outcome.ok, result_chars: length } : outcome;
  const payload = { ...aboutTool(scope, prepared), ...shown };
  const { injected } = await parts.hooks.run('post_tool_call', payload, { signal: scope.signal });
  if (injected.length === 0 || !outcome.ok) return undefined;
  return { ...outcome, result: withNotes(outcome.result, injected) };
}

function withNotes(result: unknown, notes: HookVerdict['injected']): Record<string, unknown> {
  const isRecord = typeof result === 'object' && result !== null && !Array.isArray(result);
  return { ...(isRecord ? result : { result }), notes };
}

/** Runs the hooks before a model call. They may change its request, which is decided afterwards. */
export async function runBeforeChatHooks(
  request: ChatRequest,
  context: CallContext,
): Promise<Pick<ChatCall, 'request' | 'hook'>> {
  const { scope, parts } = context;
  const payload = { ...aboutChat(request, context), request };
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
  const { approved, response = null, usage = null, error = null } = outcome;
  const payload = { ...aboutChat(request, context), approved, response, usage, error };
  const { signal } = scope;
  const { injected } = await parts.hooks.run('post_model_call', payload, { signal });
  if (injected.length === 0) return undefined;
  const said = injected.map(({ by, text }) => `[hook ${by}] ${text}`);
  const note = [outcome.note, ...said].filter((text) => text !== '').join('\n');
  return { ...outcome, note };
}

/** Only the coordinator's own calls have other operations than `chat`. */
const aboutChat = (
  { response, hint }: ChatRequest,
  { scope, parts: { provider } }: CallContext,
) => ({
  ...idsOf(scope),
  tool: 'chat',
  operation: scope.attemptId === null ? (response?.name ?? 'chat') : 'chat',
  provider: provider.name,
  model: provider.modelFor(hint),
});
