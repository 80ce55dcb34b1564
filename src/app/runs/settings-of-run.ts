import type { LoadedSettings, Settings } from '../../config/settings.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import type { AppContext } from '../app-context.ts';
import type { SettingsOverrides } from '../open-options.ts';
import { assertOverrides } from './assert-overrides.ts';

/**
 * The settings of a run that is resumed: those that it began with, but with today's keys, places, network and log level.
 *
 * @param overrides `timeout` (from now on) and `requireIsolation` always apply; `budgetUsd` and `model` replace those of
 *   the run.
 * @throws AppError `SETTINGS_INVALID`.
 */
export async function settingsOfRun(
  context: AppContext,
  run: RunRecord,
  overrides: SettingsOverrides = {},
): Promise<LoadedSettings> {
  assertOverrides(overrides);
  const { workspace, provider } = run;
  const loaded = await context.settings({ ...overrides, workspace, provider });
  const { runTimeoutMs, logLevel, isolation, sandboxRead, budget, models } = loaded.settings;
  const fromNow = {
    ...{ runTimeoutMs, logLevel, isolation, sandboxRead },
    ...(overrides['budgetUsd'] === undefined ? {} : { budget }),
    ...(overrides['model'] === undefined ? {} : { models }),
  };
  const begunWith = run.options as Partial<Settings>;
  return { ...loaded, settings: { ...loaded.settings, ...begunWith, ...fromNow } };
}
