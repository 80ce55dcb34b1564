import * as z from 'zod';
import { StreamBroken } from '../stream-events.ts';
import type { Assembler } from '../vendor.ts';
import { addCallPart, CallPart, callPartsOf, type StreamedCall } from './openai-call-parts.ts';

const Chunk = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z
          .object({
            content: z
              .union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
              .nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish().catch(undefined),
            tool_calls: z.array(CallPart).nullish(),
            function_call: CallPart.shape.function,
          })
          .nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
  /** Groq's place for the usage. */
  x_groq: z.object({ usage: z.unknown().optional() }).nullish().catch(undefined),
});
type Delta = NonNullable<NonNullable<z.infer<typeof Chunk>['choices']>[number]['delta']>;

/** Puts `chat.completion.chunk` events together to a `chat.completion`. */
export function assembleCompletion(): Assembler {
  /** Texts and parts in the order in which they came: servers mix both. */
  const parts: unknown[] = [];
  const refusals: string[] = [];
  const reasonings: string[] = [];
  const calls: StreamedCall[] = [];
  let model: string | undefined;
  let finish: string | undefined;
  let usage: unknown;

  const add = (delta: Delta) => {
    if (Array.isArray(delta.content)) parts.push(...delta.content);
    else if (delta.content) parts.push(delta.content);
    if (delta.refusal) refusals.push(delta.refusal);
    if (delta.reasoning_content) reasonings.push(delta.reasoning_content);
    for (const part of callPartsOf(delta)) addCallPart(calls, part);
  };

  return {
    push(event) {
      const chunk = Chunk.safeParse(event);
      if (!chunk.success) throw new StreamBroken('an event is no chat completion chunk');
      model = chunk.data.model ?? model;
      usage = chunk.data.usage ?? chunk.data.x_groq?.usage ?? usage;
      const choice = chunk.data.choices?.[0];
      finish = choice?.finish_reason ?? finish;
      if (choice?.delta) add(choice.delta);
    },
    isComplete: () => finish !== undefined,
    document: () => ({
      model,
      usage,
      choices: [
        {
          finish_reason: finish,
          message: {
            content: parts.every((part) => typeof part === 'string') ? parts.join('') : parts,
            refusal: refusals.join(''),
            reasoning_content: reasonings.length > 0 ? reasonings.join('') : undefined,
            tool_calls: calls.map(({ call }) => call),
          },
        },
      ],
    }),
  };
}
