import * as z from 'zod';
import type { GivenAnswer } from '../answer/answer.ts';
import { Tokens } from '../answer/usage.ts';
import { createModelProvider } from '../model-provider.ts';
import type { ModelRequest, Provider } from '../provider.ts';
import type { VendorOptions, Wire } from '../vendor.ts';
import {
  type Block,
  documentTool,
  type Form,
  isForced,
  isThought,
  messagesBody,
} from './anthropic/anthropic-messages.ts';
import { assembleMessage } from './anthropic/anthropic-stream.ts';

/** Anthropic's messages API. */
export const createProvider = (options: VendorOptions): Provider =>
  createModelProvider(messages, options);

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

const finishes: ReadonlyMap<string, GivenAnswer<unknown>['finish']> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
]);

/**
 * Reads one message. A call of the document's tool is the answer itself. The API needs thinking blocks back, unchanged and in
 * place, with the calls that follow them: the first call carries them.
 */
function readMessage(message: Message, request: ModelRequest): GivenAnswer<readonly Block[]> {
  const { content } = message;
  const texts = content.flatMap((block) => Text.safeParse(block).data?.text ?? []);
  const uses = content.flatMap((block) => ToolUse.safeParse(block).data ?? []);
  const answerTool = request.response && documentTool(request.response.name);
  const answered = uses.find(({ name }) => name === answerTool);
  const extra = content.some(isThought) ? content : undefined;
  return {
    model: message.model,
    text: textOf(message, texts, answered?.input),
    calls: (answered === undefined ? uses : []).map(({ id, name, input }, index) => ({
      id,
      name,
      args: input,
      extra: index === 0 ? extra : undefined,
    })),
    finish: finishes.get(message.stop_reason ?? '') ?? 'stop',
    usage: reported(message.usage),
    output: JSON.stringify(content),
  };
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

const messages: Wire<Form, readonly Block[], Message> = {
  vendor: 'anthropic',
  basePath: '/v1',
  listPath: '/v1/models?limit=1000',
  headers: (apiKey) => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey ? { 'x-api-key': apiKey } : {}),
  }),
  answer: Message,
  answerName: 'a message',
  assembler: assembleMessage,
  firstForm: () => ({ mayForce: true, mayThink: true, mayCache: true }),
  request: (request, call) => ({ path: '/v1/messages', body: messagesBody(request, call) }),
  read: readMessage,
  relax(refusal, request, call) {
    const { form, reasoning } = call;
    if (form.mayCache && request.tools?.length && /cache_control/.test(refusal))
      return { ...form, mayCache: false };
    if (isForced(request, call) && /tool_choice|thinking/i.test(refusal))
      return { ...form, mayForce: false };
    return form.mayThink && reasoning && /thinking|effort|output_config/i.test(refusal)
      ? { ...form, mayThink: false }
      : undefined;
  },
};
