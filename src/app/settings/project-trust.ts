import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgreedFile, agreedFile, projectOwner } from '../../broker/agreed/agreed-files.ts';
import { type FileChange, fileChanges } from '../../broker/agreed/file-changes.ts';
import { readTrustedFile, trustAll } from '../../config/project/project-files.ts';
import { PROJECT_TEMPLATE } from '../../config/project/project-template.ts';
import {
  type AcceptedFiles,
  acceptedFiles,
  acceptFiles,
  acceptOnly,
} from '../../config/project/project-trust.ts';
import type { Project, ProjectFile } from '../../config/settings.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import { agreedFilesOf } from '../../coordinator/agreed-capsule.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { type Capsule, readCapsules } from '../../registry/capsule-store.ts';
import { isAgreed, recordAgreement, storesIfAny } from '../capsules/capsule-records.ts';
import type { AppContext, SettingsOverrides } from '../context/open-context.ts';
import { capsuleRoots } from '../wiring/registry/capsule-roots.ts';

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
  /** The difference from the trusted file; null if it is trusted or can't be trusted. */
  readonly change: FileChange | null;
}

/** A file as the user has seen it. */
export interface AcceptedFile {
  readonly path: string;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

/** The files of a project that need trust, and their changes since they were trusted. */
export async function reviewProject(
  context: AppContext,
  overrides: SettingsOverrides = {},
): Promise<ProjectReview> {
  const { project, settings } = await context.settings(overrides);
  const accepted = acceptedFiles(settings.places.configDir, project.folder);
  const stores = await storesIfAny(context);
  const kept = stores?.agreedFiles.of(projectOwner(project.folder)) ?? [];
  const changed = project.files.filter(({ state }) => state !== 'trusted' && state !== 'unfit');
  const before = changed.flatMap(({ path }) => agreedFileAt(path, accepted.files, kept));
  const changes = context.redactor.redact(fileChanges(before, presentFiles(project, changed)));
  return {
    folder: project.folder,
    files: project.files.map(({ path, state, sha256 }) => ({
      path,
      state,
      sha256: sha256 ?? null,
      change: changes.find((one) => one.path === path) ?? null,
    })),
    isTrustNeeded: changed.length > 0,
  };
}

/** The file as it was trusted; empty if it was not. Its text counts only if it has the trusted hash. */
function agreedFileAt(path: string, accepted: AcceptedFiles['files'], kept: readonly AgreedFile[]) {
  const sha256 = accepted.get(path);
  if (sha256 === undefined) return [];
  const found = kept.find((file) => file.path === path && file.sha256 === sha256);
  return [found ?? { path, sha256, text: null, problem: 'not_kept' }];
}

const presentFiles = (project: Project, files: readonly Pick<ProjectFile, 'path'>[]) => {
  const readable = trustAll(project);
  return files.flatMap(({ path }) => {
    const bytes = readTrustedFile(readable, path);
    return bytes ? [agreedFile(path, bytes)] : [];
  });
};

/** Implements `settings.trustProject`. Also the consent that the project's capsules run with exactly these files. */
export async function trustProject(
  context: AppContext,
  files: readonly AcceptedFile[],
  overrides: SettingsOverrides = {},
): Promise<void> {
  const { settings, project } = await context.settings({ ...overrides, trustProject: true });
  await keepTrustedTexts(context, project.folder, presentFiles(project, files));
  acceptOnly(settings.places.configDir, project.folder, files);
  const accepted = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const stores = await context.stores();
  const { capsules } = readCapsules(capsuleRoots(await context.settings(overrides)));
  const own = capsules.filter(({ origin }) => origin === 'project');
  stores.journal.commit(() => {
    for (const capsule of own) agreeTo(capsule, accepted, stores);
  });
}

/** Records that a capsule may run with its files, if they are the accepted ones. */
function agreeTo(capsule: Capsule, accepted: AcceptedFiles['files'], stores: Stores): void {
  const { id, dir } = capsule;
  const files = agreedFilesOf(capsule);
  const isAccepted = files?.every(
    ({ path, sha256 }) => accepted.get(`agents/${id}/${path}`) === sha256,
  );
  if (!isAccepted || isAgreed(stores, capsule)) return;
  if (stores.agreed.hashOf(id, dir) !== undefined) stores.trust.reset(id, { actor: 'policy' });
  recordAgreement(stores, { capsule, by: 'person', detail: { because: 'project trusted' } });
}

/** Keeps the texts of the trusted files of a project, in place of the earlier ones. */
async function keepTrustedTexts(
  context: AppContext,
  folder: string,
  files: readonly AgreedFile[],
): Promise<void> {
  const { journal, agreedFiles } = await context.stores();
  journal.commit(() => agreedFiles.keep(projectOwner(folder), files));
}

export interface WrittenTemplate {
  /** Of the project's `capstan.yaml`, absolute. */
  readonly path: string;
  /** False if the file existed: it was not changed. */
  readonly isNew: boolean;
  /** The folder of the user's own settings. */
  readonly configDir: string;
}

/** Implements `settings.writeTemplate`. */
export async function writeTemplate(
  context: AppContext,
  overrides: SettingsOverrides = {},
): Promise<WrittenTemplate> {
  const { settings } = await context.settings(overrides);
  const { places, workspace } = settings;
  makeFolder(places.configDir);
  const path = join(workspace, 'capstan.yaml');
  const text = PROJECT_TEMPLATE;
  const isNew = writeNewFile(path, text);
  if (isNew) {
    const file = agreedFile('capstan.yaml', Buffer.from(text));
    acceptFiles(places.configDir, workspace, [file]);
    const kept = (await context.stores()).agreedFiles.of(projectOwner(workspace)) ?? [];
    const others = kept.filter(({ path: other }) => other !== file.path);
    await keepTrustedTexts(context, workspace, [...others, file]);
  }
  return { path, isNew, configDir: places.configDir };
}

/** False if the path exists, even as a dangling link. */
function writeNewFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    const problem = `${path} can't be written (${messageOf(error)}). Choose a workspace that you can write to.`;
    throw new AppError('USAGE', { problem }, { cause: error });
  }
}
