import type { Usage } from '../../contract/chat.ts';
import type { Quote } from '../../llm/prices.ts';
import { ProviderError } from '../../llm/provider.ts';
import type { ChatCall } from '../chat/chat-call.ts';

/** What the tries of one call cost together. */
export interface Bill {
  addAnswer(usage: Usage): void;
  addFailure(error: unknown): void;
  soFar(): { readonly microUsd: number; readonly usage: Usage };
  /** Of the try that was answered; undefined where none was. */
  lastUsage(): Usage | undefined;
}

const NOTHING: Usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };

/** Answers cost by the vendor's count and our price; a failed try by what it may have cost, in money and in tokens. */
export function openBill(quote: Quote, bound: ChatCall['bound']): Bill {
  let microUsd = 0;
  let total = NOTHING;
  let last: Usage | undefined;
  const add = (usage: Usage) => {
    microUsd += quote.costMicroUsd(usage);
    total = {
      input_tokens: total.input_tokens + usage.input_tokens,
      cached_input_tokens: total.cached_input_tokens + usage.cached_input_tokens,
      output_tokens: total.output_tokens + usage.output_tokens,
    };
  };
  return {
    addAnswer(usage) {
      last = usage;
      add(usage);
    },
    addFailure(error) {
      const usage = error instanceof ProviderError ? error.usage : undefined;
      if (usage) add(usage);
      else if (!wasSurelyFree(error)) {
        microUsd += bound.microUsd;
        total = { ...total, output_tokens: total.output_tokens + bound.tokens };
      }
    },
    soFar: () => ({ microUsd, usage: total }),
    lastUsage: () => last,
  };
}

/**
 * Whether a failed try can't have cost anything: it never reached the vendor, or the vendor refused it. A connection
 * that broke, an answer that stopped half-way and a wait that took too long may have been paid for; those count in full.
 */
export function wasSurelyFree(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  if (error.problem === 'needs_model' || error.problem === 'bad_request') return true;
  if (error.problem === 'timeout') return false;
  if (error.problem === 'network') return neverSent(error);
  return error.status !== undefined && error.status >= 300;
}

/** Whether a failure says that no connection was made. */
export const neverSent = (error: unknown): boolean =>
  error instanceof Error && beforeSending.has(codeOf(error.cause));

const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
