import { settingGroups } from '../../config/setting-table.ts';
import type { AppContext, SettingsOverrides } from '../context/open-context.ts';

/** The settings in force, for a person to read: secrets are masked. */
export type SettingsView = Awaited<ReturnType<typeof showSettings>>;

/**
 * `name`: `CAPSTAN_CONCURRENCY`, `OPENAI_API_KEY`. `value`: as a person would write it, masked if it is a secret; null if it is
 * not set. `source`: the option (`budgetUsd`), the variable, the file with its line, or `default`.
 */
export type SettingValue = SettingsView['values'][number];

const needsTrust: ReadonlySet<string> = new Set(['new', 'changed', 'gone']);

export async function showSettings(context: AppContext, overrides?: SettingsOverrides) {
  const { settings, origins, notices, project } = await context.settings(overrides);
  const values = settingGroups.flatMap(({ title, names }) =>
    names.flatMap((name) => {
      const origin = origins.get(name);
      if (!origin) return [];
      const { layer, source, shown } = origin;
      return [{ name, group: title, value: shown === '' ? null : shown, layer, source }];
    }),
  );
  return {
    /** Absolute. */
    workspace: settings.workspace,
    /** Capstan's four folders, absolute. */
    places: settings.places,
    /** Every setting, in the order of the documentation. */
    values,
    project: project.files.map(({ path, state }) => ({ path, state })),
    /** Whether files of the project are ignored until the user trusts them. */
    isTrustNeeded: project.files.some(({ state }) => needsTrust.has(state)),
    notices,
  };
}
