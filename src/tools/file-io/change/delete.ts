import { lstatSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { codeOf } from '../../../platform/try-or.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import { stateAt } from '../../files/path-state.ts';
import { fileMissing } from '../../files/paths.ts';
import { openPlace, removeAt, syncFolder, writeProblemOf } from '../../files/write-file.ts';

/**
 * Removes one regular file or one empty folder. Returns its absolute path.
 *
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`.
 */
export async function deleteFile(path: string, call: ToolCall): Promise<string> {
  using place = await openPlace(path, call);
  const stats = lstatSync(place.at, { throwIfNoEntry: false });
  if (stats === undefined) throw fileMissing({ path, absolute: place.path }, call);
  if (stats.isDirectory()) {
    await rmdir(place.at).catch((error: unknown) => {
      throw failure(call, folderProblem(path, error), error);
    });
    await syncFolder(place.folder.fd).catch(() => undefined);
  } else {
    const seen = call.context.expected?.(place.path) ?? (await stateAt(place.at));
    await removeAt(place, seen, call);
  }
  return place.path;
}

const folderProblem = (path: string, error: unknown): string =>
  ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')
    ? `"${path}" is a folder with files in it; delete them first, one by one`
    : `"${path}" can't be removed: ${writeProblemOf(error)}`;
