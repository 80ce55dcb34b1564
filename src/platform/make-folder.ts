import { accessSync, constants, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, messageOf } from '../contract/errors.ts';

/**
 * Makes a folder of Capstan's where it is missing, for its owner alone, and sees that it can be written. Folders on the
 * way are made one by one: a recursive `mkdir` never returns where a file system takes none (`/proc`).
 *
 * @throws AppError `PLACE_UNUSABLE`, naming the folder that stands in the way.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const facts = look(at, path);
    if (facts?.isDirectory()) break;
    if (facts) throw unusable(path, `${at} is no folder`);
    missing.unshift(at);
  }
  for (const folder of missing) make(folder, path);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(path, problemOf(error, path), error);
  }
}

function make(folder: string, path: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster, or a link leads nowhere.
    if (look(folder, path)?.isDirectory()) return;
    throw unusable(path, problemOf(error, folder), error);
  }
}

function look(at: string, path: string): Stats | undefined {
  try {
    return statSync(at);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw unusable(path, problemOf(error, at), error);
  }
}

const problems = new Map([
  ['EACCES', (at: string) => `you may not write ${at}`],
  ['EPERM', (at: string) => `you may not write ${at}`],
  ['EROFS', (at: string) => `${at} lies on a file system that can't be written`],
  ['ENOENT', (at: string) => `${at} can't be made there`],
  ['EEXIST', (at: string) => `${at} is no folder`],
  ['ENOSPC', (at: string) => `there is no room left for ${at}`],
]);

const problemOf = (error: unknown, at: string): string =>
  problems.get(codeOf(error))?.(at) ?? messageOf(error);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const unusable = (path: string, problem: string, cause?: unknown) =>
  new AppError('PLACE_UNUSABLE', { path, problem }, { cause });
