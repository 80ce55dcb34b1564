/** What stands in the place of a secret. */
export const REDACTED = '[secret removed by Capstan]';

/** A shorter value can't be told from ordinary text. */
export const MIN_SECRET_CHARS = 16;

/** Deeper than any answer that means something; what lies below is replaced as a whole. */
const MAX_DEPTH = 200;

export interface Redactor {
  /** The same value with every known secret replaced, in keys as well; the value itself where none is in it. */
  redact<T>(value: T): T;
  /** Whether a known secret stands anywhere in a value. */
  holdsSecret(value: unknown): boolean;
}

/** @param secrets Values as they are; those under 16 characters are passed over. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const known = [...secrets].filter((secret) => secret.length >= MIN_SECRET_CHARS);
  const forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return { redact: (value) => value, holdsSecret: () => false };
  const source = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const everywhere = new RegExp(source, 'g');
  const holdsSecret = (value: unknown) =>
    someText(value, (text) => forms.some((form) => text.includes(form)));
  return {
    holdsSecret,
    redact: <T>(value: T) => (holdsSecret(value) ? (replaced(value, everywhere, 0) as T) : value),
  };
}

/** Plain, as JSON and URLs write it, and as Base64 wherever it begins in what was encoded. */
function formsOf(secret: string): readonly string[] {
  const inUrl = encodeURIComponent(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    inUrl,
    inUrl.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    inUrl.replaceAll('%20', '+'),
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    ...[0, 1, 2].flatMap((offset) => base64At(secret, offset)),
  ];
}

/** The characters of a Base64 text that depend on the secret alone, where `offset` other bytes (mod 3) come before it. */
function base64At(secret: string, offset: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const whole = bytes.toString('base64').replaceAll('=', '');
  const start = Math.ceil((offset * 8) / 6);
  const end = Math.floor((bytes.length * 8) / 6);
  const text = whole.slice(start, end);
  return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Walks without recursion: what capsules send may be nested to any depth. */
function someText(value: unknown, test: (text: string) => boolean): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && test(next)) return true;
    if (typeof next === 'object' && next !== null) pushParts(left, next);
  }
  return false;
}

function pushParts(left: unknown[], value: object): void {
  for (const [name, item] of Object.entries(value)) {
    left.push(item);
    if (!Array.isArray(value)) left.push(name);
  }
}

function replaced(value: unknown, pattern: RegExp, depth: number): unknown {
  if (typeof value === 'string') return value.replace(pattern, REDACTED);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => replaced(item, pattern, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name.replace(pattern, REDACTED),
      replaced(item, pattern, depth + 1),
    ]),
  );
}
