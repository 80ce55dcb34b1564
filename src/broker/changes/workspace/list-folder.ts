import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Yielder } from '../../../runtime/sandbox/create-yielder.ts';

export interface ListedFolder {
  /** Files and links, absolute, outer folders first. */
  readonly files: readonly string[];
  /** False: the limit of files or time was reached, a folder can't be read, or a name is not UTF-8. */
  readonly isWhole: boolean;
}

export interface ListOptions {
  readonly breath: Yielder;
  /** Protected folders are skipped. */
  isProtected(path: string, access: 'read' | 'write'): boolean;
}

const MAX_MS = 2_000;

/** Lists the files of a folder, ignored ones too. Links are not followed. */
export async function listFolder(
  folder: string,
  maxFiles: number,
  { breath, isProtected }: ListOptions,
): Promise<ListedFolder> {
  const untilMs = performance.now() + MAX_MS;
  const files: string[] = [];
  const folders = [folder];
  for (const entry of entriesOf(folders)) {
    if (breath.isDue()) await breath.take();
    const isFull = files.length + folders.length > maxFiles || performance.now() > untilMs;
    if (entry === undefined || isFull) return { files, isWhole: false };
    const path = join(entry.folder, entry.name);
    if (!entry.isFolder) files.push(path);
    else if (!isProtected(path, 'read')) folders.push(path);
  }
  return { files, isWhole: true };
}

interface Entry {
  readonly folder: string;
  readonly name: string;
  readonly isFolder: boolean;
}

/** @param folders May grow. Yields undefined for a folder that can't be read, and for a name that is not UTF-8. */
function* entriesOf(folders: readonly string[]): Generator<Entry | undefined> {
  for (const folder of folders) {
    for (const entry of readFolder(folder)) {
      const isUsable = entry !== undefined && !entry.name.includes('\uFFFD');
      yield isUsable ? { folder, name: entry.name, isFolder: entry.isDirectory() } : undefined;
    }
  }
}

function readFolder(folder: string): readonly (Dirent | undefined)[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [undefined];
  }
}
