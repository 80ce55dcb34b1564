import type { ChatMessage, ChatResponse } from '../contract/wire/chat.ts';
import type { Attributes } from './span.ts';

/** Request and outcome of an intent from its row, without secrets. */
interface IntentTexts {
  readonly kind: string;
  readonly request: unknown;
  readonly outcome: unknown;
}

/** Longest text of one attribute. */
const MAX_CHARS = 64 * 1024;

/** The content of a model or tool call as attributes. */
export function contentAttributes({ kind, request, outcome }: IntentTexts): Attributes {
  if (kind === 'chat') return chatAttributes(request as ChatRow, outcome as ChatOutcomeRow | null);
  const { args } = (request ?? {}) as { readonly args?: unknown };
  const { result, error } = (outcome ?? {}) as Readonly<Record<string, unknown>>;
  return {
    'gen_ai.tool.call.arguments': textOf(args),
    'gen_ai.tool.call.result': textOf(result ?? error),
  };
}

type ChatRow = { readonly messages?: readonly ChatMessage[] };
type ChatOutcomeRow = { readonly response?: ChatResponse };
type ToolCall = ChatResponse['tool_calls'][number];

function chatAttributes({ messages = [] }: ChatRow, outcome: ChatOutcomeRow | null): Attributes {
  const system = messages.flatMap((one) => (one.role === 'system' ? textParts(one.content) : []));
  const others = messages.filter(({ role }) => role !== 'system');
  const response = outcome?.response;
  return {
    'gen_ai.system_instructions': system.length > 0 ? textOf(system) : undefined,
    'gen_ai.input.messages': textOf(others.map((one) => ({ role: one.role, parts: partsOf(one) }))),
    ...(response && {
      'gen_ai.output.messages': textOf([
        {
          role: 'assistant',
          parts: [...textParts(response.text), ...response.tool_calls.map(callPart)],
          finish_reason: response.finish,
        },
      ]),
      'gen_ai.response.model': response.model,
      'gen_ai.response.finish_reasons': [response.finish],
    }),
  };
}

function partsOf(message: ChatMessage): readonly unknown[] {
  if (message.role === 'tool')
    return [{ type: 'tool_call_response', id: message.tool_call_id, response: message.content }];
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [...textParts(message.content), ...calls.map(callPart)];
}

const textParts = (content: string) => (content === '' ? [] : [{ type: 'text', content }]);
const callPart = ({ id, name, args }: ToolCall) => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
});

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length > MAX_CHARS
    ? `${text.slice(0, MAX_CHARS)}… (${text.length} characters)`
    : text;
}
