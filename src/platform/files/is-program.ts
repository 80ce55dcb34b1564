import { accessSync, constants, statSync } from 'node:fs';
import { tryOr } from '../try-or.ts';

/** Whether a path is a regular file that this user may execute. */
export const isProgram = (path: string): boolean =>
  tryOr(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);
