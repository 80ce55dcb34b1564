import type { Usage } from '../../contract/wire/chat.ts';
import type { CountedUsage, ModelRequest } from '../provider.ts';

/** The default output limit: enough for a long report, and supported by every current model. */
export const defaultMaxOutputTokens = 8_192;

/** Tokens of a request by the rule of thumb of four bytes each. */
export const estimateInputTokens = (request: ModelRequest): number =>
  Math.ceil(textBytes(request) / 4) + 4 * request.messages.length;

/** Tokens that vendors add around each message and tool, and once per request. */
const TOKENS_AROUND = 32;
const TOKENS_OF_TOOL_USE = 1_024;

/**
 * The maximum usage of a request. No vendor's tokens are shorter than a byte, so the number of bytes is an upper bound, not an
 * estimate; the output is the limit of the request, or the default.
 */
export function boundUsage(request: ModelRequest): Usage {
  const tools = request.tools?.length ?? 0;
  const usesTools = tools > 0 || request.response !== undefined;
  const around = TOKENS_AROUND * (1 + request.messages.length + tools);
  return {
    input_tokens: textBytes(request) + around + (usesTools ? TOKENS_OF_TOOL_USE : 0),
    cached_input_tokens: 0,
    output_tokens: request.max_output_tokens ?? defaultMaxOutputTokens,
  };
}

function textBytes(request: ModelRequest): number {
  const texts = [
    ...request.messages.map((message) =>
      message.role === 'assistant' && message.tool_calls !== undefined
        ? message.content + JSON.stringify(message.tool_calls)
        : message.content,
    ),
    ...(request.tools ?? []).map((tool) => JSON.stringify(tool)),
    ...(request.response ? [JSON.stringify(request.response.schema)] : []),
  ];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** The usage that a vendor reported. Missing values are undefined. */
export interface Reported {
  readonly input?: number | null | undefined;
  readonly cached?: number | null | undefined;
  /** Tokens written to the vendor's cache, which have their own price. */
  readonly written?: number | null | undefined;
  readonly output?: number | null | undefined;
}

/**
 * The reported usage, with estimates for missing values, so that an answer without usage is not free. `isEstimated`: a part
 * of it was not reported.
 */
export function settleUsage(
  reported: Reported,
  request: ModelRequest,
  outputText: string,
): { readonly usage: CountedUsage; readonly isEstimated: boolean } {
  const input = count(reported.input ?? estimateInputTokens(request));
  const cached = Math.min(count(reported.cached ?? 0), input);
  const written = Math.min(count(reported.written ?? 0), input - cached);
  return {
    usage: {
      input_tokens: input,
      cached_input_tokens: cached,
      ...(written > 0 && { cache_write_tokens: written }),
      output_tokens: count(reported.output ?? Math.ceil(Buffer.byteLength(outputText) / 4)),
    },
    isEstimated: typeof reported.input !== 'number' || typeof reported.output !== 'number',
  };
}

const count = (value: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(0, Math.ceil(value)), 1_000_000_000) : 0;
