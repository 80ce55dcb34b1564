import { lazyApi } from '../../calls/lazy-api.ts';
import type { SettingsOverrides } from '../../context/open-context.ts';
import type { Status } from './read-status.ts';

export type { Status };

/** `capstan.status`: the state that a surface shows while no run is active. */
export interface StatusApi {
  /**
   * Provider, models, sandbox, today's cost and open questions of a workspace, without a run. The sandbox is tested
   * only if its level is unknown; no model is called.
   *
   * @param overrides As for `runs.start`; `workspace` names the folder. Default: the `cwd` of Capstan.
   * @throws AppError `SETTINGS_INVALID`.
   */
  get(overrides?: SettingsOverrides): Promise<Status>;
}

export const statusApi = lazyApi<StatusApi>({
  get: async () => (await import('./read-status.ts')).readStatus,
});
