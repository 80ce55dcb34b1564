import { followEvents } from '../../../coordinator/events/follow-events.ts';
import { ownIdentity } from '../../../coordinator/life/process-identity.ts';
import { recoverRun } from '../../../coordinator/life/recover-runs.ts';
import type { RunStop } from '../../../coordinator/stop/run-stop.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import { isStorageFailure, storageError } from '../../../db/health/storage-failure.ts';
import type { AppContext } from '../../context/open-context.ts';
import type { RunHost } from '../run-host.ts';
import { runDocument } from '../show/run-document.ts';
import type { PreparedRun } from '../start/prepare-run.ts';
import type { RunOptions, StartedRun } from '../start/started-run.ts';

export interface Following {
  readonly host: RunHost;
  readonly prepared: PreparedRun;
  readonly stop: RunStop;
  /** Ends the subscription of `onEvent`. */
  readonly endListening: () => void;
  readonly ended: Promise<RunRecord>;
}

/** Registers a run with its host until it has ended, then closes its parts. */
export function followToEnd(
  record: RunRecord,
  { host, prepared, stop, endListening, ended }: Following,
): StartedRun {
  const { id, sessionId, workspace } = record;
  const explained = (error: unknown) =>
    isStorageFailure(error) ? storageError(error, host.stores.path, id) : error;
  const follow = async () => {
    try {
      return runDocument(host.stores, await ended);
    } catch (error) {
      throw explained(error);
    } finally {
      endListening();
      await prepared.close();
      if (host.active.get(id) === entry) host.active.delete(id);
    }
  };
  const finished = follow();
  // A caller who looks at events alone leaves `finished` unhandled: its failure must not end the process.
  const over = finished.then(
    () => undefined,
    () => undefined,
  );
  const entry = { stop, over };
  host.active.set(id, entry);
  const { provider, isolation, notices, loaded } = prepared;
  return {
    id,
    sessionId,
    workspace,
    provider: { name: provider.name, why: provider.why },
    isolation,
    notices,
    logLevel: loaded.settings.logLevel,
    finished,
    interrupt({ now = false } = {}) {
      stop.stop('interrupted');
      if (now) stop.kill();
    },
    leave() {
      try {
        recoverRun(host.execution, { id, owner: ownIdentity() }, 'interrupted');
        return runDocument(host.stores, host.stores.runs.refresh(record));
      } catch (error) {
        throw explained(error);
      }
    },
  };
}

/** Calls `onEvent` and `onDelta` with what belongs to one run. */
export function listenTo(
  { events }: AppContext,
  id: string,
  { onEvent, onDelta }: Pick<RunOptions, 'onEvent' | 'onDelta'>,
): () => void {
  const endings = [
    onEvent && events.listen((event) => event.run_id === id && onEvent(event)),
    onDelta && events.listenToDeltas((delta) => delta.run_id === id && onDelta(delta)),
  ];
  return () => {
    for (const end of endings) end?.();
  };
}

/** Follows a run that another process executes, from its next event. Interrupting it only ends the following. */
export async function followOtherProcess(
  context: AppContext,
  { stores }: RunHost,
  { record, options }: { readonly record: RunRecord; readonly options: RunOptions },
): Promise<StartedRun> {
  const { id, sessionId, workspace, provider, isolation } = record;
  const { logLevel } = (await context.settings()).settings;
  const leaving = new AbortController();
  const after = stores.eventRows.last(id);
  const document = () => runDocument(stores, stores.runs.refresh(record));
  const follow = async () => {
    const { onEvent, onDelta } = options;
    const { signal } = leaving;
    const deltas = onDelta !== undefined;
    for await (const one of followEvents(stores, id, { after, deltas, signal })) {
      if ('seq' in one) onEvent?.(one.event);
      else onDelta?.(one);
    }
    return document();
  };
  const finished = follow();
  // A caller may look at events alone.
  finished.catch(() => undefined);
  return {
    id,
    sessionId,
    workspace,
    provider: { name: provider, why: 'as the run began' },
    isolation,
    notices: ['Another process continues this run; following it.'],
    logLevel,
    finished,
    interrupt: () => leaving.abort(),
    leave: document,
  };
}
