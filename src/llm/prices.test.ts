import { describe, expect, it } from 'vitest';
import { costMicroUsd, estimateMicroUsd, priceOf } from './prices.ts';
import type { ChatRequest } from './provider.ts';
import { anthropicModels } from './providers/anthropic.ts';
import { geminiModels } from './providers/gemini.ts';
import { openaiModels } from './providers/openai.ts';

const usage = { input_tokens: 1_000_000, cached_input_tokens: 400_000, output_tokens: 100_000 };

describe('prices', () => {
  it.each([
    ['openai', openaiModels],
    ['anthropic', anthropicModels],
    ['gemini', geminiModels],
  ])(
    'are known for every default model of %s, and rise with the hint',
    async (provider, models) => {
      const prices = await Promise.all(
        [models.fast, models.balanced, models.best].map((model) => priceOf({ provider, model })),
      );
      const outputs = prices.map((price) => price?.outputPerMillionMicroUsd ?? Number.NaN);
      expect(outputs).toEqual([...outputs].sort((a, b) => a - b));
      for (const price of prices) {
        expect(price?.inputPerMillionMicroUsd).toBeGreaterThan(0);
        expect(price?.cachedInputPerMillionMicroUsd).toBeLessThan(
          price?.inputPerMillionMicroUsd ?? 0,
        );
      }
    },
  );

  it('charge cached input at its own rate, in whole micro-dollars rounded up', async () => {
    const haiku = { provider: 'anthropic', model: 'claude-haiku-4-5' };
    expect(await priceOf(haiku)).toEqual({
      inputPerMillionMicroUsd: 1_000_000,
      cachedInputPerMillionMicroUsd: 100_000,
      outputPerMillionMicroUsd: 5_000_000,
    });
    expect(await costMicroUsd(usage, haiku)).toBe(600_000 + 40_000 + 500_000);
    const one = { input_tokens: 1, cached_input_tokens: 1, output_tokens: 0 };
    expect(await costMicroUsd(one, haiku)).toBe(1);
  });

  it.each([
    { provider: 'offline', model: 'offline' },
    { provider: 'ollama', model: 'qwen3', origin: 'http://10.0.0.2:11434' },
    { provider: 'openai', model: 'anything', origin: 'http://127.0.0.1:8000' },
    { provider: 'anthropic', model: 'claude-sonnet-5', origin: 'http://localhost:8000' },
    { provider: 'openai', model: 'anything', origin: 'http://[::1]:8000' },
  ])('$provider at $origin is free', async (priced) => {
    expect(await costMicroUsd(usage, priced)).toBe(0);
    expect(await priceOf(priced)).toMatchObject({ outputPerMillionMicroUsd: 0 });
  });

  it.each([
    { provider: 'openai', model: 'gpt-that-nobody-knows' },
    { provider: 'openai', model: 'gpt-5-mini', origin: 'https://gateway.example' },
    { provider: 'openai', model: 'gpt-5-mini', origin: 'http://127.0.0.1.example' },
    { provider: 'nobody', model: 'x' },
  ])('$model of $provider at $origin is unknown, which is not free', async (priced) => {
    expect(await priceOf(priced)).toBeUndefined();
    expect(await costMicroUsd(usage, priced)).toBeUndefined();
  });

  it('take a compatible server for the vendor behind it', async () => {
    const origin = 'https://api.groq.com';
    const price = await priceOf({ provider: 'openai', model: 'llama-3.3-70b-versatile', origin });
    expect(price?.inputPerMillionMicroUsd).toBeGreaterThan(0);
  });

  it('estimate a request by its bytes and all the output that it may give', async () => {
    const request: ChatRequest = {
      messages: [{ role: 'user', content: 'x'.repeat(4_000) }],
      hint: 'fast',
      max_output_tokens: 2_000,
    };
    const haiku = { provider: 'anthropic', model: 'claude-haiku-4-5' };
    expect(await estimateMicroUsd(request, haiku)).toBe(1_004 + 10_000);
  });
});
