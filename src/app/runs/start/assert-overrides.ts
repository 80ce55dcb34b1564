import { listProblems } from '../../../config/read/given.ts';
import { settingNames, settingOf } from '../../../config/setting-table.ts';
import { AppError } from '../../../contract/errors.ts';
import { didYouMean } from '../../../contract/text/closest.ts';
import type { SettingsOverrides } from '../../open-options.ts';

/** The names that overrides of settings may have. */
const known: ReadonlySet<string> = new Set([
  ...settingNames.flatMap((name) => settingOf(name).option ?? []),
  'trustProject',
]);

/** @throws AppError `SETTINGS_INVALID` if a name is unknown. */
export function assertOverrides(overrides: SettingsOverrides): void {
  const problems = Object.keys(overrides)
    .filter((name) => !known.has(name))
    .map((name) => ({
      where: name,
      problem: `unknown setting. ${didYouMean(name, known)}`,
    }));
  if (problems.length > 0)
    throw new AppError('SETTINGS_INVALID', { issues: listProblems(problems) });
}
