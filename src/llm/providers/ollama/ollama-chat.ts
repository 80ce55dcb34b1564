import * as z from 'zod';
import type { ChatMessage } from '../../../contract/chat.ts';
import { finishAnswer } from '../../answer/answer.ts';
import type { Carried } from '../../answer/carried.ts';
import type { Reasoning } from '../../answer/reasoning.ts';
import { documentInstruction, titledSchema } from '../../answer/structured.ts';
import { withoutThoughts } from '../../answer/think-tags.ts';
import { defaultMaxOutputTokens, estimateInputTokens, settleUsage } from '../../answer/usage.ts';
import { malformed } from '../../failure/failure.ts';
import { StreamBroken } from '../../http/stream-events.ts';
import type { ChatResult, ModelRequest } from '../../provider.ts';
import type { Assembler } from '../../vendor.ts';

/** Options outside the request itself. */
export interface ChatOptions {
  readonly model: string;
  readonly carried: Carried<string>;
  /** The reasoning effort. Default: the model's. */
  readonly thinking: Reasoning | undefined;
  /** Whether the answer must be streamed. */
  readonly wantsStream: boolean;
}

/**
 * One `POST /api/chat`. Source: github.com/ollama/ollama/blob/main/docs/api.md
 *
 * The context length is set, because Ollama silently truncates the start of prompts longer than its default. In steps of
 * powers of two, because a change reloads the model.
 */
export function chatBody(
  request: ModelRequest,
  { model, carried, thinking, wantsStream }: ChatOptions,
): Record<string, unknown> {
  const { response, tools } = request;
  const maxTokens = request.max_output_tokens ?? defaultMaxOutputTokens;
  const inWords = response !== undefined && Boolean(tools?.length);
  const names = new Map(
    request.messages.flatMap((message) =>
      message.role === 'assistant'
        ? (message.tool_calls ?? []).map(({ id, name }) => [id, name] as const)
        : [],
    ),
  );
  const messages = request.messages.map((message) => messageBody(message, { names, carried }));
  return {
    model,
    messages: inWords
      ? [{ role: 'system', content: documentInstruction(response) }, ...messages]
      : messages,
    ...(tools?.length
      ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) }
      : {}),
    ...(response && !inWords ? { format: titledSchema(response) } : {}),
    ...(thinking ? { think: thinkOf(model, thinking) } : {}),
    stream: wantsStream,
    options: {
      num_predict: maxTokens,
      num_ctx: contextLength(estimateInputTokens(request) + maxTokens),
    },
  };
}

/** The maximum context length. */
export const maxContextTokens = 262_144;

function contextLength(tokens: number): number {
  const steps = [8_192, 16_384, 32_768, 65_536, 131_072];
  return steps.find((step) => step >= tokens * 1.25) ?? maxContextTokens;
}

/** For most models, reasoning is on or off; gpt-oss takes a level, and always reasons. */
function thinkOf(model: string, level: Reasoning): boolean | string {
  if (!/gpt-oss/.test(model)) return level !== 'none';
  return level === 'none' ? 'low' : level;
}

interface Known {
  /** Tool names by the id of their call. */
  readonly names: ReadonlyMap<string, string>;
  readonly carried: Carried<string>;
}

function messageBody(message: ChatMessage, { names, carried }: Known) {
  if (message.role === 'tool') {
    const name = names.get(message.tool_call_id);
    return {
      role: 'tool',
      content: message.content,
      ...(name === undefined ? {} : { tool_name: name }),
    };
  }
  if (message.role !== 'assistant' || !message.tool_calls?.length) {
    return { role: message.role, content: message.content };
  }
  const calls = message.tool_calls.map(({ name, args }) => ({
    function: { name, arguments: args },
  }));
  const thoughts = carried.find(message.tool_calls[0]?.id ?? '');
  return {
    role: message.role,
    content: message.content,
    ...(thoughts === undefined ? {} : { thinking: thoughts }),
    tool_calls: calls,
  };
}

const Chat = z.object({
  model: z.string().nullish(),
  message: z.object({
    content: z.string().nullish(),
    thinking: z.string().nullish().catch(undefined),
    tool_calls: z
      .array(
        z.object({
          id: z.string().nullish().catch(undefined),
          function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
        }),
      )
      .nullish(),
  }),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish().catch(undefined),
  eval_count: z.number().nullish().catch(undefined),
});
type Chat = z.infer<typeof Chat>;

/** Reads one chat answer. @throws ProviderError `malformed` */
export function readChat(
  document: unknown,
  request: ModelRequest,
  { model, carried }: { readonly model: string; readonly carried: Carried<string> },
): ChatResult {
  const parsed = Chat.safeParse(document);
  if (!parsed.success) throw malformed('ollama', 'it is not a chat answer');
  const { message, done_reason, prompt_eval_count, eval_count } = parsed.data;
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    args: call.function.arguments,
  }));
  const text = withoutThoughts(message.content ?? '');
  const result = finishAnswer(
    {
      provider: 'ollama',
      model: parsed.data.model || model,
      text,
      calls,
      finish: done_reason === 'length' ? 'length' : 'stop',
      ...settleUsage(
        { input: prompt_eval_count, output: eval_count },
        request,
        text + JSON.stringify(calls),
      ),
    },
    request,
  );
  const [first] = result.response.tool_calls;
  if (first !== undefined && message.thinking) carried.keep(first.id, message.thinking);
  return carried.addTo(result);
}

/** Assembles one chat answer from the lines of a stream. */
export function assembleChat(): Assembler {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: NonNullable<Chat['message']['tool_calls']> = [];
  let last: Chat | undefined;
  return {
    push(event) {
      const parsed = Chat.safeParse(event);
      if (!parsed.success) throw new StreamBroken('a line is not a chat answer');
      last = parsed.data;
      if (last.message.content) texts.push(last.message.content);
      if (last.message.thinking) thoughts.push(last.message.thinking);
      calls.push(...(last.message.tool_calls ?? []));
      return last.message.content ?? '';
    },
    isComplete: () => last?.done === true,
    document: () => ({
      ...last,
      message: { content: texts.join(''), thinking: thoughts.join(''), tool_calls: calls },
    }),
  };
}
