import * as z from 'zod';
import { finishAnswer, type GivenAnswer } from '../../answer/answer.ts';
import type { Carried } from '../../answer/carried.ts';
import { settleUsage } from '../../answer/usage.ts';
import { malformed } from '../../failure/failure.ts';
import type { ChatResult, ModelRequest } from '../../provider.ts';
import { type Block, documentTool, isThought } from './anthropic-messages.ts';

const Tokens = z.number().nullish().catch(undefined);

const Message = z.object({
  model: z.string().nullish(),
  content: z.union([
    z.array(z.looseObject({ type: z.string() })),
    z.string().transform((text) => (text === '' ? [] : [{ type: 'text', text }])),
  ]),
  stop_reason: z.string().nullish(),
  stop_details: z
    .object({ explanation: z.string().nullish(), category: z.string().nullish() })
    .nullish()
    .catch(undefined),
  usage: z
    .object({
      input_tokens: Tokens,
      cache_creation_input_tokens: Tokens,
      cache_read_input_tokens: Tokens,
      output_tokens: Tokens,
    })
    .nullish()
    .catch(undefined),
});
type Message = z.infer<typeof Message>;

const Text = z.object({ type: z.literal('text'), text: z.string() });
const ToolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string().nullish().catch(undefined),
  name: z.string(),
  input: z.unknown().optional(),
});

const finishes: ReadonlyMap<string, GivenAnswer['finish']> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
]);

/** Reads one message. A call of the document's tool is the answer itself. @throws ProviderError `malformed` */
export function readMessage(
  document: unknown,
  request: ModelRequest,
  asked: { model: string; carried: Carried<readonly Block[]> },
): ChatResult {
  const parsed = Message.safeParse(document);
  if (!parsed.success) throw malformed('anthropic', 'it is not a message');
  const { content, usage } = parsed.data;
  const texts = content.flatMap((block) => Text.safeParse(block).data?.text ?? []);
  const uses = content.flatMap((block) => ToolUse.safeParse(block).data ?? []);
  const answerTool = request.response && documentTool(request.response.name);
  const answered = uses.find(({ name }) => name === answerTool);
  const calls = answered === undefined ? uses : [];
  const result = finishAnswer(
    {
      provider: 'anthropic',
      model: parsed.data.model || asked.model,
      text: textOf(parsed.data, texts, answered?.input),
      calls: calls.map(({ id, name, input }) => ({ id, name, args: input })),
      finish: finishes.get(parsed.data.stop_reason ?? '') ?? 'stop',
      ...settleUsage(reported(usage), request, JSON.stringify(content)),
    },
    request,
  );
  keepThinking(content, result, asked.carried);
  return asked.carried.addTo(result);
}

/** The arguments of the document's tool are the answer; a refusal has no text and a separate reason. */
function textOf(message: Message, texts: readonly string[], document: unknown): string {
  if (document !== undefined) {
    return typeof document === 'string' ? document : JSON.stringify(document);
  }
  const isSilentRefusal = texts.length === 0 && message.stop_reason === 'refusal';
  if (!isSilentRefusal) return texts.join('');
  return message.stop_details?.explanation || message.stop_details?.category || '';
}

/** Anthropic counts tokens read from and written to its cache separately. */
function reported(usage: Message['usage']) {
  const input = usage?.input_tokens;
  const cached = usage?.cache_read_input_tokens ?? 0;
  const written = usage?.cache_creation_input_tokens ?? 0;
  return {
    input: typeof input === 'number' ? input + cached + written : undefined,
    cached,
    written,
    output: usage?.output_tokens,
  };
}

/** Stores the thinking blocks: the API needs them back, unchanged and in place, with the calls that follow them. */
function keepThinking(
  content: Message['content'],
  result: ChatResult,
  carried: Carried<readonly Block[]>,
): void {
  const first = result.response.tool_calls[0];
  if (first !== undefined && content.some(isThought)) carried.keep(first.id, content);
}
