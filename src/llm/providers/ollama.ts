import * as z from 'zod';
import type { ChatMessage } from '../../contract/wire/chat.ts';
import type { GivenAnswer } from '../answer/answer.ts';
import { callsOf, functionTools, toolNames, withInstruction } from '../answer/messages.ts';
import type { Reasoning } from '../answer/reasoning.ts';
import { titledSchema } from '../answer/structured.ts';
import { withoutThoughts } from '../answer/think-tags.ts';
import { estimateInputTokens, Tokens } from '../answer/usage.ts';
import { StreamBroken } from '../http/stream-events.ts';
import { createModelProvider } from '../model-provider.ts';
import { type ModelRequest, type Provider, ProviderError } from '../provider.ts';
import { listWaitMs } from '../served-models.ts';
import type { Assembler, Call, Vendor, VendorOptions, Wire } from '../vendor.ts';

/** Ollama's own chat API. */
export const createProvider = (options: VendorOptions): Provider =>
  createModelProvider(chat, options);

const Shown = z.object({ model_info: z.record(z.string(), z.unknown()) });

/** The context length that a model was trained for, up to the maximum of `chatBody`. */
async function readWindow(model: string, vendor: Vendor): Promise<number | undefined> {
  const answer = vendor.post('/api/show', { model }, AbortSignal.timeout(listWaitMs));
  const shown = Shown.safeParse(await answer.catch(() => undefined));
  const facts = Object.entries(shown.data?.model_info ?? {});
  const tokens = facts.find(([key]) => key.endsWith('.context_length'))?.[1];
  return typeof tokens === 'number' && tokens > 0 ? Math.min(tokens, maxContextTokens) : undefined;
}

/** The features that a model accepts. */
interface Form {
  readonly mayThink: boolean;
}

/**
 * One `POST /api/chat`. Source: github.com/ollama/ollama/blob/main/docs/api.md
 *
 * The context length is set, because Ollama silently truncates the start of prompts longer than its default. In steps of
 * powers of two, because a change reloads the model.
 */
function chatBody(
  request: ModelRequest,
  { model, form, reasoning, maxTokens, wantsStream, extraOf }: Call<Form, string>,
): Record<string, unknown> {
  const { response, tools } = request;
  const inWords = response !== undefined && Boolean(tools?.length);
  const names = toolNames(request.messages);
  const messages = request.messages.map((message) => messageBody(message, names, extraOf));
  return {
    model,
    messages: withInstruction(messages, inWords && response),
    ...functionTools(tools),
    ...(response && !inWords ? { format: titledSchema(response) } : {}),
    ...(form.mayThink && reasoning ? { think: thinkOf(model, reasoning) } : {}),
    stream: wantsStream,
    options: {
      num_predict: maxTokens,
      num_ctx: contextLength(estimateInputTokens(request) + maxTokens),
    },
  };
}

/** The maximum context length. */
const maxContextTokens = 262_144;

function contextLength(tokens: number): number {
  const steps = [8_192, 16_384, 32_768, 65_536, 131_072];
  return steps.find((step) => step >= tokens * 1.25) ?? maxContextTokens;
}

/** For most models, reasoning is on or off; gpt-oss takes a level, and always reasons. */
function thinkOf(model: string, level: Reasoning): boolean | string {
  if (!/gpt-oss/.test(model)) return level !== 'none';
  return level === 'none' ? 'low' : level;
}

function messageBody(
  message: ChatMessage,
  names: ReadonlyMap<string, string>,
  extraOf: Call<Form, string>['extraOf'],
) {
  const { role, content } = message;
  if (role === 'tool') {
    const name = names.get(message.tool_call_id);
    return { role, content, ...(name === undefined ? {} : { tool_name: name }) };
  }
  const calls = callsOf(message);
  if (calls.length === 0) return { role, content };
  const thinking = extraOf(calls[0]?.id ?? '');
  return {
    role,
    content,
    ...(thinking === undefined ? {} : { thinking }),
    tool_calls: calls.map(({ name, args }) => ({ function: { name, arguments: args } })),
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
  prompt_eval_count: Tokens,
  eval_count: Tokens,
});
type Chat = z.infer<typeof Chat>;

/** Reads one chat answer. */
function readChat(answer: Chat): GivenAnswer<string> {
  const { model, message, done_reason, prompt_eval_count, eval_count } = answer;
  const text = withoutThoughts(message.content ?? '');
  const calls = (message.tool_calls ?? []).map(({ id, function: called }, index) => ({
    id,
    name: called.name,
    args: called.arguments,
    extra: index === 0 && message.thinking ? message.thinking : undefined,
  }));
  return {
    model,
    text,
    calls,
    finish: done_reason === 'length' ? 'length' : 'stop',
    usage: { input: prompt_eval_count, output: eval_count },
    output: text + JSON.stringify(message.tool_calls ?? []),
  };
}

/** Assembles one chat answer from the lines of a stream. */
function assembleChat(): Assembler {
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

const chat: Wire<Form, string, Chat> = {
  vendor: 'ollama',
  basePath: '/api',
  listPath: '/api/tags',
  headers: (apiKey) => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  hasThinkTags: true,
  answer: Chat,
  answerName: 'a chat answer',
  assembler: assembleChat,
  firstForm: () => ({ mayThink: true }),
  request: (request, call) => ({ path: '/api/chat', body: chatBody(request, call) }),
  read: readChat,
  relax: (refusal, _request, { form, reasoning }) =>
    form.mayThink && reasoning && /think/i.test(refusal) ? { mayThink: false } : undefined,
  explain(error, model) {
    if (!(error instanceof ProviderError) || error.problem !== 'not_found') return error;
    const message = `${error.message} Get it with \`ollama pull ${model}\`, or choose another with CAPSTAN_MODEL_BALANCED.`;
    return new ProviderError(error.provider, message, error, { cause: error });
  },
  contextTokens: readWindow,
};
