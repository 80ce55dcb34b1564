import { basename, dirname, join } from 'node:path';
import { type FileCall, failure } from '../define/call.ts';
import { assertReachable, inFolder, locate, type Opened, openPassage, shownPath } from './paths.ts';

/** A name in an open folder that may be written. */
export interface Place extends Disposable {
  readonly folder: Opened;
  /** The path for system calls. */
  readonly at: string;
  /** Absolute. */
  readonly path: string;
  /** As people see it. */
  readonly shown: string;
}

/** @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_MISSING`, `TOOL_FAILED`. */
export async function openPlace(path: string, call: FileCall): Promise<Place> {
  const absolute = await locateFile(path, call);
  const folder = await openPassage(dirname(absolute), call);
  const name = basename(absolute);
  const real = join(folder.path, name);
  try {
    assertReachable(real, 'write', call);
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
  return {
    folder,
    at: inFolder(folder, name),
    path: real,
    shown: shownPath(call.context.workspace, real),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** The absolute path of a file to write. @throws AppError as `locate`; `TOOL_FAILED` if it is the workspace itself. */
export async function locateFile(path: string, call: FileCall): Promise<string> {
  const absolute = await locate(path, 'write', call);
  if (absolute !== call.context.workspace) return absolute;
  throw failure(call, `"${path}" is the workspace itself`);
}
