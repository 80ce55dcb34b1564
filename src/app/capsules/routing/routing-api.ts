import { lazyApi } from '../../calls/lazy-api.ts';
import type { CorrectRouteOptions, RouteCorrection, RouteExplanation } from './explain-route.ts';
import type { RegistryOptions } from './with-registry.ts';

/** `capstan.routing`: which capsule a task gets and why, and corrections. */
export interface RoutingApi {
  /**
   * Decides which capsule a task would get now. Runs nothing and calls no model.
   *
   * @throws AppError `USAGE` for an empty task; `CAPSULE_UNKNOWN`, `CAPSULE_QUARANTINED`, `NO_CAPSULE_FITS` for a named
   *   capsule; `SETTINGS_INVALID`.
   */
  explain(task: string, options?: RegistryOptions): Promise<RouteExplanation>;
  /**
   * How a subtask of a run was routed.
   *
   * @param subtaskId Needed if the run has several subtasks.
   * @throws AppError `RUN_UNKNOWN`, `USAGE`.
   */
  receipt(runId: string, subtaskId?: string): Promise<RouteExplanation>;
  /**
   * Learns from a wrong route: the task is for another capsule. Secrets in the task are redacted.
   *
   * @param explained The result of `explain` or `receipt`.
   * @throws AppError `CAPSULE_UNKNOWN`, `SETTINGS_INVALID`.
   */
  correct(
    explained: Pick<RouteExplanation, 'task' | 'route'>,
    options: CorrectRouteOptions,
  ): Promise<RouteCorrection>;
}

export const routingApi = lazyApi<RoutingApi>({
  explain: async () => (await import('./explain-route.ts')).explainRoute,
  receipt: async () => (await import('./explain-route.ts')).routingReceipt,
  correct: async () => (await import('./explain-route.ts')).correctRoute,
});
