import { afterEach, describe, expect, it } from 'vitest';
import {
  errorBody,
  type ModelServer,
  startModelServer,
} from '../../test/model-server/model-server.ts';
import {
  inOrder,
  type Script,
  type ScriptedAnswer,
  type Vendor,
} from '../../test/model-server/script.ts';
import type { ChatMessage, ToolCallRequest } from '../contract/wire/chat.ts';
import type { ModelRequest, Provider } from './provider.ts';
import { openProvider } from './providers.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function connect(vendor: Vendor, script: Script): Promise<[Provider, ModelServer]> {
  const server = await startModelServer({ vendor, script });
  const models = { balanced: 'model-1' };
  const provider = await openProvider(vendor, { keys: {}, baseUrl: server.baseUrl, models });
  opened.push(
    () => server.close(),
    () => provider.close(),
  );
  return [provider, server];
}

const never = new AbortController().signal;
const refusal = (vendor: Vendor, message: string): ScriptedAnswer => ({
  status: 400,
  body: errorBody(vendor, 400, message),
});
const schema = {
  type: 'object',
  properties: { a: { type: 'number' } },
  required: ['a'],
  additionalProperties: false,
};
const ask = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'Go.' }],
  hint: 'balanced',
  ...changes,
});
const document = ask({ response: { name: 'plan', schema } });
const withTools = ask({ tools: [{ name: 't', description: 'd', parameters: { type: 'object' } }] });
const bodies = (server: ModelServer) =>
  server.requests.filter(({ view }) => view).map(({ body }) => body as Record<string, unknown>);

describe('an OpenAI-compatible server', () => {
  it('that refuses a way to ask for a document is asked in the next simpler one, from then on', async () => {
    const [provider, server] = await connect(
      'openai',
      inOrder(
        refusal('openai', 'This response_format type is unavailable now'),
        refusal('openai', 'response_format json_schema is not supported'),
        refusal('openai', 'json mode cannot be used'),
        { text: 'Here:\n```json\n{"a": 1}\n```' },
        { text: '{"a": 2}' },
      ),
    );
    expect((await provider.chat(document, never)).response.text).toBe('{"a": 1}');
    expect((await provider.chat(document, never)).response.text).toBe('{"a": 2}');
    const formats = bodies(server).map(
      ({ response_format }) =>
        response_format as { type: string; json_schema?: { strict: boolean } } | undefined,
    );
    expect(formats.map((format) => [format?.type, format?.json_schema?.strict])).toEqual([
      ['json_schema', true],
      ['json_schema', false],
      ['json_object', undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(server.chats.at(-1)).toMatchObject({ responseName: 'plan', schema });
  });

  it.each([
    [
      "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
      'max_completion_tokens',
      8_192,
    ],
    [
      'Function tools with reasoning_effort are not supported for this model.',
      'reasoning_effort',
      'none',
    ],
  ])('that says %j gets %s', async (message, field, value) => {
    const [provider, server] = await connect(
      'openai',
      inOrder(refusal('openai', message), { text: 'ok' }, { text: 'ok' }),
    );
    await provider.chat(withTools, never);
    await provider.chat(withTools, never);
    expect(bodies(server).map((body) => body[field])).toEqual([undefined, value, value]);
  });

  it('that refuses for another reason is not asked again', async () => {
    const [provider, server] = await connect('openai', () => refusal('openai', 'No such thing.'));
    await expect(provider.chat(document, never)).rejects.toMatchObject({ problem: 'bad_request' });
    expect(server.chats).toHaveLength(1);
  });

  it('that refuses everything is asked a bounded number of times', async () => {
    const [provider, server] = await connect('openai', () =>
      refusal('openai', 'max_completion_tokens, reasoning_effort, response_format: no.'),
    );
    await expect(provider.chat(document, never)).rejects.toMatchObject({ problem: 'bad_request' });
    expect(server.chats.length).toBeLessThan(8);
  });

  it('that returns its reasoning with a tool call gets it back with the result', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 't', arguments: '{}' } };
    const [provider, server] = await connect(
      'openai',
      inOrder(
        {
          status: 200,
          body: {
            model: 'm',
            choices: [
              {
                finish_reason: 'tool_calls',
                message: {
                  content: null,
                  reasoning_content: 'because',
                  tool_calls: [{ ...call, extra_content: { signature: 's' } }],
                },
              },
            ],
          },
        },
        { text: 'ok' },
      ),
    );
    const { response } = await provider.chat(withTools, never);
    await provider.chat(afterCall(response.tool_calls), never);
    const messages = bodies(server)[1]?.['messages'] as unknown[];
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'because',
      tool_calls: [{ ...call, extra_content: { signature: 's' } }],
    });
  });
});

const afterCall = (calls: ToolCallRequest[]) =>
  ask({
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: '', tool_calls: calls },
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '' }) as const),
    ],
  });

describe('Anthropic', () => {
  it('gets the document’s tool as an option if its model thinks and refuses to be forced', async () => {
    const [provider, server] = await connect(
      'anthropic',
      inOrder(
        refusal('anthropic', 'Thinking may not be enabled when tool_choice forces tool use.'),
        { json: { a: 1 } },
        { text: 'In words: {"a": 2}' },
      ),
    );
    expect((await provider.chat(document, never)).response.text).toBe('{"a":1}');
    expect((await provider.chat(document, never)).response.text).toBe('{"a": 2}');
    expect(bodies(server).map(({ tool_choice }) => tool_choice)).toEqual([
      { type: 'tool', name: 'answer_plan' },
      { type: 'auto' },
      { type: 'auto' },
    ]);
  });

  it('gets its thoughts back unchanged, the tools of the conversation, and no empty texts', async () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' };
    const use = { type: 'tool_use', id: 'toolu_1', name: 't', input: { x: 1 } };
    const [provider, server] = await connect(
      'anthropic',
      inOrder(
        {
          status: 200,
          body: { model: 'm', stop_reason: 'tool_use', content: [thinking, use], usage: {} },
        },
        { text: 'ok' },
      ),
    );
    const { response } = await provider.chat(withTools, never);
    await provider.chat(afterCall(response.tool_calls), never);
    expect(bodies(server)[1]).toMatchObject({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
        { role: 'assistant', content: [thinking, use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
      ],
      tools: [{ name: 't' }],
      tool_choice: { type: 'none' },
    });
  });

  it('gets turns that alternate and begin with the user', async () => {
    const [provider, server] = await connect('anthropic', () => ({ text: 'ok' }));
    await provider.chat(
      ask({
        messages: [
          { role: 'assistant', content: 'I was first.  ' },
          { role: 'user', content: 'a' },
          { role: 'system', content: 'rule' },
          { role: 'user', content: 'b' },
        ],
      }),
      never,
    );
    expect(bodies(server)[0]).toMatchObject({
      system: 'rule',
      messages: [
        { role: 'user' },
        { role: 'assistant', content: [{ text: 'I was first.' }] },
        { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
      ],
    });
  });
});

describe('Gemini', () => {
  it('gets the schema in the prompt if it refuses a schema', async () => {
    const [provider, server] = await connect(
      'gemini',
      inOrder(
        refusal('gemini', 'Invalid JSON schema: too deep.'),
        { text: '{"a": 1}' },
        { text: '{"a": 2}' },
      ),
    );
    await provider.chat(document, never);
    await provider.chat(document, never);
    const asked = bodies(server).map(({ generationConfig }) => generationConfig as object);
    expect(asked.map((config) => 'responseJsonSchema' in config)).toEqual([true, false, false]);
  });

  it('gets the signature of a call back, or its replacement', async () => {
    const [provider, server] = await connect('gemini', ({ index }) =>
      index === 0 ? { tool_calls: [{ name: 't', args: {} }] } : { text: 'ok' },
    );
    const { response } = await provider.chat(withTools, never);
    await provider.chat(afterCall(response.tool_calls), never);
    await provider.chat(afterCall([{ id: 'of-another-process', name: 't', args: {} }]), never);
    const signatures = bodies(server)
      .slice(1)
      .map(
        ({ contents }) =>
          (contents as { parts: { thoughtSignature: string }[] }[])[1]?.parts[0]?.thoughtSignature,
      );
    expect(signatures[0]).toBe('c2lnbmVk');
    expect(Buffer.from(signatures[1] ?? '', 'base64').toString()).toBe(
      'skip_thought_signature_validator',
    );
  });

  it.each([
    [
      { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
      { finish: 'refusal', text: 'Blocked: PROHIBITED_CONTENT' },
    ],
    [{ candidates: [{ finishReason: 'SAFETY' }] }, { finish: 'refusal' }],
  ])('reads %j as a refusal', async (body, expected) => {
    const [provider] = await connect('gemini', () => ({ status: 200, body }));
    expect((await provider.chat(ask(), never)).response).toMatchObject(expected);
  });

  it.each([{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }, { candidates: [] }, {}])(
    'reads %j as an answer that can be tried again',
    async (body) => {
      const [provider] = await connect('gemini', () => ({ status: 200, body }));
      await expect(provider.chat(ask(), never)).rejects.toMatchObject({
        problem: 'malformed',
        retryable: true,
      });
    },
  );
});

describe('Ollama', () => {
  it('is asked for a context that fits the request, in steps', async () => {
    const [provider, server] = await connect('ollama', () => ({ text: 'ok' }));
    for (const length of [10, 40_000, 4_000_000]) {
      const messages: ChatMessage[] = [{ role: 'user', content: 'x'.repeat(length) }];
      await provider.chat(ask({ messages, max_output_tokens: 1_000 }), never);
    }
    const contexts = bodies(server).map(({ options }) => (options as { num_ctx: number }).num_ctx);
    expect(contexts).toEqual([8_192, 16_384, 262_144]);
  });

  it('that lacks the model says how to get it', async () => {
    const [provider] = await connect('ollama', () => ({
      status: 404,
      body: { error: "model 'model-1' not found" },
    }));
    await expect(provider.chat(ask(), never)).rejects.toMatchObject({
      problem: 'not_found',
      message: expect.stringContaining('ollama pull model-1'),
    });
  });
});
