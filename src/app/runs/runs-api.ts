import type { AppContext } from '../app-context.ts';
import { type HistoryApi, historyApi } from './history-api.ts';

/** `capstan.runs`: start, resume, message, cancel, follow, list, get, diff, undo, delete, prune, export, replay and fork runs. */
export interface RunsApi extends HistoryApi {}

export const runsApi = (context: AppContext): RunsApi => ({
  ...historyApi(context),
});
