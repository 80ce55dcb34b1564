import type { ChatMessage } from '../../../contract/wire/chat.ts';
import { callsOf, functionTools, withInstruction } from '../../answer/messages.ts';
import type { Reasoning } from '../../answer/reasoning.ts';
import { isStrictSchema, titledSchema } from '../../answer/structured.ts';
import type { ModelRequest } from '../../provider.ts';
import type { Call } from '../../vendor.ts';
import type { Dialect, Format } from './openai-dialect.ts';

/** Fields that a compatible server needs back with a tool call. */
export interface ToolCallExtras {
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
  readonly extra_content?: unknown;
}

/** One `POST /chat/completions`. Source: platform.openai.com/docs/api-reference/chat/create */
export function chatBody(
  request: ModelRequest,
  { model, form, reasoning, maxTokens, wantsStream, extraOf }: Call<Dialect, ToolCallExtras>,
): Record<string, unknown> {
  const { response, tools } = request;
  const inWords = form.format === 'object' || form.format === 'words';
  const extrasOf = (id: string) => extrasFor(form, extraOf(id));
  const messages = request.messages.map((message) => messageBody(message, extrasOf));
  const effort = effortOf(form, model, { reasoning, hasTools: Boolean(tools?.length) });
  return {
    model,
    messages: withInstruction(messages, inWords && response),
    ...functionTools(tools),
    ...(effort ? { reasoning_effort: effort } : {}),
    ...(response ? responseFormat(response, form.format) : {}),
    [form.maxTokens]: maxTokens,
    ...streamBody(form, wantsStream),
  };
}

function extrasFor({ thoughts }: Dialect, extras: ToolCallExtras = {}): ToolCallExtras {
  if (thoughts === 'always') return { reasoning_content: '', ...extras };
  return thoughts === 'as_given' ? extras : { extra_content: extras.extra_content };
}

function streamBody({ stream }: Dialect, isWanted: boolean) {
  if (!isWanted || stream === 'none') return { stream: false };
  if (stream === 'plain') return { stream: true };
  return { stream: true, stream_options: { include_usage: true } };
}

function effortOf(
  { effort }: Dialect,
  model: string,
  asked: { readonly reasoning: Reasoning | undefined; readonly hasTools: boolean },
): Reasoning | undefined {
  if (effort === 'none' && asked.hasTools) return 'none';
  return effort !== 'left_out' && !withoutEffort.test(model) ? asked.reasoning : undefined;
}

/** OpenAI models without reasoning. */
const withoutEffort = /^(openai\/)?(gpt-[34]|chatgpt-|gpt-5[\d.]*-chat)/;

function messageBody(message: ChatMessage, extrasOf: (callId: string) => ToolCallExtras) {
  const calls = callsOf(message);
  if (message.role !== 'assistant') return message;
  if (calls.length === 0) return { role: message.role, content: message.content };
  const { extra_content: _, ...thoughts } = extrasOf(calls[0]?.id ?? '');
  return {
    role: message.role,
    content: message.content || null,
    ...thoughts,
    tool_calls: calls.map(({ id, name, args }) => {
      const { extra_content } = extrasOf(id);
      return {
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
        ...(extra_content === undefined ? {} : { extra_content }),
      };
    }),
  };
}

function responseFormat(response: NonNullable<ModelRequest['response']>, format: Format) {
  if (format === 'words') return {};
  if (format === 'object') return { response_format: { type: 'json_object' } };
  const strict = format === 'strict' && isStrictSchema(response.schema);
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: response.name, schema: titledSchema(response), strict },
    },
  };
}
