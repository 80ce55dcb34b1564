import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vendors } from '../../contract/vendors.ts';
import type { Usage } from '../../contract/wire/chat.ts';
import { boundUsage } from '../answer/usage.ts';
import type { ModelRequest } from '../provider.ts';
import { LIST_DATE, type Priced } from './catalogue.ts';
import { loadOwnPrices } from './own-prices.ts';
import { createPriceList } from './prices.ts';

const usage: Usage = {
  input_tokens: 1_000_000,
  cached_input_tokens: 400_000,
  output_tokens: 100_000,
};

let configDir: string;
beforeAll(() => {
  configDir = mkdtempSync(join(tmpdir(), 'capstan-prices-'));
});
afterAll(() => rmSync(configDir, { recursive: true, force: true }));

/** The prices of a file with this text. */
function ownPrices(text: string) {
  writeFileSync(join(configDir, 'prices.yaml'), text);
  return loadOwnPrices(configDir);
}

const list = createPriceList();
const haiku = { provider: 'anthropic', model: 'claude-haiku-4-5' };

describe('list prices', () => {
  it.each([
    ['openai', vendors.openai.models],
    ['anthropic', vendors.anthropic.models],
    ['gemini', vendors.gemini.models],
  ])(
    'are known for every default model of %s, with source and day, and rise with the hint',
    async (provider, models) => {
      const quotes = await Promise.all(
        [models.fast, models.balanced, models.best].map((model) => list.quote({ provider, model })),
      );
      const outputs = quotes.map(({ price }) => price.outputPerMillionMicroUsd);
      expect(outputs).toEqual([...outputs].sort((a, b) => a - b));
      for (const { basis, price, source, date } of quotes) {
        expect({ basis, date }).toEqual({ basis: 'list', date: LIST_DATE });
        expect(source).toMatch(/^https:/);
        expect(price.inputPerMillionMicroUsd).toBeGreaterThan(0);
        expect(price.cachedInputPerMillionMicroUsd).toBeLessThan(price.inputPerMillionMicroUsd);
      }
    },
  );

  it('are those of the version of the list with the shown date', () => {
    const { devDependencies } = createRequire(import.meta.url)('../../../package.json');
    expect([devDependencies['@pydantic/genai-prices'], LIST_DATE]).toEqual(['0.1.8', '2026-09-23']);
  });

  it('charge cached input at its own rate, in whole micro-dollars rounded up', async () => {
    const quote = await list.quote(haiku);
    expect(quote.price).toEqual({
      inputPerMillionMicroUsd: 1_000_000,
      cachedInputPerMillionMicroUsd: 100_000,
      cacheWritePerMillionMicroUsd: 1_250_000,
      outputPerMillionMicroUsd: 5_000_000,
    });
    expect(quote.costMicroUsd(usage)).toBe(600_000 + 40_000 + 500_000);
    const one = { input_tokens: 1, cached_input_tokens: 1, output_tokens: 0 };
    expect(quote.costMicroUsd(one)).toBe(1);
  });

  it('charge tokens that are written to a vendor’s cache at their own rate', async () => {
    const written = { input_tokens: 1_000_000, cached_input_tokens: 0, output_tokens: 0 };
    const quote = await list.quote(haiku);
    expect(quote.costMicroUsd({ ...written, cache_write_tokens: 400_000 })).toBe(600_000 + 500_000);
  });

  it.each([
    { provider: 'offline', model: 'offline' },
    { provider: 'ollama', model: 'qwen3', origin: 'http://10.0.0.2:11434' },
    { provider: 'openai', model: 'anything', origin: 'http://127.0.0.1:8000' },
    { provider: 'anthropic', model: 'claude-sonnet-5', origin: 'http://localhost:8000' },
    { provider: 'openai', model: 'anything', origin: 'http://[::1]:8000' },
  ])('$provider at $origin is free', async (priced) => {
    const quote = await list.quote(priced);
    expect([quote.basis, quote.costMicroUsd(usage)]).toEqual(['free', 0]);
  });

  it.each<Priced>([
    { provider: 'openai', model: 'gpt-that-nobody-knows' },
    { provider: 'openai', model: 'gpt-5-mini', origin: 'https://gateway.example' },
    { provider: 'openai', model: 'gpt-5-mini', origin: 'http://127.0.0.1.example' },
    { provider: 'nobody', model: 'x' },
  ])(
    '$model of $provider at $origin is unknown, and counts at the highest prices of its vendor',
    async (priced) => {
      const { basis, costMicroUsd } = await list.quote(priced);
      expect(basis).toBe('highest');
      for (const model of ['gpt-5', 'gpt-4', 'o1-pro', vendors.openai.models.best]) {
        const known = await list.quote({ provider: 'openai', model });
        expect(known.basis).toBe('list');
        expect(costMicroUsd(usage)).toBeGreaterThanOrEqual(known.costMicroUsd(usage));
      }
    },
  );

  it('that are unknown name the file and the entry that make them known', async () => {
    const priced = { provider: 'openai', model: 'org/m', origin: 'http://192.168.7.7:8000' };
    const { advice = '' } = await createPriceList(undefined, '/c/prices.yaml').quote(priced);
    const [, entry = ''] = /into \/c\/prices\.yaml: (.*)$/.exec(advice) ?? [];
    const own = createPriceList(await ownPrices(entry));
    expect(await own.quote(priced)).toMatchObject({ basis: 'own' });
  });

  it('use the prices of the configured vendor for a compatible server', async () => {
    const origin = 'https://api.groq.com';
    const { basis, price } = await list.quote({
      provider: 'openai',
      model: 'llama-3.3-70b-versatile',
      origin,
    });
    expect([basis, price.inputPerMillionMicroUsd > 0]).toEqual(['list', true]);
  });
});

describe('the most that a request can use', () => {
  const ask = (content: string): ModelRequest => ({
    messages: [{ role: 'user', content }],
    hint: 'fast',
    max_output_tokens: 2_000,
  });

  it.each(['x'.repeat(4_000), '0123456789'.repeat(400), '🐟'.repeat(1_000)])(
    'has a token for every byte of the text',
    (content) => {
      expect(boundUsage(ask(content)).input_tokens).toBeGreaterThanOrEqual(
        Buffer.byteLength(content),
      );
    },
  );

  it('has all the output that the request allows, or our default', () => {
    expect(boundUsage(ask('hi')).output_tokens).toBe(2_000);
    expect(boundUsage({ messages: [], hint: 'fast' }).output_tokens).toBe(8_192);
  });
});

const FILE = `
openai:
  gpt-mine-*:
    input_usd: 3
    output_usd: 6
    date: 2026-11-01
  gpt-mine-large:
    input_usd: 4
    cached_input_usd: 1
    output_usd: 8
    date: 2026-11-02
    source: https://gateway.example/prices
anthropic:
  claude-haiku-4-5: { input_usd: 0.5, output_usd: 2.5, date: 2026-11-03 }
`;

describe('own prices', () => {
  const own = async (text: string) => createPriceList(await ownPrices(text));

  it('have priority over the list, with their place in the file as their source', async () => {
    const quote = await (await own(FILE)).quote(haiku);
    expect(quote).toMatchObject({
      basis: 'own',
      date: '2026-11-03',
      source: expect.stringMatching(/prices\.yaml:14 anthropic claude-haiku-4-5$/),
      price: { inputPerMillionMicroUsd: 500_000, cachedInputPerMillionMicroUsd: 500_000 },
    });
    expect(quote.costMicroUsd(usage)).toBe(500_000 + 250_000);
  });

  it('are found by full name before any pattern', async () => {
    const prices = await own(FILE);
    const outputOf = async (model: string) =>
      (await prices.quote({ provider: 'openai', model, origin: 'https://gateway.example' })).price
        .outputPerMillionMicroUsd;
    expect(await outputOf('gpt-mine-large')).toBe(8_000_000);
    expect(await outputOf('gpt-mine-small')).toBe(6_000_000);
    expect(await outputOf('gpt-yours')).toBeGreaterThan(8_000_000);
  });

  it('have priority over a server on this machine being free', async () => {
    const priced = { provider: 'openai', model: 'gpt-mine-large', origin: 'http://127.0.0.1:1' };
    expect(await (await own(FILE)).quote(priced)).toMatchObject({ basis: 'own' });
    const unpriced = { ...priced, model: 'theirs' };
    expect(await (await own(FILE)).quote(unpriced)).toMatchObject({ basis: 'free' });
  });

  it('may be none', async () => {
    expect(await (await own('')).quote(haiku)).toMatchObject({ basis: 'list' });
  });

  it.each([
    ['mistral: {}', '/c/prices.yaml:1 mistral', 'no such field'],
    ['opnai: {}', '/c/prices.yaml:1 opnai', 'Did you mean openai?'],
    [
      'openai:\n  m: { input_usd: free, output_usd: 1, date: 2026-01-01 }',
      '/c/prices.yaml:2 openai m input_usd',
      '"free": write the price per million tokens in dollars, such as 0.25.',
    ],
    [
      'openai:\n  m: { input_usd: -1, output_usd: 1, date: 2026-01-01 }',
      'openai m input_usd',
      '-1: at least 0.',
    ],
    [
      'openai:\n  m: { input_usd: 1, date: 2026-01-01 }',
      '/c/prices.yaml:2 openai m output_usd',
      'it is missing: write the price',
    ],
    [
      'openai:\n  m: { input_usd: 1, output_usd: 1 }',
      'openai m date',
      'it is missing: write the date of the price, such as 2026-11-01.',
    ],
    [
      'openai:\n  m: { input_usd: 1, output_usd: 1, date: yesterday }',
      'openai m date',
      '"yesterday": write the date',
    ],
    [
      'openai:\n  m: { inptu_usd: 1, input_usd: 1, output_usd: 1, date: 2026-01-01 }',
      'openai m inptu_usd',
      'Did you mean input_usd?',
    ],
    ['openai:\n  m m: { input_usd: 1 }', 'openai m m', 'without spaces'],
    ['openai: [', '/c/prices.yaml:1', 'not valid YAML'],
  ])('report %j', async (text, where, problem) => {
    const refused = await ownPrices(text).catch((error: Error) => error.message);
    expect(refused).toContain(where.replace('/c', configDir));
    expect(refused).toContain(problem);
  });
});
