import { lazyApi } from '../calls/lazy-api.ts';
import type { SettingsOverrides } from '../context/open-context.ts';
import type { AcceptedFile, ProjectReview, WrittenTemplate } from './project-trust.ts';
import type { SettingsView } from './show-settings.ts';

/**
 * `capstan.settings`: settings in force, project trust, and the settings file of a project. All functions throw AppError
 * `SETTINGS_INVALID`.
 */
export interface SettingsApi {
  /** The settings in force and where each comes from. */
  get(overrides?: SettingsOverrides): Promise<SettingsView>;
  /** The Capstan files of the workspace, and which are trusted. */
  reviewProject(overrides?: SettingsOverrides): Promise<ProjectReview>;
  /** Trusts exactly these files of the workspace, with this content, and no others, if the project can be used then. */
  trustProject(files: readonly AcceptedFile[], overrides?: SettingsOverrides): Promise<void>;
  /**
   * Writes a `capstan.yaml` with every setting commented out into the workspace, and trusts it. An existing file stays.
   *
   * @throws AppError `USAGE` if it can't be written.
   */
  writeTemplate(overrides?: SettingsOverrides): Promise<WrittenTemplate>;
}

export const settingsApi = lazyApi<SettingsApi>({
  get: async () => (await import('./show-settings.ts')).showSettings,
  reviewProject: async () => (await import('./project-trust.ts')).reviewProject,
  trustProject: async () => (await import('./project-trust.ts')).trustProject,
  writeTemplate: async () => (await import('./project-trust.ts')).writeTemplate,
});
