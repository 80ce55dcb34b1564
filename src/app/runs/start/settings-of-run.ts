import type { Policy } from '../../../broker/rules/policy-snapshot.ts';
import { settingsInvalid } from '../../../config/read/given.ts';
import { type SettingName, settingNames, settingOf } from '../../../config/setting-table.ts';
import type { LoadedSettings, Settings } from '../../../config/settings.ts';
import { didYouMean } from '../../../contract/text/closest.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { AppContext, SettingsOverrides } from '../../context/open-context.ts';

/**
 * The settings of a run that is resumed: those that it began with, but with today's keys, places, network and log level, and
 * with its limits of requests, of tokens and of a day if a person resumes it with higher ones in the environment.
 *
 * @param overrides `timeout` (from now on) and `requireIsolation` always apply; `budgetUsd` and `model` replace those of
 *   the run.
 */
export async function settingsOfRun(
  context: AppContext,
  run: RunRecord,
  overrides: SettingsOverrides = {},
  isByHost = false,
) {
  assertOverrides(overrides);
  const { workspace, provider } = run;
  const loaded = await context.settings({ ...overrides, workspace, provider });
  const { runTimeoutMs, logLevel, isolation, sandboxRead, models } = loaded.settings;
  const begunWith = run.options as Partial<Settings>;
  const begun = { ...loaded.settings, ...begunWith };
  const { maxIntents, budget } = isByHost ? begun : raised(loaded, begun);
  const { runTokens } = budget;
  const fromNow = {
    ...{ runTimeoutMs, logLevel, isolation, sandboxRead, maxIntents },
    budget:
      overrides['budgetUsd'] === undefined ? budget : { ...loaded.settings.budget, runTokens },
    ...(overrides['model'] === undefined ? {} : { models }),
  };
  const settings = { ...begun, ...fromNow };
  return {
    loaded: { ...loaded, settings },
    /** As they are set now. */
    gates: loaded.settings.gates,
  };
}

/** The limits of a run, raised only by the environment: a value in a file may be older than the run. */
function raised({ settings, origins }: LoadedSettings, { maxIntents, budget }: Settings) {
  const higher = (name: SettingName, begun: number, now = 0): number =>
    origins.get(name)?.layer === 'environment' ? Math.max(begun, now) : begun;
  const { runTokens, dayMicroUsd } = budget;
  const now = settings.budget;
  return {
    maxIntents: higher('CAPSTAN_MAX_INTENTS', maxIntents, settings.maxIntents),
    budget: {
      ...budget,
      dayMicroUsd: higher('CAPSTAN_BUDGET_DAY_USD', dayMicroUsd, now.dayMicroUsd),
      runTokens: runTokens && higher('CAPSTAN_BUDGET_RUN_TOKENS', runTokens, now.runTokens),
    },
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
