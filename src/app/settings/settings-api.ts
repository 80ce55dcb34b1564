import type { AppContext } from '../app-context.ts';
import type { SettingsOverrides } from '../open-options.ts';
import type { AcceptedFile, ProjectReview } from './project-trust.ts';
import type { SettingsView } from './show-settings.ts';
import type { WrittenTemplate } from './write-template.ts';

/** `capstan.settings`: settings in force, project trust, and the settings file of a project. */
export interface SettingsApi {
  /** The settings in force and where each comes from. @throws AppError `SETTINGS_INVALID`. */
  get(overrides?: SettingsOverrides): Promise<SettingsView>;
  /** The Capstan files of the workspace, and which are trusted. @throws AppError `SETTINGS_INVALID`. */
  reviewProject(overrides?: SettingsOverrides): Promise<ProjectReview>;
  /**
   * Trusts exactly these files of the workspace, with this content, and no others.
   *
   * @throws AppError `SETTINGS_INVALID` if the project could not be used then.
   */
  trustProject(files: readonly AcceptedFile[], overrides?: SettingsOverrides): Promise<void>;
  /**
   * Writes a `capstan.yaml` with every setting commented out into the workspace, and trusts it. An existing file stays.
   *
   * @throws AppError `USAGE` if it can't be written; `SETTINGS_INVALID`.
   */
  writeTemplate(overrides?: SettingsOverrides): Promise<WrittenTemplate>;
}

export const settingsApi = (context: AppContext): SettingsApi => ({
  async get(overrides) {
    const { showSettings } = await import('./show-settings.ts');
    return showSettings(await context.settings(overrides));
  },
  async reviewProject(overrides) {
    const { reviewProject } = await import('./project-trust.ts');
    return reviewProject(context, overrides);
  },
  async trustProject(files, overrides) {
    const { trustProject } = await import('./project-trust.ts');
    return trustProject(context, files, overrides);
  },
  async writeTemplate(overrides) {
    const { writeTemplate } = await import('./write-template.ts');
    return writeTemplate(context, overrides);
  },
});
