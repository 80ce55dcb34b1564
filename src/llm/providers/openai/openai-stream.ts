import * as z from 'zod';
import { parseJson } from '../../../platform/text/parse-json.ts';
import { createResultText } from '../../answer/result-text.ts';
import { StreamBroken } from '../../http/stream-events.ts';
import type { Assembler } from '../../vendor.ts';
import { reasoningFields, textOf } from './openai-answer.ts';

const CallPart = z.object({
  index: z.int().min(0).max(255).nullish().catch(undefined),
  id: z.string().nullish().catch(undefined),
  function: z.object({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
  extra_content: z.unknown().optional(),
});

type CallPart = z.infer<typeof CallPart>;

/** A tool call that is assembled from the parts of a stream. */
interface StreamedCall {
  /** The server's index; undefined if it sends none. */
  readonly index: number | undefined;
  readonly call: {
    id: string | undefined;
    function: { name: string; arguments: string };
    extra_content: unknown;
  };
  readonly resultText: ReturnType<typeof createResultText>;
}

/** The parts of one delta, in the current or the legacy form. */
function callPartsOf(delta: {
  readonly tool_calls?: readonly CallPart[] | null | undefined;
  readonly function_call?: CallPart['function'];
}): readonly CallPart[] {
  const { tool_calls, function_call } = delta;
  return function_call ? [...(tool_calls ?? []), { function: function_call }] : (tool_calls ?? []);
}

/** Adds a part to the call that it continues, or starts a new one. Returns the text that it adds to the answer. */
function addCallPart(calls: StreamedCall[], part: CallPart): string {
  const { call, resultText } = continued(calls, part) ?? start(calls, part);
  call.id = call.id || part.id || undefined;
  call.function.name = call.function.name || (part.function?.name ?? '');
  const args = part.function?.arguments;
  if (typeof args === 'string') call.function.arguments += args;
  else if (args) call.function.arguments = JSON.stringify(args);
  call.extra_content = part.extra_content ?? call.extra_content;
  return typeof args === 'string' ? resultText(call.function.name, args) : '';
}

function start(calls: StreamedCall[], { index }: CallPart): StreamedCall {
  const call = { id: undefined, function: { name: '', arguments: '' }, extra_content: undefined };
  const started = { index: index ?? undefined, call, resultText: createResultText() };
  calls.push(started);
  return started;
}

/**
 * The call with the same id, else with the same index, else the last one. Some servers omit ids and indexes, or give all
 * calls the same index: a part with a name then starts a new call once the one before it is complete.
 */
function continued(calls: readonly StreamedCall[], part: CallPart): StreamedCall | undefined {
  const { id, index, function: given } = part;
  const byId = id ? calls.find(({ call }) => call.id === id) : undefined;
  if (byId) return byId;
  const last =
    typeof index === 'number' ? calls.findLast((one) => one.index === index) : calls.at(-1);
  if (!last || !given?.name) return last;
  const isOther = Boolean(id && last.call.id);
  const hasIndex = typeof index === 'number';
  if (isOther && !hasIndex) return undefined;
  return (isOther || !hasIndex) && isComplete(last, given.name) ? undefined : last;
}

/** Whether the call is complete: its arguments are JSON, or another tool is named before there are any. */
function isComplete({ call }: StreamedCall, next: string): boolean {
  const { name, arguments: args } = call.function;
  return args === '' ? name !== next : parseJson(args) !== undefined;
}

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
    const results = callPartsOf(delta).map((part) => addCallPart(calls, part));
    return [textOf(delta.content), delta.refusal, ...results].join('');
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
