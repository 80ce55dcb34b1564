import { readEvents, type StreamMessage } from './read-events.ts';
import { dropToken, token } from './token.ts';

/** What to read, and who receives it. */
export interface StreamOptions {
  /** Path below `/api/v1`, asked for at each connection. */
  readonly path: () => string;
  readonly onMessage: (message: StreamMessage) => void;
  /** Called when the connection is opened or lost. `nextTryAt` is in milliseconds since 1970. */
  readonly onState: (state: { isConnected: boolean; nextTryAt: number }) => void;
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

/** Resolves when the page can be seen. */
const shown = (): Promise<unknown> | undefined =>
  document.hidden
    ? new Promise((resolve) =>
        document.addEventListener('visibilitychange', resolve, { once: true }),
      )
    : undefined;

/**
 * Reads a stream of the server while the page is shown: a browser opens six connections to a server, for all its tabs.
 * After a lost connection it continues after the last message.
 *
 * @returns `retry`, which reconnects immediately if the connection is lost or had no token, and `reopen`, which reads the
 * present path from its first message.
 */
export function openStream({ path, onMessage, onState }: StreamOptions) {
  let lastId: string | undefined;
  let leave = new AbortController();
  let wake = () => {};
  let waitMs = FIRST_WAIT_MS;

  const woken = (afterMs?: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (afterMs !== undefined) setTimeout(resolve, afterMs);
    });

  /** @throws Error if the connection failed. */
  const readOnce = async (silence: ReturnType<typeof watchSilence>) => {
    const response = await fetch(`/api/v1${path()}`, {
      headers: headersAfter(lastId),
      signal: AbortSignal.any([leave.signal, silence.signal]),
    });
    const body = bodyOf(response);
    onState({ isConnected: true, nextTryAt: 0 });
    waitMs = FIRST_WAIT_MS;
    for await (const message of readEvents(body)) {
      if (leave.signal.aborted) return;
      silence.heard();
      lastId = message.id ?? lastId;
      if (message.event !== 'comment') onMessage(message);
    }
  };

  const run = async () => {
    for (;;) {
      await shown();
      if (token.read() === '') {
        await woken();
        continue;
      }
      leave = new AbortController();
      const silence = watchSilence();
      await readOnce(silence).catch(() => undefined);
      silence.end();
      if (leave.signal.aborted) continue;
      onState({ isConnected: false, nextTryAt: Date.now() + waitMs });
      await woken(waitMs);
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
    }
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leave.abort();
  });
  void run();
  return {
    retry: () => wake(),
    reopen() {
      lastId = undefined;
      leave.abort();
      wake();
    },
  };
}
