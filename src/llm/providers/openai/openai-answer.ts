import * as z from 'zod';
import type { GivenAnswer } from '../../answer/answer.ts';
import { withoutThoughts } from '../../answer/think-tags.ts';
import { type Reported, Tokens } from '../../answer/usage.ts';
import type { ToolCallExtras } from './openai-messages.ts';

/** The names of servers for reasoning, which is not part of the answer. */
export const reasoningFields = {
  reasoning_content: z.string().nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
  reasoning_details: z.array(z.looseObject({})).nullish().catch(undefined),
};

/** Mistral's reasoning models answer in parts; only parts of type `text` are the answer. */
const Part = z.union([
  z.string(),
  z.looseObject({ type: z.string().nullish(), text: z.string().nullish().catch(undefined) }),
]);
const Content = z.union([z.string(), z.array(Part), Part]);

/** The answer in a content, whole or a piece of a stream. Other types, such as `thinking`, are not part of it. */
export function textOf(content: unknown): string {
  if (Array.isArray(content)) return content.map(textOf).join('');
  if (typeof content === 'string') return content;
  const { type, text } = (content ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  const isText = /^(output_)?text$/.test(String(type ?? 'text'));
  return isText && typeof text === 'string' ? text : '';
}

const UsageBody = z
  .object({
    prompt_tokens: Tokens,
    completion_tokens: Tokens,
    total_tokens: Tokens,
    prompt_tokens_details: z
      .object({ cached_tokens: Tokens, cache_write_tokens: Tokens })
      .nullish()
      .catch(undefined),
    /** DeepSeek's name for cached tokens. */
    prompt_cache_hit_tokens: Tokens,
  })
  .nullish()
  .catch(undefined);

const ToolCall = z.object({
  id: z.string().nullish().catch(undefined),
  function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
  extra_content: z.unknown().optional(),
});

const Choice = z.object({
  finish_reason: z.string().nullish(),
  message: z.object({
    content: Content.nullish(),
    refusal: z.string().nullish(),
    ...reasoningFields,
    tool_calls: z.array(ToolCall).nullish(),
    /** The legacy form of `tool_calls`. */
    function_call: ToolCall.shape.function.nullish(),
  }),
});

export const Completion = z.object({
  model: z.string().nullish(),
  choices: z.tuple([Choice], z.unknown()),
  usage: UsageBody,
});
export type Completion = z.infer<typeof Completion>;

/** Finish reasons of compatible servers, in lower case. All others (`stop`, `eos`, `end_turn`, `function_call`) mean a regular end. */
const finishes: ReadonlyMap<string, GivenAnswer<unknown>['finish']> = new Map([
  ['length', 'length'],
  ['model_length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['content_filter', 'refusal'],
  ['refusal', 'refusal'],
  ['safety', 'refusal'],
  ['sensitive', 'refusal'],
]);

/** Reads one chat completion. */
export function readCompletion({ model, choices, usage }: Completion): GivenAnswer<ToolCallExtras> {
  const [{ message, finish_reason }] = choices;
  const called = callsOf(message);
  const text = message.refusal || withoutThoughts(textOf(message.content));
  const finish = finishes.get(finish_reason?.toLowerCase() ?? '') ?? 'stop';
  return {
    model,
    text,
    calls: called.map(({ id, function: { name, arguments: args } }, index) => ({
      id,
      name,
      args,
      extra: extrasOf(message, index),
    })),
    finish: message.refusal ? 'refusal' : finish,
    usage: reported(usage),
    output: text + JSON.stringify(called.map((call) => call.function)),
  };
}

type Message = z.infer<typeof Choice>['message'];

function callsOf({ tool_calls, function_call }: Message): z.infer<typeof ToolCall>[] {
  if (tool_calls?.length || !function_call) return tool_calls ?? [];
  return [{ id: undefined, function: function_call }];
}

/** Some servers count reasoning separately from the completion, but include it in the total. */
function reported(usage: z.infer<typeof UsageBody>): Reported {
  const input = usage?.prompt_tokens;
  const completion = usage?.completion_tokens;
  const rest = (usage?.total_tokens ?? 0) - (input ?? 0);
  return {
    input,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens,
    written: usage?.prompt_tokens_details?.cache_write_tokens,
    output: typeof completion === 'number' ? Math.max(completion, rest) : completion,
  };
}

function extrasOf(message: Message, index: number): ToolCallExtras | undefined {
  const { reasoning_content, reasoning, reasoning_details } = message;
  const thoughts = index === 0 ? { reasoning_content, reasoning, reasoning_details } : {};
  const { extra_content } = message.tool_calls?.[index] ?? {};
  const given = Object.entries({ ...thoughts, extra_content }).filter(([, value]) => value != null);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
