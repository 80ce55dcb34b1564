import type {
  ChatMessage,
  ToolCallRequest,
  ToolDescription,
} from '../../src/contract/wire/chat.ts';
import type { ScriptedRequest, Vendor } from './script.ts';

// biome-ignore lint/suspicious/noExplicitAny: the bodies are another party's JSON, read field by field.
type Body = any;

export type RequestView = Omit<ScriptedRequest, 'vendor' | 'index'>;

/** Converts a vendor's request to the product's own format; throws if the vendor would reject it. */
export function readRequest(vendor: Vendor, path: string, body: Body): RequestView {
  return readers[vendor](body, path);
}

const readers: Record<Vendor, (body: Body, path: string) => RequestView> = {
  openai: readOpenai,
  anthropic: readAnthropic,
  gemini: readGemini,
  ollama: readOllama,
};

function readOpenai(body: Body): RequestView {
  const system = systemOf(body.messages);
  const format = body.response_format?.json_schema;
  return {
    model: body.model,
    system,
    messages: body.messages.filter(isNoSystem).map(
      (message: Body): ChatMessage =>
        message.role === 'assistant' && message.tool_calls
          ? {
              role: 'assistant',
              content: message.content ?? '',
              tool_calls: message.tool_calls.map(
                (call: Body): ToolCallRequest => ({
                  id: call.id,
                  name: call.function.name,
                  args: JSON.parse(call.function.arguments),
                }),
              ),
            }
          : message,
    ),
    tools: (body.tools ?? []).map((tool: Body) => tool.function),
    ...(format ? { responseName: format.name, schema: format.schema } : documentInWords(system)),
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
  };
}

function readAnthropic(body: Body): RequestView {
  if (typeof body.max_tokens !== 'number') throw new Error('max_tokens: Field required');
  const document = (body.tools ?? []).find((tool: Body) => tool.name.startsWith('answer_'));
  return {
    model: body.model,
    system: body.system ?? '',
    messages: body.messages.flatMap(readAnthropicTurn),
    tools: (body.tools ?? [])
      .filter((tool: Body) => tool !== document)
      .map(
        (tool: Body): ToolDescription => ({
          name: tool.name,
          description: tool.description,
          parameters: tool.input_schema,
        }),
      ),
    responseName: document?.name.slice('answer_'.length),
    schema: document?.input_schema,
    maxTokens: body.max_tokens,
  };
}

function readAnthropicTurn(turn: Body): ChatMessage[] {
  const blocks: Body[] =
    typeof turn.content === 'string' ? [{ type: 'text', text: turn.content }] : turn.content;
  const text = blocks
    .filter(({ type }) => type === 'text')
    .map((block) => block.text)
    .join('');
  if (turn.role === 'assistant') {
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, args: input }));
    return [{ role: 'assistant', content: text, ...(calls.length ? { tool_calls: calls } : {}) }];
  }
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map(
      (block): ChatMessage => ({
        role: 'tool',
        tool_call_id: block.tool_use_id,
        content: block.content ?? '',
      }),
    );
  return text === '' ? results : [...results, { role: 'user', content: text }];
}

function readGemini(body: Body, path: string): RequestView {
  const system = (body.systemInstruction?.parts ?? []).map((part: Body) => part.text).join('\n\n');
  const schema = body.generationConfig?.responseJsonSchema;
  return {
    model: decodeURIComponent(/models\/([^:]+):/.exec(path)?.[1] ?? ''),
    system,
    messages: body.contents.flatMap(readGeminiContent),
    tools: (body.tools?.[0]?.functionDeclarations ?? []).map(
      (tool: Body): ToolDescription => ({
        name: tool.name,
        description: tool.description,
        parameters: tool.parametersJsonSchema,
      }),
    ),
    ...(schema ? { responseName: schema.title, schema } : documentInWords(system)),
    maxTokens: body.generationConfig?.maxOutputTokens,
  };
}

function readGeminiContent(content: Body): ChatMessage[] {
  const parts: Body[] = content.parts;
  const text = parts.map((part) => part.text ?? '').join('');
  if (content.role === 'model') {
    const calls = parts
      .flatMap((part) => part.functionCall ?? [])
      .map(({ id, name, args }) => ({ id, name, args }));
    return [{ role: 'assistant', content: text, ...(calls.length ? { tool_calls: calls } : {}) }];
  }
  const results = parts
    .flatMap((part) => part.functionResponse ?? [])
    .map(
      ({ id, response }): ChatMessage => ({
        role: 'tool',
        tool_call_id: id,
        content: response.output,
      }),
    );
  return text === '' ? results : [...results, { role: 'user', content: text }];
}

/** Ollama's wire has no call ids: they are made from the order. */
function readOllama(body: Body): RequestView {
  const system = systemOf(body.messages);
  let asked = 0;
  let answered = 0;
  const messages = body.messages.filter(isNoSystem).map((message: Body): ChatMessage => {
    if (message.role === 'tool') {
      return { role: 'tool', tool_call_id: `call_${answered++}`, content: message.content };
    }
    if (!message.tool_calls) return message;
    const calls = message.tool_calls.map((call: Body) => ({
      id: `call_${asked++}`,
      name: call.function.name,
      args: call.function.arguments,
    }));
    return { role: 'assistant', content: message.content, tool_calls: calls };
  });
  const format = typeof body.format === 'object' ? body.format : undefined;
  return {
    model: body.model,
    system,
    messages,
    tools: (body.tools ?? []).map((tool: Body) => tool.function),
    ...(format ? { responseName: format.title, schema: format } : documentInWords(system)),
    maxTokens: body.options?.num_predict,
  };
}

const isNoSystem = (message: Body): boolean => message.role !== 'system';

const systemOf = (messages: Body[]): string =>
  messages
    .filter((message) => message.role === 'system')
    .map((message) => message.content)
    .join('\n\n');

function documentInWords(system: string): Pick<RequestView, 'responseName' | 'schema'> {
  const found = /one JSON document named "([^"]+)"[^\n]*\n(\{.*\})/.exec(system);
  const schema = found?.[2] === undefined ? undefined : JSON.parse(found[2]);
  return { responseName: found?.[1], schema };
}
