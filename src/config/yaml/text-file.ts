import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { messageOf } from '../../contract/errors.ts';
import { codeOf } from '../../platform/try-or.ts';

export type TextFile = { readonly text: string } | { readonly problem: string } | undefined;

/**
 * A file as text; undefined if there is none. By default at most 256 KiB, of UTF-8.
 *
 * @param isExact Whether a byte order mark stays in the text. Default: it is left out.
 */
export function readTextFile(path: string, maxBytes = 256 * 1024, isExact = false): TextFile {
  let file: number | undefined;
  try {
    // Most of these files do not exist, and this check is cheaper than an error.
    if (!statSync(path, { throwIfNoEntry: false })) return undefined;
    // Without O_NONBLOCK, opening a named pipe would wait.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = fstatSync(file);
    if (!facts.isFile()) return { problem: 'this is not a file. Move it away.' };
    if (facts.size > maxBytes)
      return { problem: `it is longer than ${maxBytes} bytes. Shorten it.` };
    return decode(readFileSync(file), isExact);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
    return {
      problem: `it can't be read (${messageOf(error)}). Make it readable, or move it away.`,
    };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Bytes as text. */
export function decode(
  bytes: Uint8Array,
  ignoreBOM = false,
): { text: string } | { problem: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes) };
  } catch {
    return { problem: 'it is not UTF-8. Save it as UTF-8.' };
  }
}
