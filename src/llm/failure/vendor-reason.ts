import { asRecord, parseJson } from '../../platform/text/parse-json.ts';

/** The vendor's reason for an error response. */
export interface VendorReason {
  /** From the body, if it has one, else from the HTTP response. */
  readonly status: number | undefined;
  readonly message: string;
  /** Code, type and status words, lower case, spaces between. */
  readonly words: string;
  /** The whole body as text, for details. */
  readonly text: string;
}

/** Finds the reason in the formats of all vendors and gateways. `body` is parsed JSON, or text. */
export function readReason(status: number | undefined, body: unknown): VendorReason {
  const outer = asRecord(Array.isArray(body) ? body[0] : body);
  const error = asRecord(errorIn(outer));
  const codes = [error['code'], error['type'], error['status'], outer['code'], outer['type']];
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  const words = codes.filter((word) => typeof word === 'string').join(' ');
  return {
    status: status ?? [error['code'], outer['code'], outer['status']].map(asStatus).find(isKnown),
    message: messageIn(errorIn(outer)) || messageIn(body) || text,
    words: words.toLowerCase(),
    text,
  };
}

/** OpenRouter puts the upstream vendor's error into the choice. */
function errorIn({ error, choices }: Readonly<Record<string, unknown>>): unknown {
  return isSaid(error) ? error : asRecord(Array.isArray(choices) ? choices[0] : {})['error'];
}

/** Whether a successful response is an error document. */
export function isErrorDocument(document: unknown): boolean {
  const outer = asRecord(Array.isArray(document) ? document[0] : document);
  if (isSaid(errorIn(outer))) return true;
  const { object, type, errors, base_resp } = outer;
  if (object === 'error' || type === 'error') return true;
  if (Array.isArray(errors) && errors.length > 0) return true;
  return Boolean(asRecord(base_resp)['status_code']);
}

const isSaid = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : Boolean(value) && value !== true;

/** Maximum nesting: a gateway wraps the error of the next gateway. */
const MAX_DEPTH = 4;

/** The message for people, from the outside in; the message of an upstream vendor is appended. */
function messageIn(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return '';
  if (typeof value === 'string') return messageInText(value, depth);
  if (Array.isArray(value)) return messageIn(value[0], depth + 1);
  const record = asRecord(value);
  const own = firstText(
    ['error', 'message', 'msg', 'detail', 'errors', 'error_description', 'base_resp', 'status_msg']
      .map((key) => record[key])
      .filter((entry) => typeof entry === 'string' || typeof entry === 'object'),
    depth,
  );
  return [own + parameterOf(record), behind(record, depth)]
    .filter((part) => part !== '')
    .join(': ');
}

const firstText = (values: readonly unknown[], depth: number): string => {
  for (const value of values) {
    const found = messageIn(value, depth + 1);
    if (found !== '') return found;
  }
  return '';
};

/** OpenAI names the invalid field, FastAPI its location. */
function parameterOf({ param, loc }: Readonly<Record<string, unknown>>): string {
  if (typeof param === 'string' && param !== '') return ` (${param})`;
  return Array.isArray(loc) ? ` (${loc.join('.')})` : '';
}

/** The upstream vendor's message that OpenRouter forwards. */
function behind({ metadata }: Readonly<Record<string, unknown>>, depth: number): string {
  const { raw, reasons, provider_name } = asRecord(metadata);
  const why = Array.isArray(reasons) ? reasons.join(', ') : messageIn(raw ?? '', depth + 1);
  if (why === '') return '';
  return typeof provider_name === 'string' ? `${why} (${provider_name})` : why;
}

/** The text may itself be JSON, or an HTML page. */
function messageInText(text: string, depth: number): string {
  if (/^\s*[{[]/.test(text)) {
    const parsed = parseJson(text);
    if (parsed !== undefined) return messageIn(parsed, depth + 1) || text;
  }
  return isHtml(text) ? textOfPage(text) : text;
}

const isHtml = (text: string): boolean => /^\s*<(!doctype|html|head|body|\?xml)/i.test(text);

/** Whether a body that is no JSON document is a web page. One that only begins as JSON was cut off, whatever its type. */
export const isWebPage = (text: string, contentType: string): boolean =>
  isHtml(text) || (contentType === 'text/html' && /^\s*[^\s{[]/.test(text));

/** The title and first words of an HTML page. */
export function textOfPage(html: string): string {
  const page = html.slice(0, 20_000).replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ');
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim() ?? '';
  const words = page
    .replace(/<title[^>]*>[^<]*/i, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const rest = words === title ? '' : words.slice(0, 200);
  return [title, rest].filter((part) => part !== '').join(': ') || 'an HTML page without text';
}

const asStatus = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' ? number : undefined;
};

const isKnown = (value: number | undefined): value is number =>
  value !== undefined && value >= 400 && value <= 599;
