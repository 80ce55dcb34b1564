/** The shapes of a chat as they stand on the wire (`runtime/protocol.ts`); a test holds the two together. */
export interface ToolCallRequest {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly tool_calls?: readonly ToolCallRequest[] | undefined;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Record<string, unknown>;
}

export type ModelHint = 'fast' | 'balanced' | 'best';

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[] | undefined;
  readonly hint: ModelHint;
  readonly max_output_tokens?: number | undefined;
  /** The answer must be one JSON document of this schema; `name` says which of our documents it is. */
  readonly response?:
    | { readonly name: string; readonly schema: Record<string, unknown> }
    | undefined;
}

export interface ChatResponse {
  readonly text: string;
  readonly tool_calls: readonly ToolCallRequest[];
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'refusal';
  /** The model that answered, by the vendor's name. */
  readonly model: string;
}

export interface Usage {
  /** All of the input, what came from a cache included. */
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
}

export interface ChatResult {
  readonly response: ChatResponse;
  readonly usage: Usage;
}

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
  /** @throws ProviderError. Aborting ends the call at once. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResult>;
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
  readonly usage: Usage | undefined;

  constructor(
    provider: string,
    message: string,
    facts: {
      problem: ProviderProblem;
      retryable: boolean;
      status?: number | undefined;
      retryAfterMs?: number | undefined;
      usage?: Usage | undefined;
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
