import type { ServerResponse } from 'node:http';

/** One client of a stream of server-sent events. */
export interface EventStream {
  /** Adds a message. What is sent within one tick becomes one write. */
  send(message: string): void;
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

const TICK_MS = 8;
const HEARTBEAT_MS = 15_000;
const PAUSE_BYTES = 64 * 1024;
const MOST_BYTES = 1024 * 1024;
const SLOW_MS = 10_000;

/** A message in the form of the protocol. */
export const eventText = (data: unknown, { id, event }: { id?: number; event?: string } = {}) =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

export function openEventStream(raw: ServerResponse, { mayContinue }: StreamOptions): EventStream {
  const closing = new AbortController();
  let pending: string[] = [];
  let pendingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  raw.write(': connected\n\n');
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0 || closing.signal.aborted) return;
    raw.write(pending.join(''));
    [pending, pendingBytes] = [[], 0];
    if (raw.writableLength > MOST_BYTES) raw.destroy();
  };
  const heartbeat = setInterval(() => {
    if (!mayContinue()) raw.destroy();
    else stream.send(': still here\n\n');
  }, HEARTBEAT_MS);
  raw.on('close', () => {
    clearInterval(heartbeat);
    clearTimeout(timer);
    closing.abort();
  });
  const stream: EventStream = {
    send(message) {
      pending.push(message);
      pendingBytes += message.length;
      if (pendingBytes > PAUSE_BYTES) flush();
      else timer ??= setTimeout(flush, TICK_MS);
    },
    async ready() {
      if (raw.writableLength <= PAUSE_BYTES || closing.signal.aborted) return;
      await new Promise<void>((resolve) => {
        const slow = setTimeout(() => raw.destroy(), SLOW_MS);
        const go = () => {
          clearTimeout(slow);
          resolve();
        };
        raw.once('drain', go);
        closing.signal.addEventListener('abort', go, { once: true });
      });
    },
    end() {
      flush();
      raw.end();
    },
    closed: closing.signal,
  };
  return stream;
}
