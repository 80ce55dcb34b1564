import { lazyApi } from '../calls/lazy-api.ts';
import type { SettingsOverrides } from '../context/open-context.ts';
import type { Check } from './checks/check.ts';
import type { RepairId, RepairOptions, RepairPlan } from './repair/plan-repairs.ts';
import type { IsolationReport } from './test-isolation.ts';

/** `capstan.doctor`: whether this machine has what Capstan needs. */
export interface DoctorApi {
  /** Checks this machine and the settings, and writes nothing. With invalid settings, models and isolation are left out. */
  check(overrides?: SettingsOverrides): Promise<readonly Check[]>;
  /** The possible repairs for the findings of `check`. Changes nothing. */
  plan(checks: readonly Check[]): Promise<readonly RepairPlan[]>;
  /**
   * Makes one repair that was planned.
   *
   * @throws AppError of what could not be repaired, such as `EMBEDDER_UNAVAILABLE` or `PLACE_UNUSABLE`.
   */
  repair(id: RepairId, options: RepairOptions): Promise<void>;
  /**
   * Lets child processes try to escape from the sandbox. Takes seconds.
   *
   * @throws AppError `SETTINGS_INVALID`.
   */
  testIsolation(overrides?: SettingsOverrides): Promise<IsolationReport>;
}

export const doctorApi = lazyApi<DoctorApi>({
  check: async () => (await import('./run-checks.ts')).runChecks,
  plan: async () => (await import('./repair/plan-repairs.ts')).planRepairs,
  repair: async () => (await import('./repair/plan-repairs.ts')).repair,
  testIsolation: async () => (await import('./test-isolation.ts')).testIsolation,
});
