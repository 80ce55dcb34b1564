import { lazyApi } from '../calls/lazy-api.ts';
import type { CostReport, CostRequest } from './report-costs.ts';

/** `capstan.costs`: spent money, tokens and calls. */
export interface CostsApi {
  /**
   * One row for each run, subtask, capsule, model, tool or day, the highest cost first, and their total.
   *
   * @throws AppError `USAGE` if `by` is not a group or several runs match; `RUN_UNKNOWN`.
   */
  report(request?: CostRequest): Promise<CostReport>;
}

export const costsApi = lazyApi<CostsApi>({
  report: async () => (await import('./report-costs.ts')).reportCosts,
});
