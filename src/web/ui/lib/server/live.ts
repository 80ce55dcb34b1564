import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { createStore } from '../store.ts';
import { useNow } from '../use-now.ts';
import { path } from './api.ts';
import { openStream } from './open-stream.ts';
import type { StreamMessage } from './read-events.ts';

/** The state of the connection to the server. */
export interface ConnectionState {
  readonly isConnected: boolean;
  /** Whether the connection was lost or could not be opened. False before the first attempt. */
  readonly isLost: boolean;
  /** When the server was last connected. */
  readonly lastAt: Date;
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly nextTryAt: number;
}

const connection = createStore<ConnectionState>({
  isConnected: false,
  isLost: false,
  lastAt: new Date(),
  nextTryAt: 0,
});
let stream: ReturnType<typeof openStream> | undefined;

interface FollowedRun {
  readonly id: string;
  readonly onMessage: (message: StreamMessage) => void;
}

let followed: FollowedRun | undefined;

/** How often a page that is not shown asks whether a question waits, in milliseconds. */
const HIDDEN_POLL_MS = 15_000;

/** Opens the stream of changes, or reconnects it with a new token, and refetches the data that changed. */
export function openLive(client: QueryClient): void {
  if (stream) {
    stream.retry();
    return;
  }
  stream = openStream({
    path: () => (followed ? path`/stream?run=${followed.id}` : '/stream'),
    onState: ({ isConnected, nextTryAt }) => {
      const before = connection.read();
      const lastAt = isConnected || before.isConnected ? new Date() : before.lastAt;
      connection.write({ isConnected, isLost: !isConnected, nextTryAt, lastAt });
      if (isConnected && (before.isLost || before.isConnected)) void client.invalidateQueries();
    },
    onMessage: (message) => {
      if (message.id === undefined && !ofRun.has(message.event)) applyChange(client, message);
      else followed?.onMessage(message);
    },
  });
  setInterval(() => {
    if (document.hidden) void client.refetchQueries({ queryKey: ['overview'] });
  }, HIDDEN_POLL_MS);
}

/** Messages without a number about the run that is followed. */
const ofRun = new Set(['delta', 'end']);

/**
 * Reads the events of a run from the first, in the same stream. One run is followed at a time.
 *
 * @returns Ends it.
 */
export function followRun(run: FollowedRun): () => void {
  followed = run;
  stream?.reopen();
  return () => {
    if (followed !== run) return;
    followed = undefined;
    stream?.reopen();
  };
}

/** Applies a message: `overview` contains its data; `run`, `approvals` and `capsules` name the queries to refetch. */
function applyChange(client: QueryClient, { event, data }: StreamMessage): void {
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

/** Changes are collected for this time before they are refetched, in milliseconds. */
const REFETCH_MS = 250;
const pending = new Map<string, QueryKey>();

/** Schedules a refetch of a changed query. A request in progress is not cancelled. */
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

/** Whether the server is connected, and when the next attempt starts. */
export const useConnection = connection.use;

/** The time of what the page shows: now, or when the server was last connected. */
export function useKnownTime(): Date {
  const { isLost, lastAt } = useConnection();
  const now = useNow();
  return isLost ? lastAt : now;
}

/** Reconnects immediately. */
export const reconnect = (): void => stream?.retry();
