import { readTrustedFile, trustAll } from '../../config/project-files.ts';
import { acceptOnly } from '../../config/project-trust.ts';
import type { Project, ProjectFile } from '../../config/settings.ts';
import type { AppContext } from '../app-context.ts';
import type { SettingsOverrides } from '../open-options.ts';

/** The Capstan files of a project, and which of them the user trusts. */
export interface ProjectReview {
  /** Absolute. */
  readonly folder: string;
  readonly files: readonly ReviewedFile[];
  /** Whether trusting them now would change anything. */
  readonly isTrustNeeded: boolean;
}

export interface ReviewedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly state: ProjectFile['state'];
  /** SHA-256 in hex; null for a file that can't be trusted or is gone. */
  readonly sha256: string | null;
  /** The content of a new or changed settings, rules or instructions file; else null. */
  readonly text: string | null;
}

/** A file as the user has seen it. */
export interface AcceptedFile {
  readonly path: string;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

const filesWithText = new Set(['capstan.yaml', 'capstan.policy.yaml', 'AGENTS.md']);

/** What there is to trust in a project. */
export async function reviewProject(
  context: AppContext,
  overrides: SettingsOverrides = {},
): Promise<ProjectReview> {
  const { project } = await context.settings(overrides);
  const visible = trustAll(project);
  return {
    folder: project.folder,
    files: project.files.map(({ path, state, sha256 }) => ({
      path,
      state,
      sha256: sha256 ?? null,
      text: isNew(state) && filesWithText.has(path) ? textOf(visible, path) : null,
    })),
    isTrustNeeded: project.files.some(({ state }) => isNew(state) || state === 'gone'),
  };
}

const isNew = (state: ProjectFile['state']): boolean => state === 'new' || state === 'changed';

const textOf = (project: Project, path: string): string =>
  readTrustedFile(project, path)?.toString('utf8') ?? '';

/**
 * Trusts exactly these files of a project, with this content, and no others.
 *
 * @throws AppError `SETTINGS_INVALID` if the project could not be used then.
 */
export async function trustProject(
  context: AppContext,
  files: readonly AcceptedFile[],
  overrides: SettingsOverrides = {},
): Promise<void> {
  const { settings, project } = await context.settings({ ...overrides, trustProject: true });
  acceptOnly(settings.places.configDir, project.folder, files);
}
