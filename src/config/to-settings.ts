import { expandPath } from './places.ts';
import { type SettingValues, settingNames, settingOf } from './setting-table.ts';
import type { FieldSettings, Places, Settings } from './settings.ts';

interface Surroundings {
  readonly places: Places;
  readonly workspace: string;
  readonly home: string;
  readonly runBudgetSetByPerson: boolean;
}

/** The product's terms for the names that people write. */
export function toSettings(values: SettingValues, around: Surroundings): Settings {
  const { places, workspace, home } = around;
  const absolute = (paths: readonly string[]) =>
    paths.map((path) => expandPath(path, workspace, home));
  const fields = fieldsOf(values);
  return {
    ...fields,
    workspace,
    places,
    modelFallback: fields.modelFallback.map(toFallback),
    budget: { ...fields.budget, runMicroUsdSetByPerson: around.runBudgetSetByPerson },
    sandboxRead: absolute(fields.sandboxRead),
    openPaths: absolute(fields.openPaths),
  };
}

/** Each value at its field: `budget.runTokens` is a member of `budget`. */
function fieldsOf(values: SettingValues): FieldSettings {
  const fields: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { field } = settingOf(name);
    const [group = '', member] = field?.split('.') ?? [];
    if (field === undefined) continue;
    fields[group] =
      member === undefined
        ? values[name]
        : { ...(fields[group] as object), [member]: values[name] };
  }
  return fields as unknown as FieldSettings;
}

function toFallback(written: string): Settings['modelFallback'][number] {
  const colon = written.indexOf(':');
  const provider = written.slice(0, colon) as Settings['modelFallback'][number]['provider'];
  return { provider, model: written.slice(colon + 1) };
}
