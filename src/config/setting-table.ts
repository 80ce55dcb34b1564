import type { Setting } from './setting.ts';
import { accessSettings, budgetSettings, consentSettings } from './table/consent.ts';
import { generalSettings, terminalSettings } from './table/general.ts';
import { limitSettings, networkSettings, timeSettings } from './table/limits.ts';
import { modelSettings, vendorSettings } from './table/models.ts';

/** All settings, by their names in the environment. */
export const settingTable = {
  ...generalSettings,
  ...modelSettings,
  ...vendorSettings,
  ...consentSettings,
  ...budgetSettings,
  ...accessSettings,
  ...timeSettings,
  ...limitSettings,
  ...networkSettings,
  ...terminalSettings,
} satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settingTable;

/** The parsed value of every setting. */
export type SettingValues = { [N in SettingName]: (typeof settingTable)[N]['initial'] };

export const settingNames = Object.keys(settingTable) as readonly SettingName[];

/** The setting with this name, without its type, for code that treats all settings alike. */
export const settingOf = (name: SettingName): Setting<unknown> => settingTable[name];

/** The chapters of the documentation, in its order. */
export const settingGroups: readonly {
  readonly title: string;
  readonly names: readonly SettingName[];
}[] = (
  [
    ['General', generalSettings],
    ['Models and routing', modelSettings],
    ['Vendors', vendorSettings],
    ['Consent', consentSettings],
    ['Budget', budgetSettings],
    ['Isolation and access', accessSettings],
    ['Time', timeSettings],
    ['Limits', limitSettings],
    ['Network', networkSettings],
    ['Terminal', terminalSettings],
  ] as const
).map(([title, settings]) => ({ title, names: Object.keys(settings) as SettingName[] }));
