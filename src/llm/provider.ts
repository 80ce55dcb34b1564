import type { ChatRequest, ChatResponse, ModelHint, Usage } from '../contract/wire/chat.ts';
import type { ServedModel } from './served-models.ts';

/** One call of a model: a chat request without its kind. */
export type ModelRequest = Omit<ChatRequest, 'kind'>;

/** Usage with the fields that only the price needs. */
export interface CountedUsage extends Usage {
  /** Input tokens that were written to the vendor's cache, which have their own price. Default: 0. */
  readonly cache_write_tokens?: number;
}

export interface ChatResult {
  readonly response: ChatResponse;
  readonly usage: CountedUsage;
  /** Whether the vendor did not report `usage` completely. Default: false. */
  readonly isEstimated?: boolean;
  /** Why its report was not used: `invalid` counts as none, `too_large` as the maximum of the call. Default: it was used. */
  readonly misreport?: 'invalid' | 'too_large';
  /** By id of a tool call: values that the vendor needs back on the next turn. Never shown. */
  readonly carried?: Readonly<Record<string, unknown>>;
}

/** Called with each piece of the answer's text as it arrives. The pieces of one call make up its text. */
export type OnText = (text: string) => void;

/** The interface of a vendor. Makes exactly one call, without retries, budgets or decisions. */
export interface Provider {
  /** `offline`, `openai`, `anthropic`, `gemini`, `ollama`. */
  readonly name: string;
  /** The origin of calls, for the spend question; undefined if nothing leaves the process. */
  readonly origin: string | undefined;
  /** False for `offline`, which is not a language model. */
  readonly isModel: boolean;
  /** The vendor's model for a hint. */
  modelFor(hint: ModelHint): string;
  /**
   * The context window in tokens of the model of a hint; undefined if unknown. Other servers than the
   * vendors' own are asked once. Never throws.
   */
  contextTokens(hint: ModelHint): Promise<number | undefined>;
  /** The chat models that the server lists. @throws ProviderError */
  listModels(signal: AbortSignal): Promise<readonly ServedModel[]>;
  /**
   * @param onText Asks for a stream. Default: only long answers are streamed.
   * @throws ProviderError. Aborting ends the call immediately.
   */
  chat(request: ModelRequest, signal: AbortSignal, onText?: OnText): Promise<ChatResult>;
  /** Restores the `carried` values that an earlier process recorded. Default: nothing is carried. */
  restore?(carried: Readonly<Record<string, unknown>>): void;
  /** Closes idle connections. */
  close(): void;
}

export type ProviderProblem =
  | 'auth'
  | 'rate_limit'
  | 'quota'
  | 'overloaded'
  | 'bad_request'
  | 'too_large'
  | 'not_found'
  | 'network'
  | 'timeout'
  | 'malformed'
  | 'needs_model'
  | 'server';

/** Transient problems of the provider or the connection: a run parks instead of failing. */
const passing: ReadonlySet<ProviderProblem> = new Set([
  'rate_limit',
  'overloaded',
  'network',
  'timeout',
  'server',
]);

/** Whether the provider can't be reached or used at the moment. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ProviderError && passing.has(error.problem);

/** A failure of a vendor, classified by `problem`. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  readonly problem: ProviderProblem;
  readonly status: number | undefined;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** How long the vendor asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** The billed usage of a failed answer, if there was one. */
  readonly usage: CountedUsage | undefined;

  constructor(
    provider: string,
    message: string,
    facts: {
      problem: ProviderProblem;
      retryable: boolean;
      status?: number | undefined;
      retryAfterMs?: number | undefined;
      usage?: CountedUsage | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.provider = provider;
    this.problem = facts.problem;
    this.retryable = facts.retryable;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
    this.usage = facts.usage;
  }
}
