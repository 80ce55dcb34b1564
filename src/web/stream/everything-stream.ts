import type { Capstan } from '../../app/open-capstan.ts';
import { readOverview } from '../api/health.ts';
import type { EventStream } from './event-stream.ts';

const OVERVIEW_MS = 250;

/** Tells every client what changed, and now and then the counts. The database is watched while there is a client. */
export function createEverythingStream(capstan: Capstan, onProblem: (error: unknown) => void) {
  const clients = new Set<EventStream>();
  let watching: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  const broadcast = (event: string, data: unknown = {}) => {
    for (const client of clients) client.send(data, { event });
  };
  const sendOverview = async () => {
    timer = undefined;
    broadcast('overview', await readOverview({ capstan }));
  };
  const watch = async (signal: AbortSignal) => {
    for await (const { runs, approvals } of capstan.serving.changes(signal)) {
      for (const id of runs) broadcast('run', { run_id: id });
      if (approvals) broadcast('approvals');
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
        watch(watching.signal).catch(onProblem);
      }
      client.send(await readOverview({ capstan }), { event: 'overview' });
    },
    /** Something was changed through this server that rows of runs do not show. */
    tell: (what: 'capsules') => broadcast(what),
  };
}
