import { renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sentencesOf } from '../../../config/read/given.ts';
import { readTextFile } from '../../../config/yaml/text-file.ts';
import { AppError, messageOf } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import {
  archiveFolder,
  type CapsuleArchive,
  MAX_ARCHIVE_BYTES,
  packCapsule,
  readArchive,
  type UnpackedFile,
  unpackArchive,
  withId,
} from '../../../registry/archive/capsule-archive.ts';
import { type Capsule, readCapsule } from '../../../registry/capsule-store.ts';
import { draftFolder } from '../../../registry/create/draft-folder.ts';
import { isShippedCode } from '../../../registry/manifest/shipped-code.ts';
import { toolbox } from '../../../tools/toolbox.ts';
import type { AppContext } from '../../context/open-context.ts';
import { keepSchemas } from '../../wiring/records/keep-schemas.ts';
import { recordNewCapsule } from '../capsule-records.ts';
import {
  assertFreeId,
  type CapsuleOptions,
  findAuthored,
  type LoadedCapsules,
  loadCapsules,
} from '../load-capsules.ts';

export interface ImportOptions extends CapsuleOptions {
  /** The id that the capsule gets. Default: its own. */
  readonly as?: string | undefined;
}

/** The capsule of an archive or a folder: everything that a person agrees to by importing it. */
export interface ArchivedCapsule {
  readonly id: string;
  readonly manifest: Capsule['manifest'];
  /** The text of its `skill.md`; undefined if it has none. */
  readonly overlay: string | undefined;
  readonly files: readonly UnpackedFile[];
  /** SHA-256 of the paths and hashes of all files. `import` takes it as the consent. */
  readonly sha256: string;
  /** Whether all it runs is Capstan's own program. */
  readonly runsShippedCode: boolean;
}

/** Implements `capsules.readArchive`. */
export async function previewArchive(
  context: AppContext,
  path: string,
  options: ImportOptions = {},
): Promise<ArchivedCapsule> {
  const source = readSource(context, path);
  const loaded = await loadCapsules(context, options);
  return withUnpacked(loaded, { ...source, as: options.as }, (capsule) => ({
    id: capsule.id,
    manifest: capsule.manifest,
    overlay: capsule.overlay?.text,
    files: source.archive.files,
    sha256: source.archive.sha256,
    runsShippedCode: isShippedCode(capsule),
  }));
}

interface Source {
  readonly archive: CapsuleArchive;
  /** For errors. */
  readonly shown: string;
  /** `ARCHIVE_INVALID` or `CAPSULE_FOLDER_INVALID`. */
  invalid(problem: string, options?: ErrorOptions): AppError;
}

function readSource({ cwd }: AppContext, given: string): Source {
  const path = resolve(cwd, given);
  const shown = printable(given);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw usage(`There is no file or folder "${shown}".`, 'path');
  const isFolder = stats.isDirectory();
  const code = isFolder ? 'CAPSULE_FOLDER_INVALID' : 'ARCHIVE_INVALID';
  const invalid: Source['invalid'] = (problem, options) =>
    new AppError(code, { path: shown, problem }, options);
  const archive = isFolder
    ? readFolder(path, invalid)
    : readArchive(readFile(path, invalid), shown);
  return { archive, shown, invalid };
}

function readFolder(dir: string, invalid: Source['invalid']): CapsuleArchive {
  try {
    return archiveFolder(dir);
  } catch (error) {
    throw invalid(messageOf(error).replace(/\.$/, ''), { cause: error });
  }
}

function readFile(path: string, invalid: Source['invalid']): string {
  const file = readTextFile(path, MAX_ARCHIVE_BYTES) ?? { problem: 'it no longer exists' };
  if ('text' in file) return file.text;
  throw invalid(sentencesOf(file.problem).problem);
}

/**
 * Unpacks an archive into a temporary folder beside the user's capsules, while `work` runs.
 *
 * @throws AppError `ARCHIVE_INVALID` or `CAPSULE_FOLDER_INVALID` if it holds no valid capsule; `USAGE` with field `id` if
 *   the id is taken.
 */
function withUnpacked<T>(
  loaded: LoadedCapsules,
  { as, ...source }: Source & { readonly as: string | undefined },
  work: (capsule: Capsule) => T,
): T {
  const { personal } = loaded;
  const id = as ?? source.archive.id;
  assertFreeId(loaded, id);
  makeFolder(personal);
  const draft = draftFolder(personal);
  try {
    return work(unpack({ ...source, archive: withId(source.archive, id) }, join(draft, id)));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function unpack({ archive, shown, invalid }: Source, dir: string): Capsule {
  try {
    makeFolder(join(dir, '..'));
    unpackArchive(archive, dir);
    const capsule = readCapsule(dir, 'personal');
    const tools = Object.keys(capsule.manifest.grants.tools);
    const unknown = tools.find((tool) => !toolbox.has(tool));
    if (unknown === undefined) return capsule;
    throw new Error(`it asks for the tool "${printable(unknown)}", which does not exist`);
  } catch (error) {
    const problem = messageOf(error).replaceAll(dir, shown).replace(/\.$/, '');
    throw invalid(problem, { cause: error });
  }
}

export interface ConfirmedImport extends ImportOptions {
  /** The `sha256` that `readArchive` returned: the user agreed to these files. */
  readonly sha256: string;
}

/** Implements `capsules.import`. */
export async function importCapsule(context: AppContext, path: string, options: ConfirmedImport) {
  const source = readSource(context, path);
  const { archive } = source;
  if (archive.sha256 !== options.sha256)
    throw source.invalid('it changed after you had agreed to it');
  const loaded = await loadCapsules(context, { ...options, onNotice: undefined });
  const { personal, actor } = loaded;
  const stores = await context.stores();
  const capsule = withUnpacked(loaded, { ...source, as: options.as }, (unpacked): Capsule => {
    const dir = join(personal, unpacked.id);
    renameSync(unpacked.dir, dir);
    return { ...unpacked, dir };
  });
  const detail = { archive: archive.sha256, archived_as: archive.id };
  recordNewCapsule(stores, capsule, { by: actor, action: 'capsule.imported', detail });
  keepSchemas(context.places);
  return capsule;
}

export interface ExportedCapsule {
  readonly id: string;
  /** The archive: JSON, the same for the same files. */
  readonly text: string;
  /** SHA-256 of the paths and hashes of all files. */
  readonly sha256: string;
  /** Number of files. */
  readonly files: number;
}

/** Implements `capsules.export`. */
export async function exportCapsule(
  context: AppContext,
  named: string,
  options: CapsuleOptions = {},
): Promise<ExportedCapsule> {
  const loaded = await loadCapsules(context, options);
  try {
    const capsule = findAuthored(loaded, named);
    return { id: capsule.id, ...packCapsule(capsule) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const problem = `"${printable(named)}" can't be exported: ${messageOf(error)}`;
    throw new AppError('USAGE', { problem }, { cause: error });
  }
}
