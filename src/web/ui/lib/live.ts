import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { openStream } from './open-stream.ts';

export interface ConnectionState {
  readonly isConnected: boolean;
  /** Whether a connection failed or was lost since the last one that succeeded; false at first. */
  readonly isLost: boolean;
  /** When the connection was last there. */
  readonly lastAt: Date;
  /** Milliseconds since 1970. */
  readonly nextTryAt: number;
}

let state: ConnectionState = {
  isConnected: false,
  isLost: false,
  lastAt: new Date(),
  nextTryAt: 0,
};
const readers = new Set<() => void>();
let stream: ReturnType<typeof openStream> | undefined;

/** Opens the page's stream of changes; changed data is fetched again. */
export function openLive(client: QueryClient): void {
  stream = openStream({
    path: '/stream',
    onState: ({ isConnected, nextTryAt }) => {
      const isBack = isConnected && state.isLost;
      const lastAt = isConnected || state.isConnected ? new Date() : state.lastAt;
      state = { isConnected, isLost: !isConnected, nextTryAt, lastAt };
      for (const one of readers) one();
      if (isBack) void client.invalidateQueries();
    },
    onMessage: ({ event, data }) => applyChange(client, event, data),
  });
}

/** `overview` brings its data; `run`, `approvals`, `capsules` name what to ask for again. */
function applyChange(client: QueryClient, event: string, data: string): void {
  if (event === 'overview') {
    client.setQueryData(['overview'], JSON.parse(data));
    return;
  }
  if (event === 'run') {
    const { run_id: id } = JSON.parse(data) as { run_id: string };
    refetchSoon(client, ['run', id]);
    refetchSoon(client, ['runs']);
    return;
  }
  refetchSoon(client, [event]);
}

/** Minimum time between two refetches of the same query. */
const REFETCH_MS = 250;
const pending = new Map<string, QueryKey>();

/** Refetches a changed query soon. A request in progress ends first. */
function refetchSoon(client: QueryClient, queryKey: QueryKey): void {
  if (pending.size === 0) setTimeout(() => refetchPending(client), REFETCH_MS);
  pending.set(JSON.stringify(queryKey), queryKey);
}

function refetchPending(client: QueryClient): void {
  const keys = [...pending.values()];
  pending.clear();
  for (const queryKey of keys) {
    const isRun = queryKey[0] === 'run';
    void client.invalidateQueries({ queryKey, exact: isRun }, { cancelRefetch: false });
  }
}

const subscribe = (reader: () => void) => {
  readers.add(reader);
  return () => readers.delete(reader);
};

/** Whether the server is connected, and when the next attempt starts. */
export const useConnection = (): ConnectionState => useSyncExternalStore(subscribe, () => state);

export const reconnect = (): void => stream?.retry();
