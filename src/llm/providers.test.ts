import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startModelServer } from '../../test/model-server/model-server.ts';
import { failedWith } from '../contract/errors.ts';
import { vendors } from '../contract/vendors.ts';
import { chooseProvider } from './choose-provider.ts';
import { openProvider } from './providers.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function serve(body: unknown): Promise<string> {
  const server = createServer((_request, response) => {
    if (body !== undefined) response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const nobody = 'http://127.0.0.1:1';
const all = { openai: 'a', anthropic: 'b', gemini: 'c' };

describe('chooseProvider', () => {
  it.each([
    ['what is set', { provider: 'gemini', keys: all }, 'gemini'],
    ['OpenAI for its key', { keys: all }, 'openai'],
    ['Anthropic for its key', { keys: { anthropic: 'b', gemini: 'c' } }, 'anthropic'],
    ['Gemini for its key', { keys: { openai: '', gemini: 'c' } }, 'gemini'],
    ['offline without all of that', { keys: {} }, 'offline'],
  ] as const)('chooses %s', async (_what, facts, expected) => {
    expect(await chooseProvider({ baseUrls: { ollama: nobody }, ...facts })).toMatchObject({
      name: expected,
    });
  });

  it.each([
    ['CAPSTAN_BASE_URL', { baseUrl: `${nobody}/v1`, baseUrls: { ollama: nobody } }],
    ['OPENAI_BASE_URL', { baseUrls: { openai: `${nobody}/v1`, ollama: nobody } }],
  ])(
    'chooses openai for an address on this machine in %s, also if the server is off',
    async (name, facts) => {
      const choice = await chooseProvider({ keys: {}, ...facts });
      expect(choice).toEqual({ name: 'openai', why: `${name} is on this machine` });
    },
  );

  it('prefers a key to an address on this machine', async () => {
    const facts = { keys: { anthropic: 'b' }, baseUrls: { openai: `${nobody}/v1` } };
    expect(await chooseProvider(facts)).toMatchObject({ name: 'anthropic' });
  });

  it('names the address of a server elsewhere that is not used, and what it lacks', async () => {
    const baseUrl = 'http://192.0.2.1:8000/v1';
    const choice = await chooseProvider({ keys: {}, baseUrl, baseUrls: { ollama: nobody } });
    expect(choice).toMatchObject({
      name: 'offline',
      notice: expect.stringMatching(/^CAPSTAN_BASE_URL is not used: set OPENAI_API_KEY/),
    });
  });

  it('chooses an Ollama that answers on this machine', async () => {
    const ollama = await startModelServer({ vendor: 'ollama', script: () => ({ text: '' }) });
    opened.push(() => ollama.close());
    const choice = await chooseProvider({ keys: {}, baseUrls: { ollama: ollama.origin } });
    expect(choice).toEqual({ name: 'ollama', why: `Ollama answers at ${ollama.origin}` });
    const asSet = { keys: {}, baseUrl: ollama.origin, baseUrls: { ollama: nobody } };
    expect((await chooseProvider(asSet)).name).toBe('ollama');
  });

  it.each([
    ['is silent', undefined],
    ['is something else', { hello: 'world' }],
  ])('chooses offline if the listener there %s', async (_what, body) => {
    const choice = await chooseProvider({ keys: {}, baseUrls: { ollama: await serve(body) } });
    expect(choice.name).toBe('offline');
  });

  it('does not knock at other machines', async () => {
    const choice = await chooseProvider({
      keys: {},
      baseUrls: { ollama: 'http://192.0.2.1:11434' },
    });
    expect(choice.name).toBe('offline');
  });
});

describe('openProvider', () => {
  it.each(['openai', 'anthropic', 'gemini'] as const)(
    'names the key that %s lacks',
    async (name) => {
      const open = openProvider(name, { keys: {}, models: {} });
      await expect(open).rejects.toSatisfy(
        (error) =>
          failedWith(error, 'SETTINGS_INVALID') &&
          error.message.includes(`${name.toUpperCase()}_API_KEY`),
      );
    },
  );

  it.each(['ftp://host/v1', 'http://user:pw@host', 'https://host/?key=1', 'host:80'])(
    'refuses the base URL %s without repeating it',
    async (baseUrl) => {
      const open = openProvider('openai', { keys: all, models: {}, baseUrl });
      await expect(open).rejects.toSatisfy(
        (error) => failedWith(error, 'SETTINGS_INVALID') && !error.message.includes(baseUrl),
      );
    },
  );

  it('opens each vendor at its own address', async () => {
    const origins = await Promise.all(
      (['offline', 'openai', 'anthropic', 'gemini'] as const).map(
        async (name) => (await openProvider(name, { keys: all, models: {} })).origin,
      ),
    );
    expect(origins).toEqual([
      undefined,
      'https://api.openai.com',
      'https://api.anthropic.com',
      'https://generativelanguage.googleapis.com',
    ]);
  });

  it('uses the models that are set, and the vendor’s for other hints', async () => {
    const settings = { keys: all, models: { best: 'mine' } };
    const provider = await openProvider('anthropic', settings);
    expect([provider.modelFor('fast'), provider.modelFor('best')]).toEqual([
      'claude-haiku-4-5',
      'mine',
    ]);
  });

  it('asks a compatible server for its model, and prefers the one that is set', async () => {
    const baseUrl = `${await serve({ data: [{ id: 'nomic-embed' }, { id: 'local' }] })}/v1`;
    const asked = await openProvider('openai', { keys: {}, models: {}, baseUrl });
    expect(asked.modelFor('fast')).toBe('local');
    const set = await openProvider('openai', { keys: {}, models: { fast: 'tiny' }, baseUrl });
    expect([set.modelFor('fast'), set.modelFor('best')]).toEqual(['tiny', 'tiny']);
  });

  it('does not guess among the models of a catalogue', async () => {
    const data = Array.from({ length: 6 }, (_, index) => ({ id: `m${index}` }));
    const open = openProvider('openai', { keys: {}, models: {}, baseUrl: await serve({ data }) });
    await expect(open).rejects.toThrow(/serves 6 models.*CAPSTAN_MODEL_BALANCED/);
  });

  it('uses the Ollama model that was changed last and can chat', async () => {
    const models = [
      { name: 'nomic-embed-text', details: { family: 'nomic-bert' } },
      { name: 'qwen3:8b', details: { family: 'qwen3' } },
      { name: 'llama3', details: {} },
    ];
    const baseUrls = { ollama: await serve({ models }) };
    const provider = await openProvider('ollama', { keys: {}, models: {}, baseUrls });
    expect(provider.modelFor('best')).toBe('qwen3:8b');
    expect(provider.origin).toBe(baseUrls.ollama);
  });

  it.each([
    ['an Ollama without a model', { models: [] }, /ollama pull/],
    ['a server that is gone', 'gone', /ECONNREFUSED/],
  ])('says what is wrong with %s', async (_what, body, message) => {
    const baseUrl = body === 'gone' ? nobody : await serve(body);
    await expect(openProvider('ollama', { keys: {}, models: {}, baseUrl })).rejects.toThrow(
      message,
    );
  });
});

it.each([
  ['openai', vendors.openai.models],
  ['anthropic', vendors.anthropic.models],
  ['gemini', vendors.gemini.models],
] as const)('docs/models.md has the default models of %s', (name, { fast, balanced, best }) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/models.md'), 'utf8');
  expect(page).toContain(`| \`${name}\` | ${fast} | ${balanced} | ${best} |`);
});
