import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { failedWith } from '../../../contract/errors.ts';
import { sha256 } from '../../../platform/canonical-hash.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import { openFile } from '../../files/paths.ts';
import { type Written, writeFile } from '../../files/write-file.ts';
import type { FileIoArgs } from '../arguments.ts';

/** Largest file that is rewritten as a whole, in bytes. */
export const MAX_REWRITTEN_BYTES = 64 * 1024 * 1024;

/** Appends to a file, or creates it. */
export async function append({ path, content }: FileIoArgs, call: ToolCall): Promise<Written> {
  const added = Buffer.from(content ?? '');
  const old = await contentOf(path, call).catch((error: unknown) => {
    if (failedWith(error, 'FILE_MISSING')) return undefined;
    throw error;
  });
  if (old === undefined) return writeFile(path, added, call, { seen: 'absent' });
  return writeFile(path, Buffer.concat([old, added]), call, { seen: sha256(old) });
}

/** Replaces text that the file contains exactly, once or (with `replace_all`) everywhere. */
export async function edit(given: FileIoArgs, call: ToolCall): Promise<Written> {
  const { path, old_text: oldText = '' } = given;
  const old = await readToRewrite(path, call);
  const content = edited(old, given);
  if (content) return writeFile(path, content, call, { seen: sha256(old) });
  const count = old.toString('utf8').split(oldText).length - 1;
  throw failure(
    call,
    count === 0
      ? `"${path}" does not contain old_text; read the file and copy it exactly`
      : `"${path}" contains old_text ${count} times; include more of the surrounding text, or set replace_all`,
  );
}

/** The content after an edit; undefined if the old text is missing or ambiguous. */
export function edited(
  old: Buffer,
  { old_text = '', new_text = '', replace_all }: FileIoArgs,
): Buffer | undefined {
  const parts = old.toString('utf8').split(old_text);
  const isClear = parts.length === 2 || (replace_all && parts.length > 2);
  return isClear ? Buffer.from(parts.join(new_text)) : undefined;
}

/**
 * The content of a text file that is to be changed.
 *
 * @throws AppError `FILE_MISSING`, `TOOL_FAILED`.
 */
export async function readToRewrite(path: string, call: ToolCall): Promise<Buffer> {
  const content = await contentOf(path, call);
  if (isUtf8(content)) return content;
  throw failure(call, `"${path}" is not UTF-8 text, so it can't be edited as text`);
}

/** @throws AppError `FILE_MISSING`, `TOOL_FAILED`. */
export async function contentOf(path: string, call: ToolCall): Promise<Buffer> {
  using file = await openFile(path, call);
  if (file.bytes <= MAX_REWRITTEN_BYTES) return readFileSync(file.fd);
  const problem = `"${path}" has ${file.bytes} bytes; over ${MAX_REWRITTEN_BYTES} are not rewritten`;
  throw failure(call, problem);
}
