import * as z from 'zod';
import { StreamBroken } from '../../http/stream-events.ts';
import type { Assembler } from '../../vendor.ts';
import { addCallPart, CallPart, callPartsOf, type StreamedCall } from './openai-call-parts.ts';
import { reasoningFields, textOf } from './openai-content.ts';

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
            ...reasoningFields,
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

/** Assembles a `chat.completion` from `chat.completion.chunk` events. */
export function assembleCompletion(): Assembler {
  /** Texts and parts in order of arrival: servers mix both. */
  const parts: unknown[] = [];
  const refusals: string[] = [];
  const thoughts = { reasoning_content: [] as string[], reasoning: [] as string[] };
  const details: ReasoningDetail[] = [];
  const calls: StreamedCall[] = [];
  let model: string | undefined;
  let finish: string | undefined;
  let usage: unknown;

  const addThoughts = (delta: Delta) => {
    if (delta.reasoning_content) thoughts.reasoning_content.push(delta.reasoning_content);
    if (delta.reasoning) thoughts.reasoning.push(delta.reasoning);
    for (const detail of delta.reasoning_details ?? []) addDetail(details, detail);
  };
  const add = (delta: Delta) => {
    if (Array.isArray(delta.content)) parts.push(...delta.content);
    else if (delta.content) parts.push(delta.content);
    if (delta.refusal) refusals.push(delta.refusal);
    addThoughts(delta);
    for (const part of callPartsOf(delta)) addCallPart(calls, part);
    return textOf(delta.content) + (delta.refusal ?? '');
  };

  return {
    push(event) {
      const chunk = Chunk.safeParse(event);
      if (!chunk.success) throw new StreamBroken('an event is not a chat completion chunk');
      model = chunk.data.model ?? model;
      usage = chunk.data.usage ?? chunk.data.x_groq?.usage ?? usage;
      const choice = chunk.data.choices?.[0];
      finish = choice?.finish_reason ?? finish;
      return choice?.delta ? add(choice.delta) : '';
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
            reasoning_content: joined(thoughts.reasoning_content),
            reasoning: joined(thoughts.reasoning),
            reasoning_details: details.length > 0 ? details : undefined,
            tool_calls: calls.map(({ call }) => call),
          },
        },
      ],
    }),
  };
}

const joined = (pieces: readonly string[]) => (pieces.length > 0 ? pieces.join('') : undefined);

type ReasoningDetail = Record<string, unknown>;

/** A detail arrives in pieces of one type and index: texts are concatenated, other fields are taken from the last piece. */
function addDetail(details: ReasoningDetail[], piece: ReasoningDetail): void {
  const last = details.at(-1);
  const isSame = last && last['type'] === piece['type'] && last['index'] === piece['index'];
  if (!isSame) return void details.push({ ...piece });
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name];
    const grows = /^(text|summary|data)$/.test(name) && typeof before === 'string';
    if (value !== null) last[name] = grows && typeof value === 'string' ? before + value : value;
  }
}
