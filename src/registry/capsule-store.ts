import { realpathSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, posix } from 'node:path';
import { isCasePath } from '../config/files/agent-folders.ts';
import { sentencesOf } from '../config/read/given.ts';
import { readTextFile } from '../config/yaml/text-file.ts';
import { AppError, failedWith, messageOf } from '../contract/errors.ts';
import { folderEntries } from '../platform/files/folder-entries.ts';
import { isInside } from '../platform/files/inside.ts';
import { isDeeperThan } from '../platform/text/parse-json.ts';
import { isReservedId } from './create/capsule-id.ts';
import { hashCapsuleFolder, isOwnRecord, listHashable } from './files/capsule-hash.ts';
import { jsonLines } from './manifest/json-lines.ts';
import { Manifest, manifestFields } from './manifest/manifest.ts';
import { type ManifestIssue, manifestInvalid, manifestIssues } from './manifest/manifest-issues.ts';

const MAX_MANIFEST_BYTES = 256 * 1024;
export const MAX_OVERLAY_BYTES = 256 * 1024;

/** Serializing a manifest is recursive. */
const MAX_MANIFEST_DEPTH = 64;

export type CapsuleOrigin = 'shipped' | 'personal' | 'project';

export interface Overlay {
  readonly path: string;
  /** Markdown, a template. */
  readonly text: string;
}

export interface Capsule {
  readonly id: string;
  readonly origin: CapsuleOrigin;
  readonly dir: string;
  readonly manifest: Manifest;
  /** The capsule's own `skill.md`; for a shipped capsule the user's, if there is one. */
  readonly overlay: Overlay | undefined;
  /** SHA-256 of the overlay and all files of the folder except memory, logs and the data of cases. */
  readonly hash: string;
}

/** The `agents/` folders, absolute. */
export interface CapsuleRoots {
  readonly shipped: string;
  readonly personal: string;
  readonly project?:
    | {
        readonly dir: string;
        /** Whether the user trusts every file of `<dir>/<id>` as it is now. Other folders are skipped. */
        isTrusted(id: string): boolean;
      }
    | undefined;
}

/**
 * Reads every capsule of the roots, in the order shipped, personal, project; the first one with an id wins. `problems` has
 * a message for each folder that was left out.
 *
 * @param id Reads only the capsule with this id. Default: all.
 */
export function readCapsules(
  roots: CapsuleRoots,
  id?: string,
): { capsules: Capsule[]; problems: string[] } {
  const capsules = new Map<string, Capsule>();
  const problems: string[] = [];
  const add = (dir: string, origin: CapsuleOrigin) => {
    const capsule = readCapsule(dir, origin, roots);
    const before = capsules.get(capsule.id);
    if (before) throw new Error(`its id belongs to the ${before.origin} capsule ${before.dir}.`);
    capsules.set(capsule.id, capsule);
  };
  for (const { dir, origin } of capsuleFolders(roots, id)) {
    try {
      add(dir, origin);
    } catch (error) {
      problems.push(leftOut({ dir, origin }, error));
    }
  }
  return { capsules: [...capsules.values()], problems };
}

/**
 * The message that a capsule is left out, and why. If its manifest is invalid, the last sentence is on a separate line
 * below the list of fields.
 */
export function leftOut({ dir, origin }: Pick<Capsule, 'dir' | 'origin'>, error: unknown): string {
  const isListed = failedWith(error, 'MANIFEST_INVALID');
  const says = isListed ? `${messageOf(error)}\n  ` : `${dir}: ${messageOf(error)} `;
  const orDeleted = origin === 'personal' ? ' or the capsule is deleted' : '';
  return `${says}The capsule is left out until this is corrected${orDeleted}.`;
}

/**
 * Reads one capsule folder.
 *
 * @throws AppError `MANIFEST_INVALID` with file and field, `OVERLAY_INVALID`; Error if the folder can't be hashed.
 */
export const readCapsule = (dir: string, origin: CapsuleOrigin, roots?: CapsuleRoots): Capsule =>
  toCapsule(readManifest(dir, basename(dir)), { dir, origin, roots });

/**
 * Reads a capsule in any folder, for its author: the folder may have any name.
 *
 * @throws As `readCapsule`.
 */
export const readLooseCapsule = (dir: string): Capsule =>
  toCapsule(readManifest(dir, undefined), { dir, origin: 'project', roots: undefined });

function toCapsule(
  manifest: Manifest,
  { dir, origin, roots }: Pick<Capsule, 'dir' | 'origin'> & { roots: CapsuleRoots | undefined },
): Capsule {
  const personal = roots && origin === 'shipped' ? join(roots.personal, manifest.id) : undefined;
  const overlay = (personal === undefined ? undefined : readOverlay(personal)) ?? readOverlay(dir);
  const hashNow = () => hashCapsuleFolder(dir, overlay?.text ?? '');
  // The files of a shipped capsule are read only when the hash is needed.
  if (origin === 'shipped') listHashable(dir);
  let hash = origin === 'shipped' ? undefined : hashNow();
  return {
    id: manifest.id,
    origin,
    dir,
    manifest,
    overlay,
    get hash() {
      hash ??= hashNow();
      return hash;
    },
  };
}

/** @param wantedId Default: any. */
function readManifest(dir: string, wantedId: string | undefined): Manifest {
  const path = join(dir, 'manifest.json');
  const fail = (...found: readonly ManifestIssue[]) => manifestInvalid(path, found);
  const file = readTextFile(path, MAX_MANIFEST_BYTES) ?? { problem: 'it is not there. Add it.' };
  if ('problem' in file) throw fail({ field: 'file', ...sentencesOf(file.problem) });
  const { text } = file;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const line = brokenLine(text, messageOf(error));
    const problem = `it is not readable as JSON (${messageOf(error)})`;
    throw fail({ field: 'file', problem, fix: 'Correct it.', line });
  }
  if (isDeeperThan(MAX_MANIFEST_DEPTH, json)) {
    const problem = `it is nested more than ${MAX_MANIFEST_DEPTH} deep`;
    throw fail({ field: 'file', problem, fix: 'Make it flatter.' });
  }
  const lineOf = jsonLines(text);
  const parsed = Manifest.safeParse(json);
  if (!parsed.success) throw fail(...manifestIssues(parsed.error, manifestFields, lineOf));
  const issue = findIssue(dir, parsed.data, wantedId);
  if (issue) throw fail({ ...issue, line: lineOf([issue.field]) });
  return parsed.data;
}

/** Problems of a manifest that no schema finds. */
function findIssue(
  dir: string,
  { id, task_kinds, entrypoint }: Manifest,
  wantedId: string | undefined,
): ManifestIssue | undefined {
  if (wantedId !== undefined && id !== wantedId) {
    const problem = `"${id}" differs from the folder's name`;
    return { field: 'id', problem, fix: 'Make them the same.' };
  }
  if (isReservedId(id)) {
    const problem = `"${id}" is reserved for Capstan itself`;
    return { field: 'id', problem, fix: 'Choose another id.' };
  }
  const twice = task_kinds.find(({ name }, i) => task_kinds.findIndex((k) => k.name === name) < i);
  if (twice) {
    const problem = `two task kinds have the name "${twice.name}"`;
    return { field: 'task_kinds', problem, fix: 'Rename one of them.' };
  }
  const problem = findEntrypointProblem(dir, entrypoint);
  if (problem === undefined) return undefined;
  const fix = 'Name the program and its file: ["python3", "-I", "main.py"].';
  return { field: 'entrypoint', problem, fix };
}

function brokenLine(text: string, message: string): number | undefined {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
}

function readOverlay(dir: string): Overlay | undefined {
  const path = join(dir, 'skill.md');
  const file = readTextFile(path, MAX_OVERLAY_BYTES, true);
  if (!file) return undefined;
  if ('problem' in file) throw new AppError('OVERLAY_INVALID', { path, problem: file.problem });
  return { path, text: file.text };
}

/** Folders of capsules, also without a manifest. The user's may only hold records, or an overlay and cases of a shipped one. */
function capsuleFolders(
  roots: CapsuleRoots,
  id: string | undefined,
): { dir: string; origin: CapsuleOrigin }[] {
  const { shipped, personal, project } = roots;
  const found = (origin: CapsuleOrigin, root: string) =>
    foldersOf(root, id).map((dir) => ({ dir, origin }));
  const ofShipped = found('shipped', shipped);
  const shippedIds = new Set(ofShipped.map(({ dir }) => basename(dir)));
  return [
    ...ofShipped,
    ...found('personal', personal).filter(
      ({ dir }) => hasManifest(dir) || (!shippedIds.has(basename(dir)) && hasFiles(dir)),
    ),
    ...(project ? found('project', project.dir) : []).filter(({ dir }) =>
      project?.isTrusted(basename(dir)),
    ),
  ];
}

function foldersOf(root: string, id: string | undefined): string[] {
  return folderEntries(root)
    .filter((entry) => entry.isDirectory() && entry.name === (id ?? entry.name))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && name !== 'skills')
    .map((name) => join(root, name))
    .sort();
}

const hasManifest = (dir: string): boolean =>
  statSync(join(dir, 'manifest.json'), { throwIfNoEntry: false }) !== undefined;

/** Whether a folder holds more than the records of a capsule. */
const hasFiles = (dir: string): boolean =>
  folderEntries(dir).some(({ name }) => !isOwnRecord(name) && !name.startsWith('.'));

/**
 * What is wrong with the argument vector of a capsule, or undefined. It starts with the name of an interpreter or with a
 * path inside the folder, names a file of the folder, and nothing outside it.
 */
function findEntrypointProblem(dir: string, argv: readonly string[]): string | undefined {
  const [first = ''] = argv;
  const outside = argv.find((word) => isAbsolute(word) || word.split(/[\\/]/).includes('..'));
  if (outside !== undefined) return `"${outside}" is not relative to the capsule's folder`;
  if (argv.some((word) => word.includes('\0'))) return 'a word contains a NUL character';
  if (first.startsWith('-')) return `"${first}" is not a program`;
  const files = argv.filter((word) => isFile(join(dir, word)));
  const unseen = files.find((word) => isUnseen(posix.normalize(word)));
  if (unseen !== undefined)
    return `"${unseen}" can't be part of the program: its processes can't read it`;
  const [file] = files;
  if (file === undefined) return `none of ${JSON.stringify(argv)} is a file of the folder`;
  if (!isInside(realpathSync.native(dir), realpathSync.native(join(dir, file))))
    return `"${file}" is outside the capsule's folder`;
  return undefined;
}

/** Whether the file is in no hash. */
const isUnseen = (path: string): boolean =>
  isCasePath(path) || isOwnRecord(path.split('/')[0] ?? '');

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;
