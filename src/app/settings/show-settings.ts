import { settingGroups } from '../../config/setting-table.ts';
import type { Layer, Places, ProjectFile } from '../../config/settings.ts';
import type { AppContext, SettingsOverrides } from '../context/open-context.ts';

/** The settings in force, for a person to read: secrets are masked. */
export interface SettingsView {
  /** Absolute. */
  readonly workspace: string;
  /** Capstan's four folders, absolute. */
  readonly places: Places;
  /** Every setting, in the order of the documentation. */
  readonly values: readonly SettingValue[];
  readonly project: readonly Pick<ProjectFile, 'path' | 'state'>[];
  /** Whether files of the project are ignored until the user trusts them. */
  readonly isTrustNeeded: boolean;
  /** Notices for the user, one sentence each. */
  readonly notices: readonly string[];
}

export interface SettingValue {
  /** `CAPSTAN_CONCURRENCY`, `OPENAI_API_KEY`. */
  readonly name: string;
  /** Chapter of the documentation. */
  readonly group: string;
  /** As a person would write it, masked if it is a secret; null if it is not set. */
  readonly value: string | null;
  readonly layer: Layer;
  /** The option (`budgetUsd`), the variable, the file with its line, or `default`. */
  readonly source: string;
}

const needsTrust: ReadonlySet<string> = new Set(['new', 'changed', 'gone']);

export async function showSettings(
  context: AppContext,
  overrides?: SettingsOverrides,
): Promise<SettingsView> {
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
    workspace: settings.workspace,
    places: settings.places,
    values,
    project: project.files.map(({ path, state }) => ({ path, state })),
    isTrustNeeded: project.files.some(({ state }) => needsTrust.has(state)),
    notices,
  };
}
