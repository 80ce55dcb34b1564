import { isLoopback } from './loopback.ts';
import type { ChatRequest, Usage } from './provider.ts';
import { defaultMaxOutputTokens, estimateInputTokens } from './usage.ts';

/** Who is called, as `Provider` has it. */
export interface Priced {
  /** `Provider.name` */
  readonly provider: string;
  readonly model: string;
  /** `Provider.origin`: a compatible server is priced as the vendor behind it, a loopback one is free. */
  readonly origin?: string | undefined;
}

/** Whole micro-dollars a million tokens, for prompts of the usual size. */
export interface Price {
  readonly inputPerMillionMicroUsd: number;
  readonly cachedInputPerMillionMicroUsd: number;
  readonly outputPerMillionMicroUsd: number;
}

const free: Price = {
  inputPerMillionMicroUsd: 0,
  cachedInputPerMillionMicroUsd: 0,
  outputPerMillionMicroUsd: 0,
};

/** A model's price; undefined where nobody knows it, which never means free. */
export async function priceOf(priced: Priced): Promise<Price | undefined> {
  if (isFree(priced)) return free;
  const perThousand = async (usage: Tokens) => {
    const cost = await costUsd(priced, usage);
    return cost === undefined ? undefined : Math.round(cost * 1_000 * 1_000_000);
  };
  const input = await perThousand({ input_tokens: 1_000 });
  const cached = await perThousand({ input_tokens: 1_000, cache_read_tokens: 1_000 });
  const output = await perThousand({ input_tokens: 0, output_tokens: 1_000 });
  if (input === undefined || output === undefined) return undefined;
  return {
    inputPerMillionMicroUsd: input,
    cachedInputPerMillionMicroUsd: cached ?? input,
    outputPerMillionMicroUsd: output,
  };
}

/** What a call cost, in whole micro-dollars, rounded up; undefined where the price is unknown. */
export async function costMicroUsd(usage: Usage, priced: Priced): Promise<number | undefined> {
  if (isFree(priced)) return 0;
  return toMicroUsd(
    await costUsd(priced, {
      input_tokens: usage.input_tokens,
      cache_read_tokens: usage.cached_input_tokens,
      output_tokens: usage.output_tokens,
    }),
  );
}

/** The most that a request is expected to cost: four bytes a token of input, and all of the output that it may give. */
export async function estimateMicroUsd(
  request: ChatRequest,
  priced: Priced,
): Promise<number | undefined> {
  if (isFree(priced)) return 0;
  return toMicroUsd(
    await costUsd(priced, {
      input_tokens: estimateInputTokens(request),
      output_tokens: request.max_output_tokens ?? defaultMaxOutputTokens,
    }),
  );
}

const isFree = ({ provider, origin }: Priced): boolean =>
  provider === 'offline' || provider === 'ollama' || (origin !== undefined && isLoopback(origin));

/** Names of the vendors in the price data. */
const vendorIds: ReadonlyMap<string, string> = new Map([
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['gemini', 'google'],
]);

interface Tokens {
  readonly input_tokens: number;
  readonly cache_read_tokens?: number;
  readonly output_tokens?: number;
}

async function costUsd({ provider, model, origin }: Priced, usage: Tokens) {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const providerId = vendorIds.get(provider);
  if (origin === undefined && providerId === undefined) return undefined;
  const vendor = origin === undefined ? { providerId } : { providerApiUrl: origin };
  try {
    const price = calcPrice({ ...usage }, model, vendor as { providerId: string });
    return price === null || !Number.isFinite(price.total_price) ? undefined : price.total_price;
  } catch {
    return undefined;
  }
}

const toMicroUsd = (usd: number | undefined): number | undefined =>
  usd === undefined ? undefined : Math.ceil(Number((usd * 1_000_000).toFixed(3)));
