import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import { usage } from '../../contract/usage.ts';

/** Reads a UTF-8 file that `option` names. @throws AppError `USAGE` if it is missing, too long, not a regular file or not UTF-8. */
export function readOptionFile(
  path: string,
  { cwd, maxBytes, option }: { cwd: string; maxBytes: number; option: string },
): string {
  const file = resolve(cwd, path);
  const fail = (problem: string) => usage(`${option} ${file}: ${problem}`);
  let fd: number;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw fail(isMissing ? 'there is no such file.' : `it can't be read: ${messageOf(error)}.`);
  }
  try {
    const facts = fstatSync(fd);
    if (!facts.isFile()) throw fail('it is not a regular file.');
    if (facts.size > maxBytes) throw fail(`it is longer than ${maxBytes} bytes.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(fd));
  } catch (error) {
    throw error instanceof TypeError ? fail('it is not UTF-8.') : error;
  } finally {
    closeSync(fd);
  }
}
