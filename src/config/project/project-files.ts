import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Project, ProjectFile } from '../settings.ts';

const singleFiles = ['capstan.yaml', 'capstan.policy.yaml', 'AGENTS.md'];
const folders = ['agents', 'skills'];
const maxFiles = 2_000;
const maxFileBytes = 4 * 1024 ** 2;
const maxTotalBytes = 64 * 1024 ** 2;
const maxDepth = 8;

/**
 * The Capstan files of a project as they are now, against what the person has accepted (hash by path). Links and
 * special files, and what goes past 2,000 files, 8 levels, 4 MiB a file or 64 MiB in all, can't be trusted. A file that is
 * gone is listed too: a rule may have gone with it.
 *
 * @param withoutAgents Where the folder is Capstan's own, whose `agents/` is what ships.
 */
export function scanProject(
  folder: string,
  accepted: ReadonlyMap<string, string>,
  withoutAgents = false,
): Project {
  const top = withoutAgents ? ['skills'] : folders;
  const found = [
    ...singleFiles.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })),
    ...top.flatMap((name) => listFiles(folder, name)),
  ];
  let left = maxTotalBytes;
  const files = found.map((path): ProjectFile => {
    const bytes = readPlainFile(join(folder, path), Math.min(left, maxFileBytes));
    left -= bytes?.length ?? 0;
    if (!bytes) return { path, state: 'unfit', sha256: undefined };
    const sha256 = hashOf(bytes);
    const known = accepted.get(path);
    return { path, sha256, state: known === sha256 ? 'trusted' : known ? 'changed' : 'new' };
  });
  const present = new Set(found);
  const gone = [...accepted.keys()]
    .filter((path) => !present.has(path) && !(withoutAgents && path.startsWith('agents/')))
    .map((path): ProjectFile => ({ path, state: 'gone', sha256: undefined }));
  return { folder, files: [...files, ...gone] };
}

/** Treats every fit file as trusted, for one process. */
export const trustAll = ({ folder, files }: Project): Project => ({
  folder,
  files: files.map((file) => (file.sha256 ? { ...file, state: 'trusted' } : file)),
});

/** The content of a trusted project file, and only if it still is what was trusted. */
export function readTrustedFile(project: Project, path: string): Buffer | undefined {
  const file = project.files.find((it) => it.path === path);
  if (file?.state !== 'trusted') return undefined;
  const bytes = readPlainFile(join(project.folder, path));
  return bytes && hashOf(bytes) === file.sha256 ? bytes : undefined;
}

/** Whether a folder of the project (`agents/<id>`) holds files and all of them are trusted. */
export function isFolderTrusted(project: Project, path: string): boolean {
  const inside = project.files.filter((file) => `${file.path}/`.startsWith(`${path}/`));
  return inside.length > 0 && inside.every(({ state }) => state === 'trusted');
}

export const hashOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/**
 * Every entry below a folder that is no folder itself. What can't be listed in full stands for itself: a link in place
 * of the folder, an unreadable or too deep one, and the whole of it where it holds too many files.
 */
function listFiles(root: string, top: string): string[] {
  const files: string[] = [];
  const waiting = lstatSync(join(root, top), { throwIfNoEntry: false }) ? [top] : [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const children = listFolder(join(root, path));
    if (!children || path.split('/').length > maxDepth) files.push(path);
    else waiting.push(...children.map((child) => `${path}/${child}`));
    if (files.length + waiting.length > maxFiles) return [top];
  }
  return files.sort();
}

/** Names in a folder; undefined for anything that is no readable folder. */
function listFolder(path: string): string[] | undefined {
  try {
    return lstatSync(path).isDirectory() ? readdirSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** A regular file's bytes; undefined for anything else, and for what is too long or can't be read. */
function readPlainFile(path: string, maxBytes = maxFileBytes): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = fstatSync(file);
    return facts.isFile() && facts.size <= maxBytes ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
