import { join } from 'node:path';
import { showValue } from '../../config/mask.ts';
import type { SettingName } from '../../config/setting-table.ts';
import { settingOf } from '../../config/setting-table.ts';
import type { Layer, LoadedSettings } from '../../config/settings.ts';
import type { DesiredSettings } from './desired-settings.ts';

/** A value that wins over one that setup writes. */
export interface SetupOverride {
  /** The setting: `CAPSTAN_PROVIDER`, `OPENAI_API_KEY`. */
  readonly setting: string;
  readonly layer: Layer;
  /** The variable, or the file with its line. */
  readonly source: string;
  /** A key is masked. */
  readonly value: string;
}

/** What the environment, the project's file or the user's `.env` say otherwise. */
export function overridesOf(
  { origins, settings }: LoadedSettings,
  { yaml, key }: DesiredSettings,
): readonly SetupOverride[] {
  const wanted: readonly [SettingName, string | null][] = [
    ...yaml,
    ...(key ? [[key.name, key.value] as [SettingName, string]] : []),
  ];
  const configFile = join(settings.places.configDir, 'config.yaml');
  const envFile = join(settings.places.configDir, '.env');
  return wanted.flatMap(([name, value]): SetupOverride[] => {
    const origin = origins.get(name);
    if (!origin || origin.layer === 'default') return [];
    const { layer, source, shown } = origin;
    const isReplaced =
      source.startsWith(`${configFile}:`) || (key?.name === name && source === envFile);
    if (isReplaced || shown === showValue(value ?? '', settingOf(name).isSecret)) return [];
    return [{ setting: name, layer, source, value: shown }];
  });
}
