import { makePlaces } from '../../config/places.ts';
import type { AppContext } from '../app-context.ts';
import type { SettingsOverrides } from '../open-options.ts';
import type { Check } from './check.ts';
import type { RepairId, RepairOptions, RepairPlan } from './repair/repair.ts';
import type { IsolationReport } from './test-isolation.ts';

/** `capstan.doctor`: whether this machine has what Capstan needs. */
export interface DoctorApi {
  /** Checks this machine and the settings, and writes nothing. With invalid settings, models and isolation are left out. */
  check(overrides?: SettingsOverrides): Promise<readonly Check[]>;
  /** What can be repaired, given what `check` found. Changes nothing. */
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

export const doctorApi = (context: AppContext): DoctorApi => ({
  async check(overrides) {
    const { runChecks } = await import('./run-checks.ts');
    return runChecks(context, overrides);
  },
  async plan(checks) {
    const { planRepairs } = await import('./repair/plan-repairs.ts');
    return planRepairs(context, checks);
  },
  async repair(id, options) {
    const { repair } = await import('./repair/plan-repairs.ts');
    await repair(context, id, options);
    context.forgetSettings();
  },
  async testIsolation(overrides) {
    const { testIsolation } = await import('./test-isolation.ts');
    const { settings } = await context.settings(overrides);
    makePlaces(context.places);
    return testIsolation(settings);
  },
});
