import { lstatSync, realpathSync, statSync } from 'node:fs';
import { readTextFile } from '../../../config/yaml/text-file.ts';
import { AppError, messageOf } from '../../../contract/errors.ts';
import { isInside } from '../../../platform/files/inside.ts';
import { writePrivateFile } from '../../../platform/files/private-file.ts';
import { tryOr } from '../../../platform/try-or.ts';

/** A file of the user's settings folder that is about to be changed. */
export interface SettingsFile {
  /** As the user knows it, absolute. */
  readonly path: string;
  /** Empty if there is no file yet. */
  readonly text: string;
}

/** @throws AppError `SETTINGS_NOT_WRITTEN` if it can't be read. */
export function readSettingsFile(path: string): SettingsFile {
  const file = readTextFile(path, undefined, true);
  if (file && 'problem' in file) throw notWritten(path, file.problem.replace(/\.$/, ''));
  return { path, text: file?.text ?? '' };
}

/**
 * Atomically replaces the text that was read, with mode 0600. A link stays, and its target is written.
 *
 * @param workspace A link may not lead into it.
 * @throws AppError `SETTINGS_NOT_WRITTEN` if the file changed since, or must not be written; `PLACE_UNUSABLE`.
 */
export function writeSettingsFile(file: SettingsFile, text: string, workspace: string): void {
  assertUnchanged(file);
  const target = targetOf(file.path, workspace);
  try {
    writePrivateFile(target, text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw notWritten(file.path, messageOf(error));
  }
}

/** @throws AppError `SETTINGS_NOT_WRITTEN` if the file is not as it was read. */
export function assertUnchanged({ path, text }: SettingsFile): void {
  if (readSettingsFile(path).text === text) return;
  throw notWritten(path, 'it changed since it was read. Start again to see what it holds now');
}

/** The path to write: the file itself, or the target of a link. */
export function targetOf(path: string, workspace: string): string {
  const facts = tryOr(() => lstatSync(path), undefined);
  if (facts === undefined || facts.isFile()) return path;
  if (!facts.isSymbolicLink()) throw notWritten(path, 'it is not a file. Move it away');
  const target = tryOr(() => realpathSync(path), undefined);
  if (target === undefined)
    throw notWritten(path, 'it is a link to nothing. Remove it, or create its target');
  if (isInside(workspace, target))
    throw notWritten(path, `it is a link to ${target}, which is in the folder you work in`);
  const { uid } = statSync(target);
  const user = process.getuid?.();
  if (user !== undefined && uid !== user)
    throw notWritten(path, `it is a link to ${target}, which belongs to another user`);
  return target;
}

export const notWritten = (path: string, problem: string): AppError =>
  new AppError('SETTINGS_NOT_WRITTEN', { path, problem });
