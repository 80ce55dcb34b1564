import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** The bytes of a regular file; undefined if it is anything else, too long or unreadable. */
export function readPlainFile(path: string, maxBytes: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = fstatSync(file);
    return facts.isFile() && facts.size <= maxBytes ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
