import type { CapstanEvent } from '../contract/event.ts';
import { createHttpClient } from '../llm/http/http.ts';
import type { Proxies } from '../llm/http/proxies.ts';
import type { OtelVariables } from './otel-variables.ts';
import { type ContentOf, createRunSpans } from './run-spans.ts';
import { otlpDocument } from './span.ts';
import { createSpanExporter } from './span-exporter.ts';

/** Sends traces of the events that it receives. */
export interface Telemetry {
  take(event: CapstanEvent): void;
  /** Sends the remaining spans, within 1.5 s. Never rejects. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
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

/** Opens the trace exporter. It connects with the first span. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
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
  const exporter = createSpanExporter({
    async send(spans, signal) {
      const answer = await client.post(path, otlpDocument(spans, about), signal);
      await answer.text(MAX_ANSWER_BYTES);
      if (answer.status >= 300) throw new Error(`${endpoint.origin} answered ${answer.status}`);
    },
    onFailure: (error) => options.onFailure(error instanceof Error ? error.message : String(error)),
  });
  const spans = createRunSpans(variables.withContent ? options.contentOf : undefined);
  return {
    take(event) {
      exporter.add(spans.take(event));
      if (event.type === 'run.ended') exporter.flush();
    },
    async close() {
      await exporter.close();
      client.close();
    },
  };
}
