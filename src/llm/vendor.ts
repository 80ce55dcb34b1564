import type * as z from 'zod';
import { type VendorFacts, type VendorName, vendors } from '../contract/vendors.ts';
import type { ModelHint } from '../contract/wire/chat.ts';
import { parseJson } from '../platform/text/parse-json.ts';
import type { GivenAnswer } from './answer/answer.ts';
import type { Reasoning } from './answer/reasoning.ts';
import {
  type Asked,
  cutOff,
  malformed,
  presentable,
  rejectionError,
  transportError,
  webPage,
} from './failure/failure.ts';
import { isErrorDocument, isWebPage } from './failure/vendor-reason.ts';
import { createHttpClient, type HttpAnswer } from './http/http.ts';
import type { Proxies } from './http/proxies.ts';
import { readJsonLines, readServerSentEvents } from './http/stream-events.ts';
import type { ModelRequest, OnText } from './provider.ts';

/** The options of every vendor's provider. */
export interface VendorOptions {
  /** Default: the vendor of the API. */
  readonly vendor?: VendorName | undefined;
  /** Sent in the vendor's own header, to the base URL's origin only. */
  readonly apiKey?: string | undefined;
  /** Default: the vendor's public API. */
  readonly baseUrl?: string | undefined;
  /** Models by hint, which override the vendor's defaults. */
  readonly models?: Partial<Readonly<Record<ModelHint, string | undefined>>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly proxies?: Proxies | undefined;
  /** Time limit of one call. Default 120 s. */
  readonly timeoutMs?: number | undefined;
  /** For models that support it. Default: the vendor's. */
  readonly reasoning?: Reasoning | undefined;
}

/** Assembles the events of a stream into the document that the vendor returns without streaming. */
export interface Assembler {
  /** @returns The text that the event adds to the answer. */
  push(event: unknown): string;
  /** Whether the stream reported its end. */
  isComplete(): boolean;
  document(): unknown;
}

/** How a vendor's API is reached and read. */
export interface VendorApi {
  /** The vendor whose API it is. */
  readonly vendor: VendorName;
  /** Part of all paths, so a base URL may end with it. */
  readonly basePath?: string;
  headers(apiKey: string | undefined): Readonly<Record<string, string>>;
  readonly assembler: () => Assembler;
}

/** The server of a vendor's API. */
export type Vendor = ReturnType<typeof openVendor>;

/** Maximum size of an answer without streaming, and of an error response, in bytes. */
const limits = { answer: 8 * 1024 * 1024, rejection: 256 * 1024 };

/** Connects to a vendor's API: JSON or a stream in, one document or a ProviderError out. */
export function openVendor(wire: VendorApi, options: VendorOptions) {
  const { apiKey, vendor: name = wire.vendor, proxies, timeoutMs } = options;
  const facts: VendorFacts = vendors[name];
  const baseUrl = baseWithout(options.baseUrl ?? facts.address, wire.basePath);
  const headers = { ...options.headers, ...wire.headers(apiKey) };
  const http = createHttpClient({ baseUrl, headers, proxies, timeoutMs });
  const { origin } = http;
  const asked: Asked = { provider: name, origin, apiKey, keyName: facts.keySetting };
  const read = async (call: Promise<HttpAnswer>, onText?: OnText) => {
    try {
      const answer = await call;
      const isGood = answer.status >= 200 && answer.status < 300;
      return isGood
        ? await readDocument(asked, answer, { assembler: wire.assembler(), onText })
        : await refuse(asked, answer);
    } catch (error) {
      throw transportError(asked, error);
    }
  };
  return {
    name,
    facts,
    origin,
    /** @throws ProviderError; the signal's reason when aborted. */
    post: (path: string, body: unknown, signal: AbortSignal, onText?: OnText): Promise<unknown> =>
      read(http.post(path, body, signal), onText),
    get: (path: string, signal: AbortSignal): Promise<unknown> => read(http.get(path, signal)),
    close: () => http.close(),
  };
}

/** A base URL without trailing slashes and without the path that both forms may end with. */
function baseWithout(baseUrl: string, path = ''): string {
  const trimmed = baseUrl.replace(/\/+$/, '');
  return trimmed.endsWith(path) ? trimmed.slice(0, trimmed.length - path.length) : trimmed;
}

interface StreamReader {
  readonly assembler: Assembler;
  readonly onText: OnText | undefined;
}

async function readDocument(
  asked: Asked,
  answer: HttpAnswer,
  reader: StreamReader,
): Promise<unknown> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw malformed(
      asked.provider,
      `it is compressed (${encoding.slice(0, 40)}), which was not requested`,
    );
  }
  if (answer.contentType === 'text/event-stream') {
    return assemble(asked, readServerSentEvents(answer.chunks), reader);
  }
  if (/ndjson|jsonl/.test(answer.contentType)) {
    return assemble(asked, readJsonLines(answer.chunks), reader);
  }
  const text = await answer.text(limits.answer);
  const document = parseJson(text);
  if (typeof document === 'object' && document !== null) {
    throwIfError(asked, document);
    return document;
  }
  const events = eventsIn(text);
  if (events !== undefined) return assemble(asked, events, reader);
  throw isWebPage(text, answer.contentType)
    ? webPage(asked, text)
    : malformed(asked.provider, describeBody(asked, text));
}

/** A stream whose content type does not say so. */
function eventsIn(text: string): AsyncIterable<unknown> | undefined {
  const chunks = async function* () {
    yield Buffer.from(text);
  };
  if (/^\s*(data|event|id|retry)?:/.test(text)) return readServerSentEvents(chunks());
  return /^\s*\{.*\}\r?\n\s*\{/.test(text) ? readJsonLines(chunks()) : undefined;
}

const describeBody = (asked: Asked, text: string): string =>
  text.trim() === ''
    ? 'it is empty'
    : `it is not a JSON document: ${presentable(text.slice(0, 200), asked.apiKey)}`;

async function assemble(
  asked: Asked,
  events: AsyncIterable<unknown>,
  { assembler, onText }: StreamReader,
): Promise<unknown> {
  let isEmpty = true;
  for await (const event of events) {
    if (typeof event !== 'object' || event === null) {
      throw malformed(asked.provider, 'an event of its stream is not a JSON object');
    }
    throwIfError(asked, event);
    const added = assembler.push(event);
    const text = isEmpty ? added.replace(/^\n+/, '') : added;
    if (text === '') continue;
    isEmpty = false;
    onText?.(text);
  }
  if (!assembler.isComplete()) throw cutOff(asked.provider);
  return assembler.document();
}

/** A successful response, or a stream, may contain an error. */
function throwIfError(asked: Asked, document: object): void {
  if (!isErrorDocument(document)) return;
  throw rejectionError(asked, { status: undefined, headers: {}, body: document });
}

async function refuse(asked: Asked, answer: HttpAnswer): Promise<never> {
  const text = await readStart(answer);
  const body = parseJson(text) ?? text;
  throw rejectionError(asked, { status: answer.status, headers: answer.headers, body });
}

async function readStart(answer: HttpAnswer): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.chunks) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes >= limits.rejection) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** One call in the form that the server accepts. */
export interface Call<Form, Extra> {
  readonly model: string;
  readonly form: Form;
  /** The reasoning effort. Default: the model's. */
  readonly reasoning: Reasoning | undefined;
  readonly maxTokens: number;
  readonly wantsStream: boolean;
  /** The value that the vendor needs back with an earlier tool call. */
  extraOf(callId: string): Extra | undefined;
}

/**
 * The API of a vendor, as data and pure functions. `Form` states which request features a model accepts, `Extra` is the value
 * that the vendor needs back with a tool call, `Answer` is its document.
 */
export interface Wire<Form, Extra, Answer> extends VendorApi {
  /** The path of the model list. */
  readonly listPath: string;
  /** Whether answers may begin with reasoning in tags. */
  readonly hasThinkTags?: boolean;
  readonly answer: z.ZodType<Answer>;
  /** The name of an answer, for errors: `a message`. */
  readonly answerName: string;
  /** The form before a server has rejected anything. */
  firstForm(origin: string): Form;
  request(
    request: ModelRequest,
    call: Call<Form, Extra>,
  ): { readonly path: string; readonly body: object };
  read(answer: Answer, request: ModelRequest): GivenAnswer<Extra>;
  /** The form to try next after a rejection; undefined if the rejection has another cause. */
  relax(
    refusal: string,
    request: ModelRequest,
    call: Pick<Call<Form, Extra>, 'form' | 'reasoning'>,
  ): Form | undefined;
  /** The context window of a model in tokens. Default: that of the price catalogue. Must not throw. */
  contextTokens?(model: string, vendor: Vendor): Promise<number | undefined>;
  /** A failed call with advice. */
  explain?(error: unknown, model: string): unknown;
}
