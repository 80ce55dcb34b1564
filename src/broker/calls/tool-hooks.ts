import { messageOf } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { ToolCallIntent, ToolCallResult } from '../../contract/protocol.ts';
import type { HookVerdict } from '../../hooks/hook.ts';
import type { HookAnswer } from '../../policy/tool-call-facts.ts';
import type { PreparedCall } from '../../tools/tool.ts';
import type { AttemptScope } from '../intent/scope.ts';
import { journaled } from '../tool-calls/http-outcome.ts';
import type { ToolCall, ToolOutcome } from '../tool-calls/tool-call.ts';
import type { BrokerParts } from './parts.ts';

/** A call as the person's hooks left it. */
export interface HookedCall {
  readonly prepared: PreparedCall;
  readonly args: unknown;
  /** What they have against it; undefined where nothing. */
  readonly hook: HookAnswer | undefined;
}

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

/** Lets the hooks before a tool call look at it, before anything is decided. */
export async function beforeToolCall(
  message: ToolCallIntent,
  prepared: PreparedCall,
  { scope, parts }: Where,
): Promise<HookedCall> {
  const { tool, args, reason } = message;
  if (!parts.hooks.has('pre_tool_call')) return { prepared, args, hook: undefined };
  const payload = { ...about(scope, prepared), args, reason };
  const verdict = await parts.hooks.run('pre_tool_call', payload, {
    key: 'args',
    signal: scope.signal,
  });
  if (verdict.value === undefined) return { prepared, args, hook: hookAnswerOf(verdict) };
  try {
    const changed = parts.tools.get(tool)?.prepare(verdict.value) ?? prepared;
    return { prepared: changed, args: verdict.value, hook: hookAnswerOf(verdict) };
  } catch (error) {
    const why = `It changed the arguments to such as can't be: ${messageOf(error)}`;
    return { prepared, args, hook: { answer: 'deny', hook: verdict.hook, why } };
  }
}

/** Of a verdict, what a decision looks at. */
export const hookAnswerOf = ({ kind, hook, why }: HookVerdict): HookAnswer | undefined =>
  kind === 'deny' || kind === 'ask' ? { answer: kind, hook, why } : undefined;

const about = (
  { run, subtaskId, capsuleId }: AttemptScope,
  { operation: { tool, name, target, tier } }: PreparedCall,
) => ({
  run_id: run.id,
  subtask_id: subtaskId,
  capsule_id: capsuleId,
  tool,
  operation: name,
  target,
  tier,
});

/** Longest result that a hook is told; what is longer is left out, with its length. */
const MOST_RESULT_CHARS = 64 * 1024;

/** Lets the hooks after a tool call add their notes to its result; the row has them before the capsule does. */
export async function afterToolCall(
  { prepared, scope, parts }: ToolCall,
  ended: IntentRecord,
  outcome: ToolOutcome,
): Promise<ToolCallResult> {
  const reply = { type: 'tool_call_result', ...outcome } as const;
  if (!parts.hooks.has('post_tool_call')) return reply;
  const length = JSON.stringify(outcome).length;
  const told = length > MOST_RESULT_CHARS ? { ok: outcome.ok, result_chars: length } : outcome;
  const payload = { ...about(scope, prepared), ...told };
  const { injected } = await parts.hooks.run('post_tool_call', payload, { signal: scope.signal });
  if (injected.length === 0 || !outcome.ok) return reply;
  const result = withNotes(outcome.result, injected);
  parts.journal.save({ ...ended, outcome: journaled(ended, { ...outcome, result }) });
  return { ...reply, result };
}

function withNotes(result: unknown, notes: HookVerdict['injected']): Record<string, unknown> {
  const isRecord = typeof result === 'object' && result !== null && !Array.isArray(result);
  return { ...(isRecord ? result : { result }), notes };
}
