import { readFileSync } from 'node:fs';
import { openFile } from '../paths.ts';
import { codeOf, failure, type Reach } from '../reach.ts';
import { sha256, type Written, writeFile } from '../write-file.ts';

/** Largest file that is rewritten as a whole, in bytes. */
const MAX_REWRITTEN_BYTES = 64 * 1024 * 1024;

/** Adds to the end of a file, or makes it. */
export async function append(path: string, content: string, reach: Reach): Promise<Written> {
  const old = await contentOf(path, reach);
  const added = Buffer.from(content);
  if (old === undefined) return writeFile(path, added, reach, { seen: 'absent' });
  return writeFile(path, Buffer.concat([old, added]), reach, { seen: sha256(old) });
}

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** False: the old text must stand in the file exactly once. */
  readonly everywhere: boolean;
}

/** Replaces text that stands in a file exactly so, character by character. */
export async function edit(path: string, replacement: Replacement, reach: Reach): Promise<Written> {
  const { oldText, newText, everywhere } = replacement;
  const old = await contentOf(path, reach);
  if (old === undefined)
    throw failure(reach, `there is no "${path}" to edit; use operation "write"`);
  const text = decoded(old, path, reach);
  const parts = text.split(oldText);
  const count = parts.length - 1;
  if (count === 0) {
    throw failure(reach, `old_text does not stand in "${path}"; read the file and copy it exactly`);
  }
  if (count > 1 && !everywhere) {
    throw failure(
      reach,
      `old_text stands ${count} times in "${path}"; give more of what surrounds it, or set replace_all`,
    );
  }
  return writeFile(path, Buffer.from(parts.join(newText)), reach, { seen: sha256(old) });
}

/** The text after the replacement; undefined where it can't be made. */
export function replaced(
  old: Buffer,
  { oldText, newText, everywhere }: Replacement,
): Buffer | undefined {
  const parts = old.toString('utf8').split(oldText);
  const isClear = parts.length === 2 || (everywhere && parts.length > 2);
  return isClear ? Buffer.from(parts.join(newText)) : undefined;
}

function decoded(content: Buffer, path: string, reach: Reach): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw failure(reach, `"${path}" is no UTF-8 text, so it can't be edited as text`, error);
  }
}

async function contentOf(path: string, reach: Reach): Promise<Buffer | undefined> {
  using file = await openFile(path, reach).catch((error: unknown) => {
    if (error instanceof Error && codeOf(error.cause) === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  if (file.bytes > MAX_REWRITTEN_BYTES) {
    throw failure(
      reach,
      `"${path}" has ${file.bytes} bytes; over ${MAX_REWRITTEN_BYTES} are not rewritten`,
    );
  }
  return readFileSync(file.fd);
}
