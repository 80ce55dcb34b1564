import type { SettingsOverrides } from '../open-options.ts';

export interface RegistryOptions {
  /** Default: the settings of the working directory. */
  readonly overrides?: SettingsOverrides | undefined;
  /** Called while texts are embedded or a model is downloaded; `shown` describes the numbers. */
  readonly onProgress?: ((done: number, total: number, shown?: string) => void) | undefined;
}
