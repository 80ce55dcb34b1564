import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest, Provider } from '../../src/llm/provider.ts';
import { openProvider } from '../../src/llm/providers.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { inOrder, type Script, type Vendor, vendors } from './script.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close();
});

async function connect(
  vendor: Vendor,
  script: Script,
): Promise<{ server: ModelServer; provider: Provider }> {
  const server = await startModelServer({ vendor, script });
  const provider = await openProvider(vendor, {
    keys: { [vendor]: 'key-of-the-test' },
    baseUrl: server.baseUrl,
    models: {},
  });
  opened.push(server, provider);
  return { server, provider };
}

const signal = new AbortController().signal;
const tools = [
  {
    name: 'file_io',
    description: 'Reads and writes files.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];
const ask = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [
    { role: 'system', content: 'You are careful.' },
    { role: 'user', content: 'Read a.txt and b.txt.' },
  ],
  hint: 'balanced',
  ...changes,
});

describe.each(vendors)('the scripted %s server', (vendor) => {
  it.each([false, true])(
    'carries a whole conversation with tools (streamed: %s)',
    async (stream) => {
      const { server, provider } = await connect(
        vendor,
        inOrder(
          {
            text: 'I will read both.',
            tool_calls: [
              { name: 'file_io', args: { path: 'a.txt' } },
              { name: 'file_io', args: { path: 'b.txt' } },
            ],
            usage: { input_tokens: 50, output_tokens: 9 },
            stream,
          },
          { text: 'Both are empty: ✓.', stream },
        ),
      );
      const first = await provider.chat(ask({ tools }), signal);
      expect(first.response).toMatchObject({ text: 'I will read both.', finish: 'tool_calls' });
      expect(first.response.tool_calls.map(({ name, args }) => [name, args])).toEqual([
        ['file_io', { path: 'a.txt' }],
        ['file_io', { path: 'b.txt' }],
      ]);
      expect(first.usage).toEqual({ input_tokens: 50, cached_input_tokens: 0, output_tokens: 9 });

      const second = await provider.chat(
        ask({
          tools,
          messages: [
            ...ask().messages,
            {
              role: 'assistant',
              content: first.response.text,
              tool_calls: first.response.tool_calls,
            },
            ...first.response.tool_calls.map(
              ({ id }, index) =>
                ({ role: 'tool', tool_call_id: id, content: `result ${index}` }) as const,
            ),
          ],
        }),
        signal,
      );
      expect(second.response).toMatchObject({ text: 'Both are empty: ✓.', finish: 'stop' });

      const [, seen] = server.chats;
      expect(seen?.system).toBe('You are careful.');
      expect(seen?.tools).toEqual(tools);
      expect(seen?.messages.map(({ role, content }) => [role, content])).toEqual([
        ['user', 'Read a.txt and b.txt.'],
        ['assistant', 'I will read both.'],
        ['tool', 'result 0'],
        ['tool', 'result 1'],
      ]);
      const [, called, ...results] = seen?.messages ?? [];
      const ids = called?.role === 'assistant' ? called.tool_calls?.map(({ id }) => id) : [];
      expect(results.map((result) => (result.role === 'tool' ? result.tool_call_id : ''))).toEqual(
        ids,
      );
    },
  );

  it.each([false, true])(
    'returns the requested document, and recognizes which one it is (with tools: %s)',
    async (withTools) => {
      const { server, provider } = await connect(vendor, ({ responseName }) => ({
        json: { document: responseName },
      }));
      const schema = {
        type: 'object',
        properties: { document: { type: 'string' } },
        required: ['document'],
        additionalProperties: false,
      };
      const { response } = await provider.chat(
        ask({ response: { name: 'plan', schema }, ...(withTools ? { tools } : {}) }),
        signal,
      );
      expect(JSON.parse(response.text)).toEqual({ document: 'plan' });
      expect(response.finish).toBe('stop');
      expect(server.chats[0]).toMatchObject({ responseName: 'plan', schema });
    },
  );

  it.each([
    ['length', { text: 'cut o', finish: 'length' }, { finish: 'length', text: 'cut o' }],
    ['stop', { text: 'whole' }, { finish: 'stop', text: 'whole' }],
  ] as const)('says that an answer ended by %s', async (_how, scripted, expected) => {
    const { provider } = await connect(vendor, inOrder(scripted, { ...scripted, stream: true }));
    expect((await provider.chat(ask(), signal)).response).toMatchObject(expected);
    expect((await provider.chat(ask(), signal)).response).toMatchObject(expected);
  });

  it('sends the key in one header, and requests a stream if the answer may be long', async () => {
    const { server, provider } = await connect(vendor, () => ({ text: 'ok' }));
    const { response } = await provider.chat(ask({ max_output_tokens: 32_000 }), signal);
    expect(response.text).toBe('ok');
    const chat = server.requests.find(({ view }) => view !== undefined);
    const withKey = Object.entries(chat?.headers ?? {}).filter(([, value]) =>
      String(value).includes('key-of-the-test'),
    );
    expect(withKey).toHaveLength(1);
    expect(chat?.path).not.toContain('key-of-the-test');
    expect(chat?.view?.maxTokens).toBe(32_000);
  });
});

it.each(['openai', 'anthropic', 'gemini'] as const)(
  'distinguishes a refusal of %s from an answer',
  async (vendor) => {
    const { provider } = await connect(
      vendor,
      inOrder({ text: 'No.', finish: 'refusal' }, { text: 'No.', finish: 'refusal', stream: true }),
    );
    for (let turn = 0; turn < 2; turn += 1) {
      const { response } = await provider.chat(ask(), signal);
      expect(response).toMatchObject({ finish: 'refusal', text: 'No.' });
    }
  },
);
