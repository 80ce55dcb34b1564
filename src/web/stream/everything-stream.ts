import type { Capstan } from '../../app/open-capstan.ts';
import { readOverview } from '../api/health.ts';
import { type EventStream, eventText } from './event-stream.ts';

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
