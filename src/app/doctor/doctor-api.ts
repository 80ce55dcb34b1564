import { makePlaces } from '../../config/places.ts';
import type { AppContext } from '../app-context.ts';
import type { SettingsOverrides } from '../open-options.ts';
import type { Check } from './check.ts';
import type { IsolationReport } from './test-isolation.ts';

/** `capstan.doctor`: whether this machine has what Capstan needs. */
export interface DoctorApi {
  /** Checks this machine and the settings, and writes nothing. With invalid settings, models and isolation are left out. */
  check(overrides?: SettingsOverrides): Promise<readonly Check[]>;
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
  async testIsolation(overrides) {
    const { testIsolation } = await import('./test-isolation.ts');
    const { settings } = await context.settings(overrides);
    makePlaces(context.places);
    return testIsolation(settings);
  },
});
