import { AppError } from '../../contract/errors.ts';
import type { ApiCallDecision } from '../../contract/wire/coordinator-messages.ts';
import type { ApiCallIntent, HttpRequest, ToolCallIntent } from '../../contract/wire/protocol.ts';
import type { CallKind, Received } from './call.ts';
import type { BrokerParts, CallContext } from './parts.ts';
import type { ToolCall, ToolOutcome } from './tool/tool-call.ts';
import { prepareTool, toolCalls } from './tool.ts';

export type HttpIntent = ApiCallIntent & { readonly request: HttpRequest };

type HttpOutcome = Omit<ApiCallDecision, 'type'>;

/** Requests to a configured service that the capsule is granted, performed by `http_api` with its address and credential. */
export const httpCalls: CallKind<HttpIntent, ToolCall, ToolOutcome> = {
  ...toolCalls,
  requestOf: ({ request }) => request,
  prepare,
  stored,
  reply: (outcome) => ({ type: 'api_call_decision', ...(outcome as HttpOutcome) }),
};

/** Errors of calls that were refused before they could start. */
const refused: ReadonlySet<string> = new Set(
  'INTENT_DENIED SERVICE_UNKNOWN TOOL_ARGS_INVALID TOOL_UNKNOWN'.split(' '),
);

function stored({ ok, result, error }: ToolOutcome): HttpOutcome {
  return {
    approved: error === undefined || !refused.has(error.code),
    note: error?.message ?? '',
    ...(ok ? { response: result } : {}),
    ...(error ? { error } : {}),
  };
}

function prepare(received: Received<HttpIntent>, context: CallContext) {
  const { request } = received.message;
  const { service, method, path } = request;
  const call = () => toolCallOf(received.message, context.parts);
  const requestWith = (args: unknown) => ({ kind: 'http', args });
  const shown = { name: `http_api.${method}`, target: `${service}${path}` };
  return prepareTool({ kind: 'http', ...shown, request, call, requestWith }, received, context);
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
    throw new AppError('TOOL_ARGS_INVALID', { tool: 'http_api', issues: '"path" is not a path' });
  }
  const args = { service: name, method, url, headers, ...(body === undefined ? {} : { body }) };
  return { type: 'tool_call_intent', tool: 'http_api', args, reason, ...(id ? { id } : {}) };
}
