import type { ChatMessage } from '../../../contract/chat.ts';
import type { Carried } from '../../answer/carried.ts';
import type { Reasoning } from '../../answer/reasoning.ts';
import { documentInstruction, isStrictSchema, titledSchema } from '../../answer/structured.ts';
import { defaultMaxOutputTokens } from '../../answer/usage.ts';
import type { ModelRequest } from '../../provider.ts';
import type { Dialect, Format } from './openai-dialect.ts';

/** Options outside the request itself. */
export interface ChatOptions {
  readonly model: string;
  readonly dialect: Dialect;
  readonly carried: Carried<ToolCallExtras>;
  readonly reasoning: Reasoning | undefined;
  /** Whether the answer must be streamed. */
  readonly wantsStream: boolean;
}

/** Fields that a compatible server needs back with a tool call. */
export interface ToolCallExtras {
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
  readonly extra_content?: unknown;
}

/** Longer outputs are streamed, so that no proxy closes the idle connection. */
const streamAboveTokens = 16_384;

/** One `POST /chat/completions`. Source: platform.openai.com/docs/api-reference/chat/create */
export function chatBody(
  request: ModelRequest,
  { model, dialect, carried, reasoning, wantsStream }: ChatOptions,
): Record<string, unknown> {
  const maxTokens = request.max_output_tokens ?? defaultMaxOutputTokens;
  const { response, tools } = request;
  const inWords = response && (dialect.format === 'object' || dialect.format === 'words');
  const extrasOf = (id: string) => extrasFor(dialect, carried.find(id));
  const messages = request.messages.map((message) => messageBody(message, extrasOf));
  const effort = effortOf(dialect, model, { reasoning, hasTools: Boolean(tools?.length) });
  return {
    model,
    messages: inWords
      ? [{ role: 'system', content: documentInstruction(response) }, ...messages]
      : messages,
    ...(tools?.length
      ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) }
      : {}),
    ...(effort ? { reasoning_effort: effort } : {}),
    ...(response ? responseFormat(response, dialect.format) : {}),
    [dialect.maxTokens]: maxTokens,
    ...streamBody(dialect, wantsStream || maxTokens > streamAboveTokens),
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
  if (message.role !== 'assistant' || !message.tool_calls?.length) {
    return message.role === 'assistant'
      ? { role: message.role, content: message.content }
      : message;
  }
  const { extra_content: _, ...thoughts } = extrasOf(message.tool_calls[0]?.id ?? '');
  return {
    role: 'assistant',
    content: message.content || null,
    ...thoughts,
    tool_calls: message.tool_calls.map((call) => {
      const extra = extrasOf(call.id).extra_content;
      return {
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.args) },
        ...(extra === undefined ? {} : { extra_content: extra }),
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
