import type { ChatMessage } from '../../contract/chat.ts';
import type { Carried } from '../carried.ts';
import type { ModelRequest } from '../provider.ts';
import { documentInstruction, isStrictSchema, titledSchema } from '../structured.ts';
import { defaultMaxOutputTokens } from '../usage.ts';

/** How a document is asked for: the best way first, each for servers that refuse the one before. */
export const formats = ['strict', 'schema', 'object', 'words'] as const;
export type Format = (typeof formats)[number];

/** What a server turned out to take. */
export interface Dialect {
  readonly maxTokens: 'max_completion_tokens' | 'max_tokens';
  readonly format: Format;
  /** Current OpenAI models take tools here only without reasoning. */
  readonly effort: 'none' | undefined;
}

/** What a compatible server wants back with a tool call. */
export interface ToolCallExtras {
  readonly reasoning_content?: string | undefined;
  readonly extra_content?: unknown;
}

/** Long outputs are streamed, so that no proxy on the way takes the silence for an end. */
const streamAboveTokens = 16_384;

/** One `POST /chat/completions`. Source: platform.openai.com/docs/api-reference/chat/create */
export function chatBody(
  request: ModelRequest,
  model: string,
  dialect: Dialect,
  carried: Carried<ToolCallExtras>,
): Record<string, unknown> {
  const maxTokens = request.max_output_tokens ?? defaultMaxOutputTokens;
  const { response, tools } = request;
  const inWords = response && (dialect.format === 'object' || dialect.format === 'words');
  const messages = request.messages.map((message) => messageBody(message, carried));
  return {
    model,
    messages: inWords
      ? [{ role: 'system', content: documentInstruction(response) }, ...messages]
      : messages,
    ...(tools?.length
      ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) }
      : {}),
    ...(tools?.length && dialect.effort ? { reasoning_effort: dialect.effort } : {}),
    ...(response ? responseFormat(response, dialect.format) : {}),
    [dialect.maxTokens]: maxTokens,
    ...(maxTokens > streamAboveTokens
      ? { stream: true, stream_options: { include_usage: true } }
      : { stream: false }),
  };
}

function messageBody(message: ChatMessage, carried: Carried<ToolCallExtras>) {
  if (message.role !== 'assistant' || !message.tool_calls?.length) {
    return message.role === 'assistant'
      ? { role: message.role, content: message.content }
      : message;
  }
  const reasoning = carried.find(message.tool_calls[0]?.id ?? '')?.reasoning_content;
  return {
    role: 'assistant',
    content: message.content || null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    tool_calls: message.tool_calls.map((call) => {
      const extra = carried.find(call.id)?.extra_content;
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

/** The dialect to try next after a refusal; undefined where the refusal is about something else. */
export function relaxed(
  dialect: Dialect,
  refusal: string,
  hasDocument: boolean,
): Dialect | undefined {
  if (/reasoning_effort/.test(refusal) && dialect.effort === undefined) {
    return { ...dialect, effort: 'none' };
  }
  if (dialect.maxTokens === 'max_tokens' && /max_completion_tokens/.test(refusal)) {
    return { ...dialect, maxTokens: 'max_completion_tokens' };
  }
  if (dialect.maxTokens === 'max_completion_tokens' && /max_completion_tokens/.test(refusal)) {
    return { ...dialect, maxTokens: 'max_tokens' };
  }
  const next = formats[formats.indexOf(dialect.format) + 1];
  const isAboutFormat =
    /response.?format|json.?schema|json.?object|json.?mode|schema|structured|grammar/i;
  if (hasDocument && next !== undefined && isAboutFormat.test(refusal)) {
    return { ...dialect, format: next };
  }
  return undefined;
}
