import type { ApiCallDecision, ApiCallIntent } from '../../contract/protocol.ts';
import { canonicalHash } from '../../platform/canonical-hash.ts';
import { type ChatCall, chatCall } from '../chat/chat-call.ts';
import { aboutIntent, openIntent } from '../intent/record.ts';
import type { AttemptScope } from '../intent/scope.ts';
import { beginChat } from '../money/reserve-money.ts';
import type { Refusal } from '../questions/settlement.ts';
import { adoptIntent } from '../recall/adopt-intent.ts';
import { assertOnTrack, reuse, takeRecord } from '../recall/recall.ts';
import { errorsOf, loopOf } from '../tool-calls/loop-guard.ts';
import { beforeChat, type HookedChat } from './chat-hooks.ts';
import { answerHttpCall } from './http.ts';
import type { BrokerParts } from './parts.ts';
import { performChat } from './perform-chat.ts';

type ChatIntent = ApiCallIntent & { readonly request: ChatCall['request'] };

/** Decides, reserves, performs and journals one call of a model, or one request in the name of a service. */
export async function answerApiCall(
  message: ApiCallIntent,
  scope: AttemptScope,
  parts: BrokerParts,
): Promise<ApiCallDecision> {
  const { request } = message;
  if (request.kind === 'http') return answerHttpCall({ ...message, request }, scope, parts);
  const where = { scope, parts };
  const requestHash = canonicalHash(request);
  const recorded = takeRecord({ wireId: message.id, requestHash }, where);
  scope.tally.modelCalls += 1;
  if (recorded.kind === 'answer') {
    reuse(recorded.record, where);
    return { type: 'api_call_decision', ...(recorded.record.outcome as ChatOutcome) };
  }
  const hooked = await beforeChat(request, where);
  const proposed = await propose({ ...message, request }, { requestHash, hooked }, where);
  const call =
    recorded.kind === 'adopt'
      ? { ...proposed, intent: adoptIntent(recorded.record, proposed.intent) }
      : proposed;
  const astray =
    (await assertOnTrack(recorded, call.intent, where)) ?? loopOf(call.intent, scope.tally);
  if (astray && scope.attemptId !== null) {
    scope.end(astray);
    return refuse(call, { code: astray.code, message: astray.message }, 'failed');
  }
  const begun = await beginChat(call);
  if (!begun.approved) return deny(call, begun);
  const reply = await performChat(call, begun);
  const loop = errorsOf({ ok: reply.error === undefined, error: reply.error }, scope.tally);
  if (loop && scope.attemptId !== null) scope.end(loop);
  return reply;
}

type ChatOutcome = Omit<ApiCallDecision, 'type'>;

interface Hooked {
  /** Of what was asked for. */
  readonly requestHash: string;
  readonly hooked: HookedChat;
}

async function propose(
  { id, request: asked, reason }: ChatIntent,
  { requestHash, hooked: { request, hook } }: Hooked,
  { scope, parts }: Pick<ChatCall, 'scope' | 'parts'>,
): Promise<ChatCall> {
  const { provider } = parts;
  const isChanged = request !== asked;
  const model = provider.modelFor(request.hint);
  const { name, origin } = provider;
  const quote = await parts.prices.quote({ provider: name, model, origin });
  const intent = openIntent(scope, parts.now, {
    kind: 'chat',
    name: request.response?.name ?? 'chat',
    target: `${name}/${model}`,
    tier: quote.basis === 'free' ? 0 : 3,
    repeatability: 'pure',
    wireId: id ?? null,
    request,
    requestHash: isChanged ? canonicalHash(request) : requestHash,
    askedHash: isChanged ? requestHash : null,
    reason,
  });
  return chatCall({ intent, request, hook, scope, parts, model, quote });
}

function deny(call: ChatCall, { step, rule, reason, sentence }: Refusal): ApiCallDecision {
  const { intent, scope, parts } = call;
  scope.tally.denial = reason;
  const what = `${intent.name} ${intent.target}`;
  const error = { code: reason, message: sentence };
  const reply = refuse(
    { ...call, intent: { ...intent, step, rule, denial: reason } },
    error,
    'denied',
  );
  parts.events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  return reply;
}

/** What was reserved is free again: the row is written without it. */
function refuse(
  { intent, parts }: ChatCall,
  error: { readonly code: string; readonly message: string },
  status: 'denied' | 'failed',
): ApiCallDecision {
  const outcome = { approved: false, note: error.message, error };
  parts.journal.save({ ...intent, status, outcome, endedAt: parts.now().toISOString() });
  return { type: 'api_call_decision', ...outcome };
}
