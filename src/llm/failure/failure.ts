import type { IncomingHttpHeaders } from 'node:http';
import { HttpFailure } from '../http/http.ts';
import { StreamBroken } from '../http/stream-events.ts';
import { type CountedUsage, ProviderError, type ProviderProblem } from '../provider.ts';
import { readReason, textOfPage, type VendorReason } from './vendor-reason.ts';

/** An error response: its status (undefined for an error inside a successful response), headers and parsed body. */
export interface Rejection {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The server of a call, and the key that no message may contain. */
export interface Asked {
  readonly provider: string;
  readonly origin: string;
  readonly apiKey: string | undefined;
  /** The setting that holds the key. */
  readonly keyName: string | undefined;
}

/** Classifies a vendor's error response. The first matching rule applies; status codes alone decide last. */
export function rejectionError(asked: Asked, rejection: Rejection): ProviderError {
  const said = readReason(rejection.status, rejection.body);
  const { problem, retryable } = rules.find((rule) => applies(rule, said)) ?? lastRule(said);
  const hint = rejection.headers['x-should-retry'];
  return new ProviderError(asked.provider, sentence(asked, said, problem), {
    problem,
    retryable: hint === 'true' || (hint !== 'false' && retryable),
    status: said.status,
    retryAfterMs: retryAfterMs(rejection.headers, rejection.body, Date.now()),
  });
}

/** An unusable answer. A retry may give a usable one. */
export const malformed = (
  provider: string,
  what: string,
  usage?: CountedUsage,
  retryable = true,
): ProviderError =>
  new ProviderError(provider, `The answer can't be used: ${what}.`, {
    problem: 'malformed',
    retryable,
    usage,
  });

/** A web page, which no model sends: nothing was billed, and a retry would get it again. */
export const webPage = ({ provider, apiKey }: Asked, html: string): ProviderError => {
  const what = `it is a web page ("${presentable(textOfPage(html), apiKey)}"): check the base URL`;
  const nothing = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };
  return malformed(provider, what, nothing, false);
};

/** An answer whose stream ended before it was complete, as with a connection that breaks. */
export const cutOff = (provider: string): ProviderError =>
  new ProviderError(provider, 'The answer is incomplete: its stream ended early.', {
    problem: 'network',
    retryable: true,
  });

/** Converts an error that ended a call before its answer was complete. Returns other errors unchanged. */
export function transportError(asked: Asked, error: unknown): unknown {
  if (error instanceof StreamBroken) {
    return malformed(asked.provider, presentable(error.message, asked.apiKey));
  }
  if (isTimeout(error)) return timeout(asked.provider, (error as Error).message);
  if (!(error instanceof HttpFailure)) return error;
  if (error.kind === 'timeout') return timeout(asked.provider, error.message);
  if (error.kind === 'too_large') return malformed(asked.provider, error.message.slice(0, -1));
  const isCertificate = /CERT|SSL|TLS|SIGNATURE/.test(error.code ?? '');
  const fix = isCertificate
    ? ' Its certificate is not trusted; NODE_EXTRA_CA_CERTS can name a file with additional ones.'
    : '';
  return new ProviderError(
    asked.provider,
    `${error.message}${fix}`,
    { problem: 'network', retryable: !isCertificate && error.code !== 'ENOTFOUND' },
    { cause: error },
  );
}

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

const timeout = (provider: string, message: string) =>
  new ProviderError(provider, message, { problem: 'timeout', retryable: true });

interface Verdict {
  readonly problem: ProviderProblem;
  readonly retryable: boolean;
}

/** Applies if one of its conditions does. */
interface Rule extends Verdict {
  readonly statuses?: readonly number[];
  readonly words?: RegExp;
  readonly message?: RegExp;
  readonly text?: readonly [status: number, pattern: RegExp];
}

const rules: readonly Rule[] = [
  {
    problem: 'quota',
    retryable: false,
    statuses: [402],
    words: /insufficient_quota|billing|payment_required|insufficient_balance/,
    message:
      /credit balance is too low|insufficient balance|out of credits|available credits|have any credits/i,
    text: [429, /"quotaId":"[^"]*PerDay/],
  },
  {
    problem: 'too_large',
    retryable: false,
    statuses: [413],
    words: /context_length_exceeded|string_above_max_length|request_too_large/,
    message:
      /context.?length|context.?window|maximum context|prompt (?:is )?too long|request too large|input (?:is )?too (?:long|large)|exceeds? the (?:maximum|limit).{0,40}tokens|token count.{0,60}exceeds/i,
  },
  {
    problem: 'auth',
    retryable: false,
    statuses: [401, 403],
    words: /invalid_api_key|authentication_error|permission_error|unauthenticated/,
    text: [400, /API_KEY_INVALID|api key not valid/i],
  },
  { problem: 'malformed', retryable: true, words: /tool_use_failed|json_validate_failed/ },
  { problem: 'not_found', retryable: false, statuses: [404], words: /model_not_found|not_found/ },
  { problem: 'overloaded', retryable: true, statuses: [529, 503], words: /overloaded|unavailable/ },
  {
    problem: 'rate_limit',
    retryable: true,
    statuses: [429],
    words: /rate_limit|resource_exhausted/,
  },
  {
    problem: 'timeout',
    retryable: true,
    statuses: [408, 504, 524],
    words: /timeout|deadline/,
  },
];

const applies = ({ statuses, words, message, text }: Rule, said: VendorReason): boolean =>
  (said.status !== undefined && statuses?.includes(said.status)) ||
  words?.test(said.words) ||
  message?.test(said.message) ||
  (text !== undefined && said.status === text[0] && text[1].test(said.text));

function lastRule({ status, words }: VendorReason): Verdict {
  const isRequest =
    status === undefined
      ? /invalid_(request|argument)|bad_?request/.test(words)
      : status < 500 && status !== 409 && status !== 425;
  return isRequest
    ? { problem: 'bad_request', retryable: false }
    : { problem: 'server', retryable: true };
}

function sentence(asked: Asked, said: VendorReason, problem: ProviderProblem): string {
  const { status } = said;
  const where = status === undefined ? '' : ` (${status})`;
  if (problem === 'auth' && status !== 403) {
    const check = asked.keyName === undefined ? '' : ` Check ${asked.keyName}.`;
    const why = presentable(said.message, asked.apiKey).replace(/[.\s]+$/, '');
    const refused = asked.apiKey === undefined ? 'requires an API key' : 'rejected the API key';
    return `${asked.origin} ${refused}${where}: ${why}.${check}`;
  }
  if (status !== undefined && status >= 300 && status < 400) {
    return `${asked.origin} answered with a redirect${where}, which is not followed: check the base URL.`;
  }
  return `${asked.origin} answered${where}: ${presentable(said.message, asked.apiKey)}`;
}

/** One line of at most 600 characters, without the key. */
export function presentable(message: string, apiKey: string | undefined): string {
  const clean = (apiKey ? message.replaceAll(apiKey, '[key]') : message)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (clean === '') return 'no reason given';
  return clean.length > 600 ? `${clean.slice(0, 600)}…` : clean;
}

/**
 * How long a vendor asks to wait, in ms: `retry-after-ms`, `retry-after` (seconds or a date), Google's `RetryInfo` in the
 * body, else the duration in its message ("try again in 1m26.4s").
 */
export function retryAfterMs(
  headers: IncomingHttpHeaders,
  body: unknown,
  nowMs: number,
): number | undefined {
  return fromHeaders(headers, nowMs) ?? fromRetryInfo(body) ?? fromSentence(body);
}

function fromHeaders(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const ms = asNumber(headers['retry-after-ms']);
  if (ms !== undefined) return ms;
  const value = headers['retry-after'];
  const seconds = asNumber(value);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  const at = value !== undefined && /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

function asNumber(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

function fromRetryInfo(body: unknown): number | undefined {
  const text = JSON.stringify(body ?? null);
  const delay = /"retryDelay":"(\d{1,7}(?:\.\d{1,9})?)s"/.exec(text)?.[1];
  return delay === undefined ? undefined : Math.ceil(Number(delay) * 1_000);
}

const duration = /(?:(\d{1,4})h)?(?:(\d{1,5})m(?!s))?(?:(\d{1,7}(?:\.\d{1,9})?)(ms|s))?/;

function fromSentence(body: unknown): number | undefined {
  const text = JSON.stringify(body ?? null);
  const start = /(?:try again|retry) in /i.exec(text);
  if (start === null) return undefined;
  const rest = text.slice(start.index + start[0].length, start.index + start[0].length + 40);
  const [whole, hours, minutes, amount, unit] = duration.exec(rest) ?? [];
  if (!whole) return undefined;
  const last = Number(amount ?? 0) * (unit === 'ms' ? 1 : 1_000);
  return Math.ceil(Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + last);
}
