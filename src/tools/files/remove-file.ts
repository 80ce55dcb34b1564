import { unlink } from 'node:fs/promises';
import { AppError, messageOf } from '../../contract/errors.ts';
import { failPoint } from '../../db/fail-point.ts';
import { type FileCall, failure } from '../define/call.ts';
import { stateAt } from './path-state.ts';
import { openPlace, type Place } from './place.ts';
import { replaceable, syncFolder } from './write-file.ts';

/**
 * Removes a regular file if it still has the content that the caller saw.
 *
 * @param seen As `stateAt` returns it.
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`.
 */
export async function removeFile(path: string, seen: string, call: FileCall): Promise<void> {
  using place = await openPlace(path, call);
  await removeAt(place, seen, call);
}

/** The same in an open folder. */
export async function removeAt(place: Place, seen: string, call: FileCall): Promise<void> {
  const { folder, at, shown } = place;
  const old = await replaceable(place, call);
  if (old === undefined || (await stateAt(at)) !== seen)
    throw new AppError('FILE_CHANGED', { path: shown });
  failPoint('place');
  await unlink(at).catch((error: unknown) => {
    throw failure(call, `"${shown}" can't be removed: ${messageOf(error)}`, error);
  });
  failPoint('placed');
  await syncFolder(folder.fd).catch(() => undefined);
}
