import type { Usage } from '../../src/contract/wire/chat.ts';
import type { ScriptedReply, ScriptedRequest, Vendor } from './script.ts';

/** A reply with every field decided. */
export interface FullReply {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly finish: NonNullable<ScriptedReply['finish']>;
  readonly usage: Usage;
  readonly model: string;
  /** The reply is the wanted document. */
  readonly documentName: string | undefined;
}

export interface WireAnswer {
  readonly contentType: string;
  readonly body: string;
}

/** A reply in a vendor's own format, whole or as its stream. */
export function writeAnswer(vendor: Vendor, reply: FullReply, stream: boolean): WireAnswer {
  return stream ? streams[vendor](reply) : json(documents[vendor](reply));
}

/** Fills in the defaults of a script. */
export function completeReply(
  scripted: ScriptedReply,
  request: ScriptedRequest,
  documentName?: string,
): FullReply {
  const text = scripted.text ?? '';
  const calls = (scripted.tool_calls ?? []).map((call, position) => ({
    id: call.id ?? `call_${request.index}_${position}`,
    name: call.name,
    args: call.args,
  }));
  const finish = scripted.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const usage = {
    input_tokens:
      scripted.usage?.input_tokens ?? tokensIn(JSON.stringify([request.system, request.messages])),
    cached_input_tokens: scripted.usage?.cached_input_tokens ?? 0,
    output_tokens: scripted.usage?.output_tokens ?? tokensIn(text + JSON.stringify(calls)),
  };
  return { text, calls, finish, usage, model: request.model, documentName };
}

const tokensIn = (text: string): number => Math.ceil(text.length / 4);

const json = (document: unknown): WireAnswer => ({
  contentType: 'application/json',
  body: JSON.stringify(document),
});

const documents: Record<Vendor, (reply: FullReply) => unknown> = {
  openai: openaiDocument,
  anthropic: anthropicDocument,
  gemini: geminiDocument,
  ollama: ollamaDocument,
};

function openaiCalls(reply: FullReply) {
  return reply.calls.map(({ id, name, args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
}

const openaiFinish = { stop: 'stop', tool_calls: 'tool_calls', length: 'length', refusal: 'stop' };

const openaiUsage = ({ usage }: FullReply) => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.input_tokens + usage.output_tokens,
  prompt_tokens_details: { cached_tokens: usage.cached_input_tokens },
});

function openaiDocument(reply: FullReply) {
  const isRefusal = reply.finish === 'refusal';
  const calls = openaiCalls(reply).map(({ index: _, ...call }) => call);
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: isRefusal || reply.text === '' ? null : reply.text,
          refusal: isRefusal ? reply.text : null,
          ...(calls.length ? { tool_calls: calls } : {}),
        },
        finish_reason: openaiFinish[reply.finish],
      },
    ],
    usage: openaiUsage(reply),
  };
}

const anthropicFinish = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
};

function anthropicDocument(reply: FullReply) {
  const isDocument = reply.documentName !== undefined;
  const uses = isDocument
    ? [{ id: 'toolu_answer', name: `answer_${reply.documentName}`, args: JSON.parse(reply.text) }]
    : reply.calls;
  const { usage } = reply;
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: [
      ...(isDocument || reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...uses.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
    ],
    stop_reason: isDocument ? 'tool_use' : anthropicFinish[reply.finish],
    stop_sequence: null,
    usage: {
      input_tokens: usage.input_tokens - usage.cached_input_tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached_input_tokens,
      output_tokens: usage.output_tokens,
    },
  };
}

const geminiFinish = { stop: 'STOP', tool_calls: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' };

function geminiDocument(reply: FullReply) {
  return {
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts: [
            ...(reply.text === '' ? [] : [{ text: reply.text }]),
            ...reply.calls.map(({ name, args }, index) => ({
              functionCall: { name, args },
              ...(index === 0 ? { thoughtSignature: 'c2lnbmVk' } : {}),
            })),
          ],
        },
        finishReason: geminiFinish[reply.finish],
      },
    ],
    usageMetadata: {
      promptTokenCount: reply.usage.input_tokens,
      cachedContentTokenCount: reply.usage.cached_input_tokens,
      candidatesTokenCount: reply.usage.output_tokens,
      totalTokenCount: reply.usage.input_tokens + reply.usage.output_tokens,
    },
    modelVersion: reply.model,
  };
}

function ollamaDocument(reply: FullReply) {
  const calls = reply.calls.map(({ name, args }) => ({ function: { name, arguments: args } }));
  return {
    model: reply.model,
    created_at: '2026-01-01T00:00:00Z',
    message: {
      role: 'assistant',
      content: reply.text,
      ...(calls.length ? { tool_calls: calls } : {}),
    },
    done: true,
    done_reason: reply.finish === 'length' ? 'length' : 'stop',
    prompt_eval_count: reply.usage.input_tokens,
    eval_count: reply.usage.output_tokens,
  };
}

const streams: Record<Vendor, (reply: FullReply) => WireAnswer> = {
  openai: openaiStream,
  anthropic: anthropicStream,
  gemini: geminiStream,
  ollama: ollamaStream,
};

/** Two pieces of a text, cut in the middle. */
const pieces = (text: string): string[] =>
  text === '' ? [] : [text.slice(0, text.length / 2), text.slice(text.length / 2)];

const events = (bodies: readonly unknown[], last = ''): WireAnswer => ({
  contentType: 'text/event-stream',
  body: bodies.map((body) => `data: ${JSON.stringify(body)}\n\n`).join('') + last,
});

function openaiStream(reply: FullReply): WireAnswer {
  const chunk = (delta: unknown, finish: string | null = null) => ({
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    model: reply.model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const field = reply.finish === 'refusal' ? 'refusal' : 'content';
  const calls = openaiCalls(reply).flatMap((call) => [
    chunk({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] }),
    ...pieces(call.function.arguments).map((piece) =>
      chunk({ tool_calls: [{ index: call.index, function: { arguments: piece } }] }),
    ),
  ]);
  return events(
    [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(reply.text).map((piece) => chunk({ [field]: piece })),
      ...calls,
      chunk({}, openaiFinish[reply.finish]),
      { object: 'chat.completion.chunk', choices: [], usage: openaiUsage(reply) },
    ],
    'data: [DONE]\n\n',
  );
}

function anthropicStream(reply: FullReply): WireAnswer {
  const { content, stop_reason, usage, ...message } = anthropicDocument(reply);
  const blocks = content.flatMap((block, index) => {
    const isText = 'text' in block;
    const grown = isText ? block.text : JSON.stringify(block.input);
    return [
      {
        type: 'content_block_start',
        index,
        content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
      },
      ...pieces(grown).map((piece) => ({
        type: 'content_block_delta',
        index,
        delta: isText
          ? { type: 'text_delta', text: piece }
          : { type: 'input_json_delta', partial_json: piece },
      })),
      { type: 'content_block_stop', index },
    ];
  });
  const all = [
    {
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    { type: 'ping' },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: 'message_stop' },
  ];
  return {
    contentType: 'text/event-stream; charset=utf-8',
    body: all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  };
}

function geminiStream(reply: FullReply): WireAnswer {
  const whole = geminiDocument(reply);
  const [candidate] = whole.candidates;
  const parts = candidate?.content.parts ?? [];
  const texts = pieces(reply.text).map((text) => ({ text }));
  const rest = parts.filter((part) => !('text' in part));
  return events([
    ...[...texts, ...rest].map((part) => ({
      candidates: [{ index: 0, content: { role: 'model', parts: [part] } }],
      modelVersion: reply.model,
    })),
    {
      ...whole,
      candidates: [{ ...candidate, content: { role: 'model', parts: [{ text: '' }] } }],
    },
  ]);
}

function ollamaStream(reply: FullReply): WireAnswer {
  const whole = ollamaDocument(reply);
  const lines = [
    ...pieces(reply.text).map((content) => ({
      model: reply.model,
      message: { role: 'assistant', content },
      done: false,
    })),
    { ...whole, message: { ...whole.message, content: '' } },
  ];
  return {
    contentType: 'application/x-ndjson',
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  };
}
