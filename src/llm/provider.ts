import type { ChatRequest, ChatResponse, ModelHint, Usage } from '../contract/chat.ts';
import type { ServedModel } from './served-models.ts';

/** One call of a model: a chat request without its kind. */
export type ModelRequest = Omit<ChatRequest, 'kind'>;

/** Usage with what only its price needs. */
export interface CountedUsage extends Usage {
  /** Input tokens that were written to the vendor's cache, at a price of their own. Default: 0. */
  readonly cache_write_tokens?: number;
}

export interface ChatResult {
  readonly response: ChatResponse;
  readonly usage: CountedUsage;
  /** True if the vendor did not report `usage`, or not all of it. Default: it did. */
  readonly isEstimated?: boolean;
  /** By id of a tool call: what the vendor wants back with it on the next turn. Never shown. */
  readonly carried?: Readonly<Record<string, unknown>>;
}

/** Called with each piece of the answer's text as it arrives. The pieces of one call make up its text. */
export type OnText = (text: string) => void;

/** A vendor behind one small door. It makes exactly one call: no retry, no budget, no decision. */
export interface Provider {
  /** `offline`, `openai`, `anthropic`, `gemini`, `ollama`. */
  readonly name: string;
  /** Where calls go, for the spend question; undefined where nothing leaves the process. */
  readonly origin: string | undefined;
  /** False for `offline`: no language model answers. */
  readonly isModel: boolean;
  /** The vendor's model for a hint. */
  modelFor(hint: ModelHint): string;
  /**
   * Tokens that the model of a hint takes, input and output together; undefined if nobody knows. Servers that are no
   * vendor's are asked, once. Never throws.
   */
  contextTokens(hint: ModelHint): Promise<number | undefined>;
  /** The models that the server lists, those that can't chat left out. @throws ProviderError */
  listModels(signal: AbortSignal): Promise<readonly ServedModel[]>;
  /**
   * @param onText Asks for a stream. Default: only long answers are streamed.
   * @throws ProviderError. Aborting ends the call at once.
   */
  chat(request: ModelRequest, signal: AbortSignal, onText?: OnText): Promise<ChatResult>;
  /** Keeps what an earlier process recorded as `carried`. Default: nothing is carried. */
  restore?(carried: Readonly<Record<string, unknown>>): void;
  /** Closes kept connections. */
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

/** Problems of the provider or the way to it, which pass by themselves: a run waits for that instead of failing. */
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

/** What went wrong at a vendor, in words that decide what happens next. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  readonly problem: ProviderProblem;
  readonly status: number | undefined;
  /** Whether the same call may go well later. */
  readonly retryable: boolean;
  /** How long the vendor asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** What the failed answer used, where one came and was paid for. */
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
