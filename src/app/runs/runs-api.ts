import type { AppContext } from '../app-context.ts';
import { type ChangesApi, changesApi } from './changes-api.ts';

/** `capstan.runs`: start, resume, message, cancel, follow, list, get, diff, undo, delete, prune, export, replay and fork runs. */
export interface RunsApi extends ChangesApi {}

export const runsApi = (context: AppContext): RunsApi => ({
  ...changesApi(context),
});
