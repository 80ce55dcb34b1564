import { accessSync, constants, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import { codeOf } from '../try-or.ts';

/**
 * Creates a folder of Capstan if it is missing, with mode 0700, and checks that it is writable. Missing parents are
 * created one by one, because a recursive `mkdir` never returns on file systems that can't hold folders (`/proc`).
 *
 * @throws AppError `PLACE_UNUSABLE`, with the path that caused it.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const facts = look(at, path);
    if (facts?.isDirectory()) break;
    if (facts) throw unusable(path, `${at} is not a folder`);
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
    // Another process created it first, or it is a dangling link.
    if (look(folder, path)?.isDirectory()) return;
    throw unusable(path, problemOf(error, folder), error);
  }
}

function look(at: string, path: string): Stats | undefined {
  try {
    return statSync(at);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
    throw unusable(path, problemOf(error, at), error);
  }
}

const problems = new Map([
  ['EACCES', (at: string) => `you have no permission to write to ${at}`],
  ['EPERM', (at: string) => `you have no permission to write to ${at}`],
  ['EROFS', (at: string) => `${at} is on a read-only file system`],
  ['ENOENT', (at: string) => `${at} can't be created`],
  ['EEXIST', (at: string) => `${at} is not a folder`],
  ['ENOSPC', (at: string) => `there is no space left for ${at}`],
]);

const problemOf = (error: unknown, at: string): string =>
  problems.get(codeOf(error) ?? '')?.(at) ?? messageOf(error);

const unusable = (path: string, problem: string, cause?: unknown) =>
  new AppError('PLACE_UNUSABLE', { path, problem }, { cause });
