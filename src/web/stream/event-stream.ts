import type { FastifyReply } from 'fastify';

/** One client of a stream of server-sent events. */
export interface EventStream {
  /** Adds a message. What is sent within one tick becomes one write. */
  send(data: unknown, about?: { readonly id?: number; readonly event?: string }): void;
  /**
   * Resolves when the client takes more, at once in most cases. A client that takes nothing for ten seconds is dropped: it
   * connects again, and continues after its last number.
   */
  ready(): Promise<void>;
  /** Sends what is left, and ends. */
  end(): void;
  /** Aborted when the client is gone. */
  readonly closed: AbortSignal;
}

export interface StreamOptions {
  /** Called every 15 seconds; false ends the stream. */
  readonly mayContinue: () => boolean;
}

/** Between two comments that show the client that the server is there. */
export const HEARTBEAT_MS = 15_000;
const TICK_MS = 8;
const PAUSE_BYTES = 64 * 1024;
const MOST_BYTES = 1024 * 1024;
const SLOW_MS = 10_000;

/** Turns the answer of a route with `sse` into a stream that stays open. */
export function openEventStream(reply: FastifyReply, { mayContinue }: StreamOptions): EventStream {
  const { raw, sse } = reply;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  sse.keepAlive();
  sse.sendHeaders();
  raw.flushHeaders();
  // Each message that does not fit waits for the same event.
  raw.setMaxListeners(0);
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    raw.uncork();
  };
  const checking = setInterval(() => {
    if (!mayContinue()) raw.destroy();
  }, HEARTBEAT_MS);
  sse.onClose(() => {
    clearInterval(checking);
    clearTimeout(timer);
    closing.abort();
  });
  return {
    send(data, { id, ...about } = {}) {
      if (closing.signal.aborted) return;
      if (timer === undefined) {
        raw.cork();
        timer = setTimeout(flush, TICK_MS);
      }
      // A client that is gone is no failure: its stream is closed.
      void sse
        .send({ ...about, ...(id === undefined ? {} : { id: String(id) }), data })
        .catch(() => raw.destroy());
      if (raw.writableLength > MOST_BYTES) raw.destroy();
    },
    async ready() {
      if (raw.writableLength <= PAUSE_BYTES || closing.signal.aborted) return;
      flush();
      await drained(reply, closing.signal);
    },
    end() {
      flush();
      sse.close();
    },
    closed: closing.signal,
  };
}

/** Resolves when the client took what was written, or is gone. */
async function drained({ raw }: FastifyReply, closed: AbortSignal): Promise<void> {
  if (!raw.writableNeedDrain) return;
  const slow = setTimeout(() => raw.destroy(), SLOW_MS);
  await new Promise<void>((resolve) => {
    raw.once('drain', resolve);
    closed.addEventListener('abort', () => resolve(), { once: true });
  });
  clearTimeout(slow);
}
