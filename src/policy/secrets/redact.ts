import { mapTexts, someText } from '../../platform/text/json-texts.ts';
import {
  createSecretFinder,
  MIN_SECRET_CHARS,
  type SecretFinder,
  type Span,
} from './find-secrets.ts';

/** The replacement of a secret. */
export const REDACTED = '[secret removed by Capstan]';

/** Deeper than any real answer. Deeper values are replaced completely. */
const MAX_DEPTH = 200;

export interface Redactor {
  /** The same value with every known secret replaced, also in keys; the value itself if it contains none. */
  redact<T>(value: T): T;
  /** The JSON of a value with every known secret replaced; null of undefined. */
  json(value: unknown): string | null;
  /** For a stream: the redacted beginning of a text, and the rest, which may be the beginning of a secret. */
  redactStart(text: string): { readonly clean: string; readonly rest: string };
  /** Whether a value contains a known secret. */
  holdsSecret(value: unknown): boolean;
}

/** A redactor to which secrets can be added. */
export interface GrowingRedactor extends Redactor {
  /** @param secrets The values. Those under 16 characters are ignored. */
  add(secrets: Iterable<string>): void;
}

/** @param secrets As of `add`. */
export function createRedactor(secrets: Iterable<string> = []): GrowingRedactor {
  const known = new Set<string>();
  let finder: SecretFinder | undefined;
  const add = (more: Iterable<string>) => {
    const before = known.size;
    for (const secret of more) if (secret.length >= MIN_SECRET_CHARS) known.add(secret);
    if (known.size > before) finder = createSecretFinder([...known]);
  };
  add(secrets);
  const clean = (text: string) => withoutSpans(text, finder?.spansIn(text) ?? []);
  const holdsSecret = (value: unknown) => finder !== undefined && someText(value, finder.isIn);
  const redact = <T>(value: T): T =>
    holdsSecret(value) ? (mapTexts(value, clean, MAX_DEPTH, REDACTED) as T) : value;
  return {
    add,
    holdsSecret,
    redact,
    redactStart: (text) => (finder ? splitClean(text, finder) : { clean: text, rest: '' }),
    json(value) {
      const text = toJson(value);
      if (text === null || !finder?.mayHold(text)) return text;
      const cleaned = redact(value);
      return cleaned === value ? text : toJson(cleaned);
    },
  };
}

const toJson = (value: unknown): string | null => JSON.stringify(value) ?? null;

/** Knows no secret. */
export const noSecrets: Redactor = {
  redact: (value) => value,
  json: toJson,
  redactStart: (text) => ({ clean: text, rest: '' }),
  holdsSecret: () => false,
};

/** Maximum length of withheld text that may be the beginning of a secret. */
const MAX_REST_CHARS = 65_536;

function splitClean(text: string, finder: SecretFinder) {
  // Half a character: its bytes come with the other half.
  const half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
  const whole = text.slice(0, text.length - half.length);
  const bytes = Buffer.from(whole);
  const spans = finder.spansIn(whole);
  const isTooLong = text.length > MAX_REST_CHARS;
  let end = isTooLong ? bytes.length : finder.openEndOf(whole);
  for (const [start, to] of spans.toSorted((a, b) => b[1] - a[1])) {
    if (start < end && end < to) end = start;
  }
  const known = spans.filter((span) => span[1] <= end);
  const clean = withoutSpans(bytes.toString('utf8', 0, end), known);
  return { clean, rest: bytes.toString('utf8', end) + half };
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const bytes = Buffer.from(text);
  let clean = '';
  let at = 0;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (start >= at) clean += bytes.toString('utf8', at, start) + REDACTED;
    at = Math.max(at, end);
  }
  return clean + bytes.toString('utf8', at);
}
