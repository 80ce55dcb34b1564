import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { AppError } from '../../contract/errors.ts';
import { createRunGraph } from '../../coordinator/execute-run.ts';
import type { RunStop } from '../../coordinator/stop/run-stop.ts';
import { openRelaxedConnection } from '../../db/open-database.ts';
import { removeAbandonedFolders } from '../../platform/files/temporary-folder.ts';
import { MEMORY_FOLDER } from '../../runtime/sandbox/bubblewrap/nameless-file.ts';
import type { AppContext } from '../context/open-context.ts';
import { keepDeltas, keepEvents } from '../wiring/records/keep-events.ts';
import { createRegistryPool } from '../wiring/registry/registry-pool.ts';

/** A run of this process that has neither ended nor parked. */
export interface ActiveRun {
  readonly stop: RunStop;
  /** Never rejects. */
  readonly over: Promise<void>;
}

/** The parts that the runs of a process share: the database, the event log, the compiled graph and the pool of registries. No settings. */
export type RunHost = Awaited<ReturnType<typeof openHost>>;

const hosts = new WeakMap<AppContext, Promise<RunHost>>();

/**
 * The host of this context: opened by the first call, closed with the context.
 *
 * @throws AppError `CAPSTAN_CLOSED`, and what opening the database for writing throws.
 */
export function runHost(context: AppContext): Promise<RunHost> {
  const known = hosts.get(context);
  if (known) return known;
  const opened = openHost(context);
  hosts.set(context, opened);
  opened.catch(() => hosts.delete(context));
  return opened;
}

async function openHost(context: AppContext) {
  const { events, places } = context;
  const stores = await context.stores();
  if (stores.unwritable) throw stores.unwritable;
  void removeAbandonedFolders([tmpdir(), MEMORY_FOLDER, places.stateDir]);
  if (isTraced(context)) {
    const { sendTraces } = await import('../wiring/records/send-traces.ts');
    await sendTraces(context, stores);
  }
  const log = keepEvents(events, stores, places.stateDir);
  keepDeltas(events, stores);
  const checkpoints = openCheckpoints(stores.path);
  const registries = createRegistryPool(stores);
  const active = new Map<string, ActiveRun>();
  let isOpen = true;
  context.onClose(async () => {
    isOpen = false;
    hosts.delete(context);
    await parkActive([...active.values()]);
    await registries.close();
    log.flush();
    checkpoints.close();
  });
  return {
    stores,
    execution: { ...stores, events },
    graph: createRunGraph(checkpoints.open),
    registries,
    /** By run id. */
    active,
    /** Called directly before a run begins. @throws AppError `CAPSTAN_CLOSED`. */
    assertOpen(): void {
      if (!isOpen) throw new AppError('CAPSTAN_CLOSED', {});
    },
  };
}

/** Whether the environment names a collector of traces. */
const isTraced = ({ environment }: AppContext): boolean =>
  Object.keys(environment).some((name) => /^OTEL_EXPORTER_OTLP_(?:TRACES_)?ENDPOINT$/.test(name));

/** How long runs may take to park before their capsules are killed, and after that, in milliseconds. */
const PARK_MS = 5_000;
const KILL_MS = 2_000;

/** Parks the runs. A run that does not park in time is left running: the next process that opens the database parks it. */
async function parkActive(runs: readonly ActiveRun[]): Promise<void> {
  if (runs.length === 0) return;
  const allOver = Promise.all(runs.map(({ over }) => over));
  for (const { stop } of runs) stop.stop('interrupted');
  await withinMs(PARK_MS, allOver);
  for (const { stop } of runs) stop.kill();
  await withinMs(KILL_MS, allOver);
}

async function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const timer = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, timer]);
  over.abort();
}

/** The store of the graph's state: a separate connection that most processes never open. */
function openCheckpoints(path: string) {
  let db: ReturnType<typeof openRelaxedConnection> | undefined;
  return {
    open(): SqliteSaver {
      db = openRelaxedConnection(path);
      return new SqliteSaver(db);
    },
    close: () => void db?.close(),
  };
}
