import * as z from 'zod';
import { finishAnswer, type GivenAnswer } from '../../answer/answer.ts';
import type { Carried } from '../../answer/carried.ts';
import { withoutThoughts } from '../../answer/think-tags.ts';
import { settleUsage } from '../../answer/usage.ts';
import { malformed } from '../../failure/failure.ts';
import type { ChatResult, ModelRequest } from '../../provider.ts';
import { Content, reasoningFields, textOf } from './openai-content.ts';
import type { ToolCallExtras } from './openai-messages.ts';

const Tokens = z.number().nullish().catch(undefined);

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

const Completion = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: Content.nullish(),
          refusal: z.string().nullish(),
          ...reasoningFields,
          tool_calls: z.array(ToolCall).nullish(),
          /** The legacy form of `tool_calls`. */
          function_call: ToolCall.shape.function.nullish(),
        }),
      }),
    )
    .min(1),
  usage: UsageBody,
});
type Completion = z.infer<typeof Completion>;

/** Finish reasons of compatible servers, in lower case. All others (`stop`, `eos`, `end_turn`, `function_call`) mean a regular end. */
const finishes: ReadonlyMap<string, GivenAnswer['finish']> = new Map([
  ['length', 'length'],
  ['model_length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['content_filter', 'refusal'],
  ['refusal', 'refusal'],
  ['safety', 'refusal'],
  ['sensitive', 'refusal'],
]);

/** Reads one chat completion. @throws ProviderError `malformed` */
export function readCompletion(
  document: unknown,
  request: ModelRequest,
  asked: { model: string; carried: Carried<ToolCallExtras> },
): ChatResult {
  const parsed = Completion.safeParse(document);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || choice === undefined) {
    throw malformed('openai', 'it is not a chat completion');
  }
  const { message } = choice;
  const calls = callsOf(message).map((call) => ({
    id: call.id,
    name: call.function.name,
    args: call.function.arguments,
  }));
  const text = message.refusal || withoutThoughts(textOf(message.content));
  const finish = finishes.get(choice.finish_reason?.toLowerCase() ?? '') ?? 'stop';
  const result = finishAnswer(
    {
      provider: 'openai',
      model: parsed.data.model || asked.model,
      text,
      calls,
      finish: message.refusal ? 'refusal' : finish,
      ...usageOf(parsed.data.usage, request, text + JSON.stringify(calls)),
    },
    request,
  );
  keepExtras(message, result, asked.carried);
  return asked.carried.addTo(result);
}

type Message = Completion['choices'][number]['message'];

function callsOf({ tool_calls, function_call }: Message): z.infer<typeof ToolCall>[] {
  if (tool_calls?.length || !function_call) return tool_calls ?? [];
  return [{ id: undefined, function: function_call }];
}

/** Some servers count reasoning separately from the completion, but include it in the total. */
function usageOf(usage: z.infer<typeof UsageBody>, request: ModelRequest, output: string) {
  const input = usage?.prompt_tokens;
  const completion = usage?.completion_tokens;
  const rest = (usage?.total_tokens ?? 0) - (input ?? 0);
  return settleUsage(
    {
      input,
      cached: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens,
      written: usage?.prompt_tokens_details?.cache_write_tokens,
      output: typeof completion === 'number' ? Math.max(completion, rest) : completion,
    },
    request,
    output,
  );
}

function keepExtras(message: Message, result: ChatResult, carried: Carried<ToolCallExtras>): void {
  const { reasoning_content, reasoning, reasoning_details } = message;
  const thoughts = withoutNulls({ reasoning_content, reasoning, reasoning_details });
  for (const [index, { id }] of result.response.tool_calls.entries()) {
    const { extra_content } = message.tool_calls?.[index] ?? {};
    const extras = { ...(index === 0 && thoughts), ...withoutNulls({ extra_content }) };
    if (Object.keys(extras).length > 0) carried.keep(id, extras);
  }
}

const withoutNulls = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined));
