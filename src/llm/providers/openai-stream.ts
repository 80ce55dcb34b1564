import * as z from 'zod';
import { StreamBroken } from '../stream-events.ts';
import type { Assembler } from '../vendor.ts';

const CallPart = z.object({
  index: z.int().min(0).max(255).nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
  extra_content: z.unknown().optional(),
});

const Chunk = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z
          .object({
            content: z.union([z.string(), z.array(z.unknown())]).nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish().catch(undefined),
            tool_calls: z.array(CallPart).nullish(),
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

interface Call {
  id: string | undefined;
  function: { name: string; arguments: string };
  extra_content: unknown;
}

/** Puts `chat.completion.chunk` events together to a `chat.completion`. */
export function assembleCompletion(): Assembler {
  const texts: string[] = [];
  const parts: unknown[] = [];
  const refusals: string[] = [];
  const reasonings: string[] = [];
  const calls = new Map<number, Call>();
  let model: string | undefined;
  let finish: string | undefined;
  let usage: unknown;

  const add = (delta: Delta) => {
    if (typeof delta.content === 'string') texts.push(delta.content);
    else parts.push(...(delta.content ?? []));
    if (delta.refusal) refusals.push(delta.refusal);
    if (delta.reasoning_content) reasonings.push(delta.reasoning_content);
    for (const part of delta.tool_calls ?? []) addCall(calls, part);
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
            content: parts.length > 0 ? parts : texts.join(''),
            refusal: refusals.join(''),
            reasoning_content: reasonings.length > 0 ? reasonings.join('') : undefined,
            tool_calls: [...calls.values()],
          },
        },
      ],
    }),
  };
}

/** A part without an index starts a new call when it has an id, and goes on with the last one when it has none. */
function addCall(calls: Map<number, Call>, part: z.infer<typeof CallPart>): void {
  const last = Math.max(-1, ...calls.keys());
  const index = part.index ?? (part.id ? last + 1 : Math.max(0, last));
  const call = calls.get(index) ?? {
    id: undefined,
    function: { name: '', arguments: '' },
    extra_content: undefined,
  };
  call.id = part.id || call.id;
  call.function.name = call.function.name || (part.function?.name ?? '');
  const args = part.function?.arguments;
  if (typeof args === 'string') call.function.arguments += args;
  else if (args) call.function.arguments = JSON.stringify(args);
  call.extra_content = part.extra_content ?? call.extra_content;
  calls.set(index, call);
}
