import { unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import { failPoint } from '../../db/fail-point.ts';
import { type FileCall, failure } from '../define/call.ts';
import { assertReachable, inFolder, locate, openPassage, shownPath } from './paths.ts';
import { contentAt, replaceable, syncFolder } from './write-file.ts';

/**
 * Removes a regular file if it still has the content that the caller saw.
 *
 * @param seen SHA-256.
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`.
 */
export async function removeFile(path: string, seen: string, call: FileCall): Promise<void> {
  const absolute = await locate(path, 'write', call);
  using folder = await openPassage(dirname(absolute), call);
  const name = basename(absolute);
  const target = join(folder.path, name);
  assertReachable(target, 'write', call);
  const shown = shownPath(call.context.workspace, target);
  const old = await replaceable(folder, name, call);
  const at = inFolder(folder, name);
  if (old === undefined || (await contentAt(at)) !== seen)
    throw new AppError('FILE_CHANGED', { path: shown });
  failPoint('place');
  await unlink(at).catch((error: unknown) => {
    throw failure(call, `"${shown}" can't be removed: ${messageOf(error)}`, error);
  });
  failPoint('placed');
  await syncFolder(folder.fd).catch(() => undefined);
}
