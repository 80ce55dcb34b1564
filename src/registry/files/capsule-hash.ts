import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isCaseData } from '../../config/files/agent-folders.ts';

/** What a capsule's folder may hold. */
export const MAX_FILES = 500;
export const MAX_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 8;

/** Names in a capsule's folder that change while it works. */
export const isOwnRecord = (path: string): boolean =>
  /^(memory\.db(-wal|-shm|-journal)?|logs)$/.test(path) || path === '.DS_Store';

/**
 * SHA-256 over the names and contents of a capsule's files, without the data of its cases, and over its overlay.
 *
 * @param see Receives each file.
 * @throws Error if the folder holds a symbolic link, or more than 500 files or 32 MiB: such a folder can't be pinned.
 */
export function hashCapsuleFolder(
  dir: string,
  overlay: string,
  see: (path: string, content: Buffer) => void = () => {},
): string {
  const hash = createHash('sha256');
  for (const path of listHashable(dir)) {
    const content = readFileSync(join(dir, path));
    see(path, content);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.update(`\0overlay\0${overlay}`).digest('hex');
}

/**
 * The files that the hash covers.
 *
 * @throws As `hashCapsuleFolder`.
 */
export function listHashable(dir: string): string[] {
  const files = listFiles(dir).filter((path) => !isCaseData(path));
  const bytes = files.reduce((sum, path) => sum + statSync(join(dir, path)).size, 0);
  if (bytes > MAX_BYTES) throw new Error(`it contains more than ${MAX_BYTES} bytes.`);
  return files;
}

/**
 * The files of a capsule's folder but memory and logs, relative with `/`, sorted.
 *
 * @param isLeftOut Files and folders that are not looked at. Default: none.
 * @throws Error if it holds too many files, or something that is neither a file nor a folder.
 */
export function listFiles(
  dir: string,
  isLeftOut: (path: string) => boolean = () => false,
): string[] {
  const files: string[] = [];
  const isSkipped = (path: string) => isOwnRecord(path) || isLeftOut(path);
  for (const path of walk(dir, '', isSkipped)) {
    files.push(path);
    if (files.length > MAX_FILES) throw new Error(`it contains more than ${MAX_FILES} files.`);
  }
  return files.sort();
}

function* walk(
  dir: string,
  folder: string,
  isSkipped: (path: string) => boolean,
): Generator<string> {
  if (folder.split('/').length > MAX_DEPTH)
    throw new Error(`its folders are nested more than ${MAX_DEPTH} deep.`);
  for (const entry of readdirSync(join(dir, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isSkipped(path)) continue;
    if (entry.isDirectory()) yield* walk(dir, path, isSkipped);
    else if (entry.isFile()) yield path;
    else if (!isEditorLock(join(dir, path), entry))
      throw new Error(`"${path}" is neither a file nor a folder.`);
  }
}

/** Emacs marks a file that is open by a link to no file, `.#skill.md` → `me@host.1234:5678`. */
const isEditorLock = (path: string, entry: Dirent): boolean =>
  entry.isSymbolicLink() &&
  entry.name.startsWith('.#') &&
  /^[^/@]+@[^/]+\.\d+(?::\d+)?$/.test(readlinkSync(path));
