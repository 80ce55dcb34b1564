import { lstatSync, mkdirSync, opendirSync, realpathSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { usage } from '../../contract/usage.ts';

/** The files of a trial's workspace when it begins. */
export type TrialInputs =
  /** By path relative to the workspace, with `/`. */
  | { readonly files: ReadonlyMap<string, Buffer> }
  /** A folder to copy. */
  | { readonly folder: string; isProtected(path: string, access: 'read'): boolean };

const MAX_FILES = 5_000;
/** Skipped files included. */
const MAX_SEEN = 20_000;
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_DEPTH = 16;

/** Large, generated, and rarely part of a task. */
const skippedFolders = new Set(['.git', 'node_modules']);

/**
 * Fills a new workspace. Links, protected files, `.git` and `node_modules` are not copied.
 *
 * @throws AppError `USAGE` with field `workspace` if a folder holds more than 5,000 files or 128 MiB.
 */
export async function copyInputs(workspace: string, inputs: TrialInputs): Promise<void> {
  mkdirSync(workspace, { recursive: true, mode: 0o700 });
  const placeOf = (path: string): string => {
    const to = join(workspace, path);
    mkdirSync(dirname(to), { recursive: true });
    return to;
  };
  if ('files' in inputs) {
    for (const [path, content] of inputs.files) writeFileSync(placeOf(path), content);
    return;
  }
  const from = realpathSync(inputs.folder);
  for (const path of filesIn(from, inputs.isProtected))
    await copyFile(join(from, path), placeOf(path));
}

function filesIn(root: string, isProtected: (path: string, access: 'read') => boolean): string[] {
  const files: string[] = [];
  let bytes = 0;
  let seen = 0;
  for (const path of walk(root, '', 0)) {
    seen += 1;
    if (!isProtected(join(root, path), 'read')) {
      bytes += lstatSync(join(root, path)).size;
      files.push(path);
    }
    if (files.length > MAX_FILES || seen > MAX_SEEN || bytes > MAX_BYTES) {
      const problem = `${root} is too large to be copied for a trial (${MAX_FILES} files, ${MAX_BYTES / 2 ** 20} MiB). Choose a smaller workspace.`;
      throw usage(problem, 'workspace');
    }
  }
  return files;
}

function* walk(root: string, folder: string, depth: number): Generator<string> {
  if (depth > MAX_DEPTH) return;
  const entries = opendirSync(join(root, folder));
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !skippedFolders.has(entry.name))
        yield* walk(root, path, depth + 1);
      else if (entry.isFile()) yield path;
    }
  } finally {
    entries.closeSync();
  }
}
