import * as z from 'zod';
import type { Usage } from '../../contract/wire/chat.ts';
import type { ChatResult, ModelRequest } from '../provider.ts';

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

/** Tokens in a vendor's report. NaN if the number can't be one: -1, 2.5. */
export const Tokens = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== 'number') return undefined;
    return value >= 0 && (value === Infinity || Number.isInteger(value)) ? value : Number.NaN;
  });

/** The usage that a vendor reported. Missing values are undefined. */
export interface Reported {
  readonly input?: number | null | undefined;
  readonly cached?: number | null | undefined;
  /** Tokens written to the vendor's cache, which have their own price. */
  readonly written?: number | null | undefined;
  readonly output?: number | null | undefined;
}

/**
 * The reported usage, with estimates for missing values, so that an answer without usage is not free. Of a report that is too
 * large, the maximum of the request.
 */
export function settleUsage(
  report: Reported,
  request: ModelRequest,
  outputText: string,
): Pick<ChatResult, 'usage' | 'isEstimated' | 'misreport'> {
  const misreport = misreportIn(report, request);
  if (misreport === 'too_large')
    return { usage: boundUsage(request), isEstimated: true, misreport };
  const { input, cached, written, output } = misreport ? {} : report;
  const input_tokens = input ?? estimateInputTokens(request);
  const cached_input_tokens = Math.min(cached ?? 0, input_tokens);
  const cache_write_tokens = Math.min(written ?? 0, input_tokens - cached_input_tokens);
  return {
    usage: {
      input_tokens,
      cached_input_tokens,
      ...(cache_write_tokens > 0 && { cache_write_tokens }),
      output_tokens: output ?? Math.ceil(Buffer.byteLength(outputText) / 4),
    },
    ...((typeof input !== 'number' || typeof output !== 'number') && { isEstimated: true }),
    ...(misreport && { misreport }),
  };
}

/** How much more than its maximum a call can use: servers add instructions of their own, and some reason beyond the limit. */
const MAX_TIMES = 10;

/** `cached` and `written` are parts of `input`. */
function misreportIn(
  { input, cached, written, output }: Reported,
  request: ModelRequest,
): ChatResult['misreport'] {
  if ([input, cached, written, output].some(Number.isNaN)) return 'invalid';
  const bound = boundUsage(request);
  const most = bound.input_tokens + Math.max(bound.output_tokens, defaultMaxOutputTokens);
  return (input ?? 0) + (output ?? 0) > MAX_TIMES * most ? 'too_large' : undefined;
}
