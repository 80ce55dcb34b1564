import type { Span } from './span.ts';

/** Sends spans in batches, in the background: nothing waits for it until `close`. */
export interface SpanExporter {
  add(spans: readonly Span[]): void;
  /** Sends the queued spans immediately. */
  flush(): void;
  /** Sends the queued spans, within 1.5 s at most, then stops. Never rejects. */
  close(): Promise<void>;
}

export interface SpanExporterOptions {
  /** Sends one batch. A batch that fails is lost. */
  send(spans: readonly Span[], signal: AbortSignal): Promise<void>;
  /** Called for the first failure. */
  onFailure(error: unknown): void;
}

/** Maximum number of queued spans; further ones are dropped. */
const MAX_WAITING = 2_048;
const MAX_BATCH = 256;
const INTERVAL_MS = 2_000;
const CLOSE_MS = 1_500;

export function createSpanExporter({ send, onFailure }: SpanExporterOptions): SpanExporter {
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
        if (!hasFailed && !over.signal.aborted) onFailure(error);
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
    add(spans) {
      if (over.signal.aborted) return;
      waiting.push(...spans.slice(0, Math.max(0, MAX_WAITING - waiting.length)));
      // The first one shows immediately whether the collector can be reached.
      const isDue = waiting.length >= MAX_BATCH || !hasSent;
      if (waiting.length > 0 && isDue) void flush();
      else if (waiting.length > 0) timer ??= setTimeout(flush, INTERVAL_MS).unref();
    },
    flush: () => void flush(),
    async close() {
      const deadline = setTimeout(() => over.abort(), CLOSE_MS);
      await flush();
      if (waiting.length > 0) await flush();
      clearTimeout(deadline);
      over.abort();
    },
  };
}
