import type { FastifyReply } from 'fastify';
import type { Capstan } from '../../app/open-capstan.ts';
import type { NumberedEvent, TextDelta } from '../../contract/event.ts';
import { readOverview } from '../api/health.ts';

export interface StreamOptions {
  /** Called every 15 seconds; false ends the stream. */
  readonly mayContinue: () => boolean;
}

/** Between two comments that show the client that the server is there. */
export const HEARTBEAT_MS = 15_000;
const TICK_MS = 8;
const PAUSE_BYTES = 64 * 1024;
const MAX_PENDING_BYTES = 1024 * 1024;
const SLOW_MS = 10_000;

/** A message in the form of the protocol. */
const eventText = (data: unknown, { id, event }: { id?: number; event?: string } = {}) =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

export type EventStream = ReturnType<typeof openEventStream>;

/**
 * Turns the answer of a route with `sse` into a stream that stays open. The package negotiates, sends headers and heartbeats;
 * messages are written here, since one text serves all clients and one write all messages of a tick.
 */
export function openEventStream(reply: FastifyReply, { mayContinue }: StreamOptions) {
  const { raw, sse } = reply;
  const closing = new AbortController();
  let pending: string[] = [];
  let pendingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  sse.keepAlive();
  sse.sendHeaders();
  raw.flushHeaders();
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0 || closing.signal.aborted) return;
    raw.write(pending.join(''));
    [pending, pendingBytes] = [[], 0];
    if (raw.writableLength > MAX_PENDING_BYTES) raw.destroy();
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
    /** Adds a message. What is sent within one tick becomes one write. */
    send(message: string): void {
      pending.push(message);
      pendingBytes += message.length;
      if (pendingBytes > PAUSE_BYTES) flush();
      else timer ??= setTimeout(flush, TICK_MS);
    },
    /**
     * Resolves when the client takes more, at once in most cases. A client that takes nothing for ten seconds is dropped: it
     * connects again, and continues after its last number.
     */
    ready: () => drained(reply, closing.signal),
    /** Sends what is left, and ends. */
    end(): void {
      flush();
      sse.close();
    },
    /** Aborted when the client is gone. */
    closed: closing.signal,
  };
}

/** Resolves when the client took most of what was written, or is gone. */
async function drained({ raw }: FastifyReply, closed: AbortSignal): Promise<void> {
  if (raw.writableLength <= PAUSE_BYTES || closed.aborted) return;
  const slow = setTimeout(() => raw.destroy(), SLOW_MS);
  await new Promise<void>((resolve) => {
    const go = () => {
      raw.off('drain', go);
      closed.removeEventListener('abort', go);
      resolve();
    };
    raw.once('drain', go);
    closed.addEventListener('abort', go, { once: true });
  });
  clearTimeout(slow);
}

/** Sends the events of a run after a number, texts while they arrive, and `end` when the run has ended. */
export async function sendRun(
  { runs }: Pick<Capstan, 'runs'>,
  stream: EventStream,
  { id, after }: { readonly id: string; readonly after: number },
): Promise<void> {
  const events = runs.follow(id, { after, live: true, deltas: true, signal: stream.closed });
  for await (const one of events) {
    stream.send(textOf(one));
    await stream.ready();
  }
  stream.send(eventText({}, { event: 'end' }));
}

/** The text of each event that is still in use: clients that follow the same run get the same objects. */
const texts = new WeakMap<NumberedEvent | TextDelta, string>();

function textOf(one: NumberedEvent | TextDelta): string {
  const text =
    texts.get(one) ??
    ('seq' in one ? eventText(one.event, { id: one.seq }) : eventText(one, { event: 'delta' }));
  texts.set(one, text);
  return text;
}

const OVERVIEW_MS = 250;

/** Sends every client what changed, and periodically the counts. The database is watched while there is a client. */
export function createEverythingStream(capstan: Capstan, onProblem: (error: unknown) => void) {
  const clients = new Set<EventStream>();
  let watching: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  const broadcast = (text: string) => {
    for (const client of clients) client.send(text);
  };
  const sendOverview = async () => {
    timer = undefined;
    broadcast(eventText(await readOverview({ capstan }), { event: 'overview' }));
  };
  const watch = async (signal: AbortSignal) => {
    for await (const { runs, approvals } of capstan.serving.changes(signal)) {
      for (const id of runs) broadcast(eventText({ run_id: id }, { event: 'run' }));
      if (approvals) broadcast(eventText({}, { event: 'approvals' }));
      timer ??= setTimeout(() => void sendOverview().catch(onProblem), OVERVIEW_MS);
    }
  };
  const leave = (client: EventStream) => {
    clients.delete(client);
    if (clients.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
    watching?.abort();
    watching = undefined;
  };
  return {
    /** Adds a client until it goes. */
    async join(client: EventStream): Promise<void> {
      clients.add(client);
      client.closed.addEventListener('abort', () => leave(client), { once: true });
      if (!watching) {
        watching = new AbortController();
        const { signal } = watching;
        watch(signal).catch((error: unknown) => {
          onProblem(error);
          // The clients reconnect, which starts watching again.
          watching = undefined;
          for (const one of clients) one.end();
        });
      }
      client.send(eventText(await readOverview({ capstan }), { event: 'overview' }));
    },
    /** Something was changed through this server that rows of runs do not show. */
    tell: (what: 'capsules') => broadcast(eventText({}, { event: what })),
  };
}
