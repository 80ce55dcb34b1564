import * as z from 'zod';
import { ChatRequest } from '../../contract/chat.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { ApiCallDecision } from '../../contract/protocol.ts';
import type { HookAnswer } from '../../policy/tool-call-facts.ts';
import type { ChatCall } from '../chat/chat-call.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { BrokerParts } from './parts.ts';
import { hookAnswerOf } from './tool-hooks.ts';

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

/** A model call as the person's hooks left it. */
export interface HookedChat {
  readonly request: ChatRequest;
  /** What they have against it; undefined where nothing. */
  readonly hook: HookAnswer | undefined;
}

/** Lets the hooks before a model call look at it, before anything is decided. */
export async function beforeChat(request: ChatRequest, where: Where): Promise<HookedChat> {
  const { scope, parts } = where;
  if (!parts.hooks.has('pre_model_call')) return { request, hook: undefined };
  const payload = { ...about(request, where), request };
  const { signal } = scope;
  const verdict = await parts.hooks.run('pre_model_call', payload, { key: 'request', signal });
  const hook = hookAnswerOf(verdict);
  if (verdict.value === undefined) return { request, hook };
  const changed = ChatRequest.safeParse(verdict.value);
  if (changed.success) return { request: changed.data, hook };
  const why = `It changed the request to such as can't be: ${z.prettifyError(changed.error)}`;
  return { request, hook: { answer: 'deny', hook: verdict.hook, why } };
}

/** A model call whose row is written, and what its capsule is to be told. */
export interface EndedChat {
  readonly ended: IntentRecord;
  readonly outcome: Omit<ApiCallDecision, 'type'>;
}

/** Tells the hooks after a model call how it went; the row has their notes before the capsule does. */
export async function afterChat(
  { request, scope, parts }: ChatCall,
  { ended, outcome }: EndedChat,
): Promise<ApiCallDecision> {
  const reply = { type: 'api_call_decision', ...outcome } as const;
  if (!parts.hooks.has('post_model_call')) return reply;
  const { approved, response, usage, error } = outcome;
  const payload = {
    ...about(request, { scope, parts }),
    approved,
    response: response ?? null,
    usage: usage ?? null,
    error: error ?? null,
  };
  const { signal } = scope;
  const { injected } = await parts.hooks.run('post_model_call', payload, { signal });
  if (injected.length === 0) return reply;
  const said = injected.map(({ by, text }) => `[hook ${by}] ${text}`);
  const note = [outcome.note, ...said].filter((text) => text !== '').join('\n');
  parts.journal.save({ ...ended, outcome: { ...outcome, note } });
  return { ...reply, note };
}

/** The coordinator's own calls have a name that no capsule can give to its own. */
const about = (request: Pick<ChatRequest, 'response' | 'hint'>, { scope, parts }: Where) => ({
  run_id: scope.run.id,
  subtask_id: scope.subtaskId,
  capsule_id: scope.capsuleId,
  tool: 'chat',
  operation: scope.attemptId === null ? (request.response?.name ?? 'chat') : 'chat',
  provider: parts.provider.name,
  model: parts.provider.modelFor(request.hint),
});
