import * as z from 'zod';
import type { ChatMessage } from '../../contract/chat.ts';
import { finishAnswer } from '../answer.ts';
import { malformed } from '../failure.ts';
import type { ChatResult, ModelRequest } from '../provider.ts';
import { StreamBroken } from '../stream-events.ts';
import { documentInstruction, titledSchema } from '../structured.ts';
import { defaultMaxOutputTokens, estimateInputTokens, settleUsage } from '../usage.ts';
import type { Assembler } from '../vendor.ts';

/**
 * One `POST /api/chat`. Source: github.com/ollama/ollama/blob/main/docs/api.md
 *
 * The context length is asked for, since Ollama silently drops the start of what does not fit its default. In steps of
 * powers of two, because a change of it loads the model anew.
 */
export function chatBody(request: ModelRequest, model: string): Record<string, unknown> {
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
  const messages = request.messages.map((message) => messageBody(message, names));
  return {
    model,
    messages: inWords
      ? [{ role: 'system', content: documentInstruction(response) }, ...messages]
      : messages,
    ...(tools?.length
      ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) }
      : {}),
    ...(response && !inWords ? { format: titledSchema(response) } : {}),
    stream: false,
    options: {
      num_predict: maxTokens,
      num_ctx: contextLength(estimateInputTokens(request) + maxTokens),
    },
  };
}

/** The longest context that is asked for. */
export const maxContextTokens = 262_144;

function contextLength(tokens: number): number {
  const steps = [8_192, 16_384, 32_768, 65_536, 131_072];
  return steps.find((step) => step >= tokens * 1.25) ?? maxContextTokens;
}

function messageBody(message: ChatMessage, names: ReadonlyMap<string, string>) {
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
  return { role: message.role, content: message.content, tool_calls: calls };
}

const Chat = z.object({
  model: z.string().nullish(),
  message: z.object({
    content: z.string().nullish(),
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
export function readChat(document: unknown, request: ModelRequest, model: string): ChatResult {
  const parsed = Chat.safeParse(document);
  if (!parsed.success) throw malformed('ollama', 'it is no chat answer');
  const { message, done_reason, prompt_eval_count, eval_count } = parsed.data;
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    args: call.function.arguments,
  }));
  const text = message.content ?? '';
  return finishAnswer(
    {
      provider: 'ollama',
      model: parsed.data.model || model,
      text,
      calls,
      finish: done_reason === 'length' ? 'length' : 'stop',
      usage: settleUsage(
        { input: prompt_eval_count, output: eval_count },
        request,
        text + JSON.stringify(calls),
      ),
    },
    request,
  );
}

/** Puts the lines of a stream together to one chat answer. */
export function assembleChat(): Assembler {
  const texts: string[] = [];
  const calls: NonNullable<Chat['message']['tool_calls']> = [];
  let last: Chat | undefined;
  return {
    push(event) {
      const parsed = Chat.safeParse(event);
      if (!parsed.success) throw new StreamBroken('a line is no chat answer');
      last = parsed.data;
      if (last.message.content) texts.push(last.message.content);
      calls.push(...(last.message.tool_calls ?? []));
    },
    isComplete: () => last?.done === true,
    document: () => ({ ...last, message: { content: texts.join(''), tool_calls: calls } }),
  };
}
