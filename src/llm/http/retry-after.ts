import type { IncomingHttpHeaders } from 'node:http';

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
