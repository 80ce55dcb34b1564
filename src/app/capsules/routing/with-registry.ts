import { makePlaces } from '../../../config/places.ts';
import type { LoadedSettings } from '../../../config/settings.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { AppContext, SettingsOverrides } from '../../context/open-context.ts';
import { openRegistry } from '../../wiring/registry/open-registry.ts';

/** Opens the registry as a run with these settings would have it, and closes it afterwards. */
export async function withRegistry<T>(
  context: AppContext,
  { overrides, onProgress }: RegistryOptions,
  body: (opened: {
    readonly registry: Registry;
    readonly loaded: LoadedSettings;
    /** Capsules and skills that can't be used. */
    readonly problems: readonly string[];
  }) => T | Promise<T>,
): Promise<T> {
  const loaded = await context.settings(overrides);
  const { settings, project } = loaded;
  makePlaces(settings.places);
  const stores = await context.stores();
  await using opened = await openRegistry({ settings, project, onProgress }, stores);
  const { registry } = opened;
  const { problems } = await registry.sync();
  return await body({ registry, loaded, problems });
}

export interface RegistryOptions {
  /** Default: the settings of the working directory. */
  readonly overrides?: SettingsOverrides | undefined;
  /** Called while texts are embedded or a model is downloaded; `shown` describes the numbers. */
  readonly onProgress?: ((done: number, total: number, shown?: string) => void) | undefined;
}
