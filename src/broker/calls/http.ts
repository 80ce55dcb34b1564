import { AppError, failedWith } from '../../contract/errors.ts';
import type {
  ApiCallDecision,
  ApiCallIntent,
  HttpRequest,
  ToolCallIntent,
} from '../../contract/protocol.ts';
import { canonicalHash } from '../../platform/canonical-hash.ts';
import { openIntent } from '../intent/record.ts';
import type { AttemptScope } from '../intent/scope.ts';
import { reuse, takeRecord } from '../recall/recall.ts';
import { httpOutcome } from '../tool-calls/http-outcome.ts';
import { errorsOf, loopOf } from '../tool-calls/loop-guard.ts';
import type { BrokerParts } from './parts.ts';
import { wireError } from './perform-tool.ts';
import { answerPrepared } from './tool.ts';
import { beforeToolCall, type HookedCall } from './tool-hooks.ts';

type HttpIntent = ApiCallIntent & { readonly request: HttpRequest };

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

/**
 * Decides, performs and journals one request in the name of a service: what `http_api` does, with the service's address
 * and credential, for a capsule that is granted the service.
 */
export async function answerHttpCall(
  message: HttpIntent,
  scope: AttemptScope,
  parts: BrokerParts,
): Promise<ApiCallDecision> {
  scope.tally.toolCalls += 1;
  const where = { scope, parts };
  const { request } = message;
  const askedHash = canonicalHash(request);
  const recorded = takeRecord({ wireId: message.id, requestHash: askedHash }, where);
  if (recorded.kind === 'answer') {
    reuse(recorded.record, where);
    const outcome = recorded.record.outcome as Omit<ApiCallDecision, 'type'>;
    return { type: 'api_call_decision', ...outcome };
  }
  let hooked: HookedCall;
  let call: ToolCallIntent;
  try {
    call = toolCallOf(message, parts);
    const tool = parts.tools.get(call.tool);
    if (!tool) throw new AppError('TOOL_UNKNOWN', { tool: call.tool, known: [] });
    hooked = await beforeToolCall(call, tool.prepare(call.args), where);
  } catch (error) {
    if (failedWith(error, 'CANCELLED')) throw error;
    return answerBadRequest(message, error, where);
  }
  const isChanged = hooked.args !== call.args;
  const asked = {
    kind: 'http',
    wireId: message.id ?? null,
    reason: message.reason,
    request: isChanged ? { kind: 'http', args: hooked.args } : request,
    askedHash,
    isChanged,
  } as const;
  const { type: _, ...outcome } = await answerPrepared({ asked, hooked, recorded }, where);
  return { type: 'api_call_decision', ...httpOutcome(outcome) };
}

/** @throws AppError `SERVICE_UNKNOWN`, `TOOL_ARGS_INVALID`. */
function toolCallOf(
  { request, reason, id }: HttpIntent,
  { services }: BrokerParts,
): ToolCallIntent {
  const { service: name, method, path, headers = {}, body } = request;
  const service = services?.get(name);
  if (!service) {
    throw new AppError('SERVICE_UNKNOWN', { service: name, known: [...(services?.keys() ?? [])] });
  }
  const url = `${service.origin}${path}`;
  if (!URL.canParse(url) || new URL(url).origin !== service.origin) {
    throw new AppError('TOOL_ARGS_INVALID', { tool: 'http_api', issues: '"path" is no path' });
  }
  const args = { service: name, method, url, headers, ...(body === undefined ? {} : { body }) };
  return { type: 'tool_call_intent', tool: 'http_api', args, reason, ...(id ? { id } : {}) };
}

/** An unknown service or a bad request: nothing was decided, nothing done, and the capsule is told what is wrong. */
function answerBadRequest(
  { id, request, reason }: HttpIntent,
  thrown: unknown,
  { scope, parts }: Where,
): ApiCallDecision {
  const { service, method, path } = request;
  const error = wireError(thrown);
  const outcome = { approved: false, note: error.message, error };
  const intent = openIntent(scope, parts.now, {
    kind: 'http',
    name: `http_api.${method}`,
    target: `${service}${path}`,
    tier: 0,
    repeatability: 'pure',
    wireId: id ?? null,
    request,
    reason,
  });
  const endedAt = parts.now().toISOString();
  parts.journal.saveSoon({ ...intent, status: 'failed', outcome, endedAt });
  const loop = loopOf(intent, scope.tally) ?? errorsOf({ ok: false, error }, scope.tally);
  if (loop) scope.end(loop);
  return { type: 'api_call_decision', ...outcome };
}
