import { readFileSync } from 'node:fs';
import { failedWith } from '../../../contract/errors.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import { openFile } from '../../files/paths.ts';
import { sha256, type Written, writeFile } from '../../files/write-file.ts';

/** Largest file that is rewritten as a whole, in bytes. */
export const MAX_REWRITTEN_BYTES = 64 * 1024 * 1024;

/** Adds to the end of a file, or makes it. */
export async function append(path: string, content: string, call: ToolCall): Promise<Written> {
  const old = await contentIfAny(path, call);
  const added = Buffer.from(content);
  if (old === undefined) return writeFile(path, added, call, { seen: 'absent' });
  return writeFile(path, Buffer.concat([old, added]), call, { seen: sha256(old) });
}

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** False: the old text must stand in the file exactly once. */
  readonly everywhere: boolean;
}

/** Replaces text that stands in a file exactly so, character by character. */
export async function edit(
  path: string,
  replacement: Replacement,
  call: ToolCall,
): Promise<Written> {
  const { oldText, newText, everywhere } = replacement;
  const { old, text } = await readToRewrite(path, call);
  const parts = text.split(oldText);
  const count = parts.length - 1;
  if (count === 0) {
    throw failure(call, `old_text does not stand in "${path}"; read the file and copy it exactly`);
  }
  if (count > 1 && !everywhere) {
    throw failure(
      call,
      `old_text stands ${count} times in "${path}"; give more of what surrounds it, or set replace_all`,
    );
  }
  return writeFile(path, Buffer.from(parts.join(newText)), call, { seen: sha256(old) });
}

/**
 * A file that is to be changed, as bytes and as text.
 *
 * @throws AppError `FILE_MISSING`, `TOOL_FAILED`.
 */
export async function readToRewrite(
  path: string,
  call: ToolCall,
): Promise<{ readonly old: Buffer; readonly text: string }> {
  const old = await contentOf(path, call);
  return { old, text: decoded(old, path, call) };
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

function decoded(content: Buffer, path: string, call: ToolCall): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw failure(call, `"${path}" is no UTF-8 text, so it can't be edited as text`, error);
  }
}

async function contentIfAny(path: string, call: ToolCall): Promise<Buffer | undefined> {
  try {
    return await contentOf(path, call);
  } catch (error) {
    if (failedWith(error, 'FILE_MISSING')) return undefined;
    throw error;
  }
}

/** @throws AppError `FILE_MISSING`, `TOOL_FAILED`. */
export async function contentOf(path: string, call: ToolCall): Promise<Buffer> {
  using file = await openFile(path, call);
  if (file.bytes > MAX_REWRITTEN_BYTES) {
    throw failure(
      call,
      `"${path}" has ${file.bytes} bytes; over ${MAX_REWRITTEN_BYTES} are not rewritten`,
    );
  }
  return readFileSync(file.fd);
}
