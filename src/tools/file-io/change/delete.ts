import { lstatSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../../contract/errors.ts';
import { codeOf, failure, type ToolCall } from '../../define/call.ts';
import { assertReachable, fileMissing, inFolder, locate, openPassage } from '../../files/paths.ts';
import { removeFile } from '../../files/remove-file.ts';
import { contentAt, syncFolder } from '../../files/write-file.ts';

/**
 * Removes one regular file or one empty folder. Returns its absolute path.
 *
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`.
 */
export async function deleteFile(path: string, call: ToolCall): Promise<string> {
  const absolute = await locate(path, 'write', call);
  if (absolute === call.context.workspace) throw failure(call, `"${path}" is the workspace itself`);
  using folder = await openPassage(dirname(absolute), call);
  const target = join(folder.path, basename(absolute));
  const stats = lstatSync(inFolder(folder, basename(absolute)), { throwIfNoEntry: false });
  if (stats === undefined) throw fileMissing({ path, absolute: target }, call);
  if (stats.isDirectory()) {
    assertReachable(target, 'write', call);
    await rmdir(inFolder(folder, basename(absolute))).catch((error: unknown) => {
      throw failure(call, folderProblem(path, error), error);
    });
    await syncFolder(folder.fd).catch(() => undefined);
    return target;
  }
  const seen = call.context.expected?.(target) ?? (await contentAt(target));
  await removeFile(path, seen, call);
  return target;
}

const folderProblem = (path: string, error: unknown): string =>
  ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')
    ? `"${path}" is a folder with files in it; delete them first, one by one`
    : `"${path}" can't be removed: ${messageOf(error)}`;
