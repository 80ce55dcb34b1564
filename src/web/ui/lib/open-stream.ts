import { readEvents, type StreamMessage } from './read-events.ts';
import { dropToken, readToken } from './token.ts';

export interface StreamOptions {
  /** Below `/api/v1`. */
  readonly path: string;
  readonly onMessage: (message: StreamMessage) => void;
  /** Connected, or when the next try is made (milliseconds since 1970). */
  readonly onState?: (state: { isConnected: boolean; nextTryAt: number }) => void;
  /** The number after which the first messages are wanted. */
  readonly after?: string;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** The server sends a heartbeat every 15 seconds. A connection that is silent for longer counts as lost. */
const SILENCE_MS = 25_000;

const headersAfter = (lastId: string | undefined): Record<string, string> => ({
  authorization: `Bearer ${readToken()}`,
  accept: 'text/event-stream',
  ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
});

/** @throws Error if the server refuses the stream. */
function bodyOf({ ok, status, body }: Response): NonNullable<Response['body']> {
  if (status === 401) dropToken();
  if (!ok || !body) throw new Error(String(status));
  return body;
}

/** Aborts when nothing was heard for too long. */
function watchSilence() {
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), SILENCE_MS);
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), SILENCE_MS);
    },
    end: () => clearTimeout(timer),
  };
}

/**
 * Reads a stream of the server until it is closed, and goes on after the last number whenever the connection is lost.
 *
 * @returns `close`, and `retry`, which reconnects immediately.
 */
export function openStream({ path, onMessage, onState, after }: StreamOptions) {
  const closed = new AbortController();
  let lastId = after;
  let wake = () => {};
  let waitMs = FIRST_WAIT_MS;

  /** @returns Whether the stream came to its end. @throws Error if the connection failed. */
  const readOnce = async (silence: ReturnType<typeof watchSilence>) => {
    const response = await fetch(`/api/v1${path}`, {
      headers: headersAfter(lastId),
      signal: AbortSignal.any([closed.signal, silence.signal]),
    });
    const body = bodyOf(response);
    onState?.({ isConnected: true, nextTryAt: 0 });
    waitMs = FIRST_WAIT_MS;
    for await (const message of readEvents(body)) {
      silence.heard();
      lastId = message.id ?? lastId;
      if (message.event === 'end') return true;
      if (message.event !== 'comment') onMessage(message);
    }
    return false;
  };

  const run = async () => {
    while (!closed.signal.aborted && readToken() !== '') {
      const silence = watchSilence();
      const isDone = await readOnce(silence).catch(() => false);
      silence.end();
      if (isDone) return;
      if (closed.signal.aborted) return;
      onState?.({ isConnected: false, nextTryAt: Date.now() + waitMs });
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, waitMs);
      });
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    }
  };
  void run();
  return { close: () => closed.abort(), retry: () => wake() };
}
