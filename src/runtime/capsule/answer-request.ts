import { dirname } from 'node:path';
import type { CoordinatorRequest } from '../../contract/wire/coordinator-messages.ts';
import type { AgentResponse } from '../../contract/wire/protocol.ts';
import { askModel } from './ask.ts';
import { type Handler, handlerContext, type Left } from './handler-context.ts';
import { runAgentLoop } from './loop/agent-loop.ts';
import { firstMessages } from './loop/loop.ts';
import type { Port } from './port.ts';
import { failed, failedByCut, type ResponseExtras, succeeded } from './response.ts';

/** Errors that a handler raises on purpose. Compared by name because handlers are bundled separately and have their own classes. */
const DELIBERATE_ERRORS = new Set(['TaskError', 'ToolError', 'ModelError']);

/**
 * Performs one request, by the mode of its task kind. Never throws: a failure is a response with status error.
 *
 * @param onCrash Called with unexpected exceptions.
 */
export async function answerRequest(
  request: CoordinatorRequest,
  port: Port,
  handlers: () => Record<string, Handler>,
  onCrash: (error: unknown) => void = () => {},
): Promise<AgentResponse> {
  try {
    const { mode } = request.config;
    if (mode === 'agentic') return await runAgentLoop(request, port);
    if (mode === 'prompt') return await runPrompt(request, port);
    return await runHandler(request, port, handlers());
  } catch (error) {
    if (isDeliberate(error)) return failed(error.code, error.message);
    onCrash(error);
    return failed('CAPSULE_CRASHED', `${crashPlace(error)}${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** `handlers.cjs:13: `, the innermost line of the capsule's own code; empty if the error names none. */
function crashPlace(error: unknown): string {
  const { stack = '' } = error instanceof Error ? error : {};
  const [, afterFolder] = stack.split(`${dirname(process.argv[1] ?? '')}/`);
  const [place] = /^[^\s:]+:\d+/.exec(afterFolder ?? '') ?? [];
  return place ? `${place}: ` : '';
}

async function runHandler(
  request: CoordinatorRequest,
  port: Port,
  handlers: Record<string, Handler>,
): Promise<AgentResponse> {
  const { task_kind } = request.config;
  const handler = Object.hasOwn(handlers, task_kind) ? handlers[task_kind] : undefined;
  if (handler === undefined) {
    return failed('TASK_KIND_UNKNOWN', `This capsule has no handler for "${task_kind}".`);
  }
  const left: Left = {
    remember: [],
    artifacts: [],
    metrics: { tool_calls: 0, model_calls: 0 },
  };
  try {
    return respond(task_kind, await handler(handlerContext(request, port, left)), left);
  } catch (error) {
    if (isDeliberate(error)) return failed(error.code, error.message, left);
    throw error;
  }
}

function respond(kind: string, result: unknown, left: ResponseExtras): AgentResponse {
  const isText = typeof result === 'string';
  const hasText =
    typeof result === 'object' &&
    result !== null &&
    'text' in result &&
    typeof result.text === 'string';
  if (isText || hasText) return succeeded(result, left);
  return failed(
    'RESULT_INVALID',
    `The handler of "${kind}" returned neither text nor {text, data}.`,
  );
}

const isDeliberate = (error: unknown): error is Error & { code: string } =>
  error instanceof Error &&
  DELIBERATE_ERRORS.has(error.name) &&
  'code' in error &&
  typeof error.code === 'string';

/** One model call with the task and its data; the text is the result. */
async function runPrompt(request: CoordinatorRequest, port: Port): Promise<AgentResponse> {
  const metrics = { steps: 1 };
  const { hint = 'balanced' } = request.config;
  const answer = await askModel(port, { messages: firstMessages(request), hint }, request.task);
  const text = answer.text.trim();
  if (answer.finish === 'refusal') {
    return failed('MODEL_REFUSED', text || 'The model declined without a reason.', { metrics });
  }
  if (answer.finish === 'length') return failedByCut(text, metrics);
  if (text === '') return failed('ANSWER_EMPTY', 'The model returned no text.', { metrics });
  return succeeded(answer.text, { metrics });
}
