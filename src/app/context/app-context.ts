import type { LoadedSettings, Places } from '../../config/settings.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import type { EventBus } from '../../events/bus.ts';
import type { GrowingRedactor } from '../../policy/secrets/redact.ts';
import type { Environment, Presence, SettingsOverrides } from './open-options.ts';

/** The context that the functions of the API share. One per process. */
export interface AppContext {
  /** Passed by the surface; nothing below reads the process. */
  readonly environment: Environment;
  /** The base of relative paths, and the default workspace. Absolute. */
  readonly cwd: string;
  readonly places: Places;
  /** Removes the known secrets of this user from everything that is stored or reported. */
  readonly redactor: GrowingRedactor;
  readonly presence: Presence;
  /** The events of all runs of this process. */
  readonly events: EventBus;
  readonly now: () => Date;
  /**
   * The settings in force with these overrides. Without overrides, they are loaded once. The redactor knows their
   * secrets from then on.
   *
   * @throws AppError `SETTINGS_INVALID`.
   */
  settings(overrides?: SettingsOverrides): Promise<LoadedSettings>;
  /** The next call of `settings` without overrides loads them again. */
  forgetSettings(): void;
  /**
   * The user's database, opened at the first call and closed by `close`.
   *
   * @throws AppError `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`; `CAPSTAN_CLOSED` after `close`.
   */
  stores(): Promise<Stores>;
  /** Registers work for `close`, in reverse order of registration. */
  onClose(end: () => void | Promise<void>): void;
  /** Runs the registered callbacks, then closes the database. Every call returns the same promise. */
  close(): Promise<void>;
}
