import { messageOf } from '../contract/errors.ts';
import type { CapstanEvent } from '../contract/event.ts';
import { createHttpClient } from '../llm/http/http.ts';
import type { Proxies } from '../llm/http/proxies.ts';
import type { OtelVariables } from './otel-variables.ts';
import { type ContentOf, createRunSpans } from './run-spans.ts';
import { otlpDocument, type Span } from './span.ts';

export type Telemetry = ReturnType<typeof openTelemetry>;

interface TelemetryOptions {
  readonly endpoint: URL;
  readonly variables: OtelVariables;
  /** Of Capstan. */
  readonly version: string;
  readonly proxies?: Proxies | undefined;
  /** Called only if content is enabled. */
  readonly contentOf: ContentOf;
  /** Called once, with the reason, if traces can't be sent. */
  onFailure(problem: string): void;
}

const REQUEST_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Sends traces of the events that it receives. It connects with the first span. */
export function openTelemetry(options: TelemetryOptions) {
  const { endpoint, variables, version, proxies } = options;
  const client = createHttpClient({
    baseUrl: endpoint.origin,
    headers: variables.headers,
    proxies,
    timeoutMs: REQUEST_MS,
    maxBytes: MAX_ANSWER_BYTES,
  });
  const path = `${endpoint.pathname}${endpoint.search}`;
  const about = { resource: variables.resource, version };
  const send = async (spans: readonly Span[], signal: AbortSignal) => {
    const answer = await client.post(path, otlpDocument(spans, about), signal);
    await answer.text(MAX_ANSWER_BYTES);
    if (answer.status >= 300) throw new Error(`${endpoint.origin} answered ${answer.status}`);
  };
  const exporter = createSpanExporter(send, (error) => options.onFailure(messageOf(error)));
  const spansOf = createRunSpans(variables.withContent ? options.contentOf : undefined);
  return {
    take(event: CapstanEvent): void {
      exporter.add(spansOf(event));
      if (event.type === 'run.ended') exporter.flush();
    },
    /** Sends the remaining spans, within 1.5 s. Never rejects. */
    async close(): Promise<void> {
      await exporter.close();
      client.close();
    },
  };
}

/** Maximum number of queued spans; further ones are dropped. */
const MAX_WAITING = 2_048;
const MAX_BATCH = 256;
const INTERVAL_MS = 2_000;
const CLOSE_MS = 1_500;

/** Sends spans in batches, in the background: nothing waits for it until `close`. A batch that fails is lost. */
function createSpanExporter(
  send: (spans: readonly Span[], signal: AbortSignal) => Promise<void>,
  onFirstFailure: (error: unknown) => void,
) {
  const over = new AbortController();
  const waiting: Span[] = [];
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;
  let hasSent = false;
  const sendAll = async () => {
    hasSent = true;
    while (waiting.length > 0 && !over.signal.aborted) {
      try {
        await send(waiting.splice(0, MAX_BATCH), over.signal);
      } catch (error) {
        if (!hasFailed && !over.signal.aborted) onFirstFailure(error);
        hasFailed = true;
      }
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  return {
    add(spans: readonly Span[]): void {
      if (over.signal.aborted) return;
      waiting.push(...spans.slice(0, Math.max(0, MAX_WAITING - waiting.length)));
      // The first one shows immediately whether the collector can be reached.
      const isDue = waiting.length >= MAX_BATCH || !hasSent;
      if (waiting.length > 0 && isDue) void flush();
      else if (waiting.length > 0) timer ??= setTimeout(flush, INTERVAL_MS).unref();
    },
    /** Sends the queued spans immediately. */
    flush: () => void flush(),
    /** Sends the queued spans, within 1.5 s at most, then stops. Never rejects. */
    async close(): Promise<void> {
      const deadline = setTimeout(() => over.abort(), CLOSE_MS);
      await flush();
      if (waiting.length > 0) await flush();
      clearTimeout(deadline);
      over.abort();
    },
  };
}
