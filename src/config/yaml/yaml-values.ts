import { type SettingName, settingOf } from '../setting-table.ts';
import { readYaml } from './read-yaml.ts';

/** The settings that stand in the text of a `config.yaml`, as they are written there; a list has commas. */
export async function yamlValues(
  path: string,
  text: string,
): Promise<ReadonlyMap<SettingName, string>> {
  const { givens } = await readYaml(path, text, 'person');
  return new Map(givens.map(({ name, raw }) => [name, [raw].flat().join(', ')]));
}

/** `model.fast` for `CAPSTAN_MODEL_FAST`. */
export const yamlPathOf = (name: SettingName): string => settingOf(name).yaml ?? name;
