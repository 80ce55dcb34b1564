import { followEvents } from '../../../coordinator/events/follow-events.ts';
import type { RunRecord } from '../../../coordinator/store/run-store.ts';
import type { AppContext } from '../../app-context.ts';
import type { RunHost } from '../run-host.ts';
import { runDocument } from '../show/run-document.ts';
import type { RunOptions, StartedRun } from '../start/started-run.ts';

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
