import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProviderName } from '../../contract/vendors.ts';
import { openProvider } from '../providers.ts';
import { readModelList } from '../served-models.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function serve(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    asked.push(`${request.method} ${request.url}`);
    const body = answers[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: { message: 'no such page' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const keys = { openai: 'a', anthropic: 'b', gemini: 'c' };

async function open(name: ProviderName, balanced: string | undefined, baseUrl?: string) {
  const provider = await openProvider(name, { keys, models: { balanced }, baseUrl });
  opened.push(() => provider.close());
  return provider;
}

describe('the context window of a model', () => {
  it.each([
    ['openai', undefined, 1_050_000],
    ['openai', 'gpt-4o-2024-08-06', 128_000],
    ['openai', 'gpt-of-next-year', 128_000],
    ['anthropic', undefined, 1_000_000],
    ['anthropic', 'claude-haiku-4-5-20251001', 200_000],
    ['anthropic', 'a-model-of-tomorrow', 200_000],
    ['gemini', 'gemini-3.1-pro-preview', 1_048_576],
    ['offline', undefined, undefined],
  ] as const)('of %s %s is %s tokens, without a request', async (name, model, tokens) => {
    expect(await (await open(name, model)).contextTokens('balanced')).toBe(tokens);
  });

  it('of a compatible server is what the server says, asked once', async () => {
    const { baseUrl, asked } = await serve({
      '/models': { data: [{ id: 'local', max_model_len: 40_960 }, { id: 'other' }] },
    });
    const provider = await open('openai', 'local', baseUrl);
    expect(await provider.contextTokens('balanced')).toBe(40_960);
    expect(await provider.contextTokens('best')).toBe(40_960);
    expect(asked).toEqual(['GET /models']);
    expect(await (await open('openai', 'other', baseUrl)).contextTokens('fast')).toBe(undefined);
  });

  it('of a server that failed is asked again by the next run', async () => {
    const routes: Record<string, unknown> = {};
    const { baseUrl } = await serve(routes);
    expect(await (await open('openai', 'local', baseUrl)).contextTokens('balanced')).toBe(
      undefined,
    );
    routes['/models'] = { data: [{ id: 'local', max_model_len: 40_960 }] };
    expect(await (await open('openai', 'local', baseUrl)).contextTokens('balanced')).toBe(40_960);
  });

  it('of a server that has no list, or is gone, is not known', async () => {
    const { baseUrl } = await serve({});
    for (const url of [baseUrl, 'http://127.0.0.1:1']) {
      expect(await (await open('openai', 'x', url)).contextTokens('fast')).toBe(undefined);
      expect(await (await open('ollama', 'x', url)).contextTokens('fast')).toBe(undefined);
    }
  });

  it.each([
    [{ 'qwen3.context_length': 40_960, 'qwen3.block_count': 28 }, 40_960],
    [{ 'llama4.context_length': 10_485_760 }, 262_144],
    [{}, undefined],
  ])(
    'of Ollama is what the model was trained for, up to what is asked for: %j',
    async (model_info, tokens) => {
      const { baseUrl, asked } = await serve({ '/api/show': { model_info } });
      const provider = await open('ollama', 'qwen3:8b', baseUrl);
      expect(await provider.contextTokens('balanced')).toBe(tokens);
      expect(await provider.contextTokens('balanced')).toBe(tokens);
      expect(asked).toEqual(['POST /api/show']);
    },
  );
});

describe('a list of models', () => {
  it.each([
    [
      'OpenAI',
      { data: [{ id: 'gpt-4o' }, { id: 'text-embedding-3-small' }] },
      [['gpt-4o', undefined]],
    ],
    [
      'vLLM',
      { data: [{ id: 'Qwen/Qwen3-8B', max_model_len: 32_768 }] },
      [['Qwen/Qwen3-8B', 32_768]],
    ],
    ['OpenRouter', { data: [{ id: 'x/y', context_length: 8_192 }] }, [['x/y', 8_192]]],
    ['Together', [{ id: 'x/y', context_length: 8_192 }], [['x/y', 8_192]]],
    ['Groq', { data: [{ id: 'llama', context_window: 131_072 }] }, [['llama', 131_072]]],
    ['Mistral', { data: [{ id: 'small', max_context_length: 131_072 }] }, [['small', 131_072]]],
    ['llama.cpp', { data: [{ id: 'x.gguf', meta: { n_ctx_train: 4_096 } }] }, [['x.gguf', 4_096]]],
    [
      'Gemini',
      {
        models: [
          { name: 'models/g', inputTokenLimit: 9, supportedGenerationMethods: ['generateContent'] },
          { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] },
        ],
      },
      [['g', 9]],
    ],
    ['Ollama', { models: [{ name: 'qwen3:8b' }] }, [['qwen3:8b', undefined]]],
    ['something else', { hello: 'world' }, []],
    [
      'a server of nonsense',
      { data: [7, null, { id: '' }, { id: 'a', context_length: 'b' }] },
      [['a', undefined]],
    ],
  ])('of %s is read', (_whose, document, models) => {
    const read = readModelList(document).map(({ id, contextTokens }) => [id, contextTokens]);
    expect(read).toEqual(models);
  });
});
