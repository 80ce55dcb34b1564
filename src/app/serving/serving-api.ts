import { join } from 'node:path';
import type { AppContext } from '../context/open-context.ts';
import type { DispatchedRun, DispatchOptions, RunHosting } from './host-runs.ts';
import type { ServerRow, ServerSecrets } from './server-rows.ts';
import type { Changed } from './watch-everything.ts';

export interface Hosting extends RunHosting {
  /** Starts a run; with a `key`, a repeated request does not start a second one. @throws AppError `USAGE`; as `runs.start`. */
  dispatch(options: DispatchOptions): Promise<DispatchedRun>;
}

/** `capstan.serving`: the state that a long-lived server shares with other processes of its user. */
export interface ServingApi {
  secrets(): Promise<ServerSecrets>;
  row(): Promise<ServerRow>;
  /**
   * Makes this process the host of runs. From `begin` on it also continues those that the last host left, parked runs
   * whose questions are all answered, and runs that are handed over.
   */
  host(onProblem: (id: string, error: unknown) => void): Promise<Hosting>;
  /**
   * Marks a run of this process, so that a running server continues it once it is parked as interrupted. Returns false,
   * and marks nothing, if no server is running, or a person stopped the run.
   */
  handOver(runId: string): Promise<boolean>;
  /** Changes by any process. */
  changes(signal: AbortSignal): AsyncIterable<Changed>;
}

export const servingApi = (context: AppContext): ServingApi => {
  const openRow = async () => {
    const { createServerRow } = await import('./server-rows.ts');
    return createServerRow((await context.stores()).db, context.now);
  };
  return {
    row: openRow,
    async secrets() {
      const { createServerSecrets } = await import('./server-rows.ts');
      const links = join(context.places.stateDir, 'links');
      return createServerSecrets((await context.stores()).db, context.now, links);
    },
    async host(onProblem) {
      const { hostRuns, createDispatcher } = await import('./host-runs.ts');
      const hosting = await hostRuns(context, onProblem);
      return { ...hosting, dispatch: createDispatcher(await context.stores(), hosting) };
    },
    async handOver(runId) {
      if ((await openRow()).url() === undefined) return false;
      const stores = await context.stores();
      if (stores.runs.find(runId)?.stoppedBy !== null) return false;
      const { markHosted } = await import('./host-runs.ts');
      markHosted(stores, runId);
      return true;
    },
    async *changes(signal) {
      const { watchEverything } = await import('./watch-everything.ts');
      yield* watchEverything(await context.stores(), signal);
    },
  };
};
