import type { ChatRequest, ChatResponse, Usage } from '../../contract/wire/chat.ts';
import type { ApiCallDecision, ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import type { ApiCallIntent, Progress, ToolCallIntent } from '../../contract/wire/protocol.ts';
import type { Port } from './port.ts';

/** Longest texts that the protocol accepts, in characters. */
const REASON_CHARS = 2_000;
const INVALID_CHARS = 4_000;
const PROGRESS_CHARS = 1_000;

/** A request that was denied or failed; `code` says which. */
export class CodedError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A tool that was denied or failed; `code` says which. */
export class ToolError extends CodedError {
  override readonly name = 'ToolError';
}

/** A model call that was denied or failed; `code` says which. */
export class ModelError extends CodedError {
  override readonly name = 'ModelError';
}

/** Asks for one tool call. A failing tool is a reply with `ok: false`. */
export async function askTool(
  port: Port,
  call: Pick<ToolCallIntent, 'tool' | 'args' | 'invalid_args' | 'reason'>,
): Promise<ToolCallResult> {
  const invalid_args = call.invalid_args?.slice(0, INVALID_CHARS);
  const reason = call.reason.slice(0, REASON_CHARS);
  const intent: ToolCallIntent = { type: 'tool_call_intent', ...call, invalid_args, reason };
  return (await port.ask(intent)) as ToolCallResult;
}

/** @throws ModelError when the call is denied or fails. */
export const askModel = async (
  port: Port,
  request: Omit<ChatRequest, 'kind'>,
  reason: string,
): Promise<ChatResponse> => (await askChat(port, request, reason)).response;

/** Like `askModel`, with the used tokens, if they are known. */
export async function askChat(
  port: Port,
  request: Omit<ChatRequest, 'kind'>,
  reason: string,
): Promise<{ readonly response: ChatResponse; readonly usage: Usage | undefined }> {
  const intent: ApiCallIntent = {
    type: 'api_call_intent',
    provider: '',
    endpoint: 'chat',
    reason: reason.slice(0, REASON_CHARS),
    request: { kind: 'chat', ...request },
  };
  const { approved, note, response, error, usage } = (await port.ask(intent)) as ApiCallDecision;
  if (error !== undefined) throw new ModelError(error.code, error.message);
  if (!approved) throw new ModelError('INTENT_DENIED', note);
  return { response: response as ChatResponse, usage };
}

/** Shows a line to the person who watches. */
export function showProgress(port: Port, text: string, fraction?: number): void {
  const progress: Progress = { type: 'progress', text: text.slice(0, PROGRESS_CHARS) };
  if (fraction !== undefined && fraction >= 0 && fraction <= 1) progress.fraction = fraction;
  port.emit(progress);
}
