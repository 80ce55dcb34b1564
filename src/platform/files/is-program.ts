import { accessSync, constants, statSync } from 'node:fs';
import { tryOr } from '../try-or.ts';
import { readStart } from './plain-file.ts';

/** Whether a path is a regular file that this user may execute. */
export const isProgram = (path: string): boolean =>
  tryOr(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);

/** `#!`, and the first bytes of ELF, PE and Mach-O. */
const programStart = /^(?:2321|7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe|bebafeca)/;

/** Whether a regular file has the first bytes of a script with an interpreter or of a compiled program. */
export const beginsLikeProgram = (path: string): boolean =>
  programStart.test(tryOr(() => readStart(path, 4)?.toString('hex'), undefined) ?? '');
