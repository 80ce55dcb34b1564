import type { Policy } from '../../../broker/rules/policy-snapshot.ts';
import { settingsInvalid } from '../../../config/read/given.ts';
import { settingNames, settingOf } from '../../../config/setting-table.ts';
import type { Settings } from '../../../config/settings.ts';
import { didYouMean } from '../../../contract/text/closest.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { AppContext } from '../../context/open-context.ts';
import type { SettingsOverrides } from '../../context/open-options.ts';

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
) {
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
  const settings = { ...loaded.settings, ...begunWith, ...fromNow };
  return {
    loaded: { ...loaded, settings },
    /** As they are set now. */
    gates: loaded.settings.gates,
  };
}

/** The policy of a resumed run with each gate closed that is set to `deny` now. */
export function withClosedGates(policy: Policy, now: Settings['gates']): Policy {
  const names = ['create', 'spend', 'write', 'execute'] as const;
  const closed = names.filter((name) => now[name] === 'deny').map((name) => [name, 'deny']);
  return { ...policy, gates: { ...policy.gates, ...Object.fromEntries(closed) } };
}

/** The names that overrides of settings may have. */
const known: ReadonlySet<string> = new Set([
  ...settingNames.flatMap((name) => settingOf(name).option ?? []),
  'trustProject',
]);

/** @throws AppError `SETTINGS_INVALID` if a name is unknown. */
export function assertOverrides(overrides: SettingsOverrides): void {
  const problems = Object.keys(overrides)
    .filter((name) => !known.has(name))
    .map((name) => ({ where: name, problem: `unknown setting. ${didYouMean(name, known)}` }));
  if (problems.length > 0) throw settingsInvalid(problems);
}
