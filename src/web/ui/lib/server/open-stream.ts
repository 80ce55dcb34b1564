import { readEvents, type StreamMessage } from './read-events.ts';
import { dropToken, token } from './token.ts';

/** What to read, and who receives it. */
export interface StreamOptions {
  /** Path below `/api/v1`. */
  readonly path: string;
  readonly onMessage: (message: StreamMessage) => void;
  /** Called when the connection is opened or lost. `nextTryAt` is in milliseconds since 1970. */
  readonly onState?: (state: { isConnected: boolean; nextTryAt: number }) => void;
  /** Id of the last known message; the stream begins after it. Default: from the beginning. */
  readonly after?: string;
}

/** First and longest delay between attempts, in milliseconds. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 5_000;
/** A connection without messages for this time counts as lost. The server sends a heartbeat every 15 seconds. */
const SILENCE_MS = 25_000;

const headersAfter = (lastId: string | undefined): Record<string, string> => ({
  authorization: `Bearer ${token.read()}`,
  accept: 'text/event-stream',
  ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
});

/** @throws Error if the server refuses the stream. */
function bodyOf({ ok, status, body }: Response): NonNullable<Response['body']> {
  if (status === 401) dropToken();
  if (!ok || !body) throw new Error(String(status));
  return body;
}

/** Aborts when no message arrives for `SILENCE_MS`. */
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
 * Reads a stream of the server until it is closed. After a lost connection it continues after the last message.
 *
 * @returns `close`, and `retry`, which reconnects immediately.
 */
export function openStream({ path, onMessage, onState, after }: StreamOptions) {
  const closed = new AbortController();
  let lastId = after;
  let wake = () => {};
  let waitMs = FIRST_WAIT_MS;

  /** @returns Whether the stream has ended for good. @throws Error if the connection failed. */
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
    while (!closed.signal.aborted && token.read() !== '') {
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
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
    }
  };
  void run();
  return { close: () => closed.abort(), retry: () => wake() };
}
