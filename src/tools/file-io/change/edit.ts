import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { failedWith, messageOf } from '../../../contract/errors.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { failure, type ToolCall } from '../../define/call.ts';
import { type Opened, openFile } from '../../files/paths.ts';
import { type Written, writeFile } from '../../files/write-file.ts';
import type { FileIoArgs } from '../arguments.ts';

/** Largest file that is rewritten as a whole, in bytes. */
export const MAX_REWRITTEN_BYTES = 64 * 1024 * 1024;
/** The same if a regular expression finds the text, which is then in memory several times. */
export const MAX_MATCHED_BYTES = 16 * 1024 * 1024;

/** Appends to a file, or creates it. */
export async function append({ path, content }: FileIoArgs, call: ToolCall): Promise<Written> {
  const given = content ?? '';
  const maxBytes = MAX_REWRITTEN_BYTES - Buffer.byteLength(given);
  const old = await contentOf(path, call, maxBytes).catch((error: unknown) => {
    if (failedWith(error, 'FILE_MISSING')) return undefined;
    throw error;
  });
  const seen = old ? sha256(old) : 'absent';
  return writeFile(path, appended(old, given), call, { seen });
}

/** The content after text was appended, in its parts. */
export const appended = (old: Buffer = Buffer.alloc(0), text = ''): readonly Buffer[] => [
  old,
  Buffer.from(lineEndsOf(old, [text])(text)),
];

/** Replaces text that the file contains exactly, once or (with `replace_all`) everywhere. */
export async function edit(given: FileIoArgs, call: ToolCall): Promise<Written> {
  const { path } = given;
  const old = await readToRewrite(path, call);
  let content: Buffer;
  try {
    content = edited(old, given);
  } catch (error) {
    throw failure(call, messageOf(error), error);
  }
  return writeFile(path, content, call, { seen: sha256(old) });
}

/**
 * The content after an edit.
 *
 * @throws Error if the old text is missing or ambiguous, or the result is too large.
 */
export function edited(
  old: Buffer,
  { path, old_text = '', new_text = '', replace_all }: FileIoArgs,
): Buffer {
  const [from, to] = [old_text, new_text]
    .map(lineEndsOf(old, [old_text, new_text]))
    .map((text) => Buffer.from(text)) as [Buffer, Buffer];
  const count = countOf(old, from);
  if (count === 1 || (replace_all && count > 1)) return replaceBytes(old, from, to, count);
  throw new Error(
    count === 0
      ? `"${path}" does not contain old_text; read the file and copy it exactly`
      : `"${path}" contains old_text ${count} times; include more of the surrounding text, or set replace_all`,
  );
}

/**
 * How texts are written into a file: with CRLF if its lines end so, since models write LF. Texts with a carriage return are
 * written as they are.
 */
export function lineEndsOf(
  content: Buffer,
  texts: readonly (string | undefined)[],
): (text: string) => string {
  const given = texts.join('');
  const isLf = given.includes('\n') && !/\r|\\r/.test(given);
  return isLf && isCrlf(content) ? (text) => text.replaceAll('\n', '\r\n') : (text) => text;
}

/** Whether all lines end in CRLF, by the first mebibyte. */
function isCrlf(content: Buffer): boolean {
  const start = content.subarray(0, 1024 * 1024);
  for (let at = start.indexOf(LF); at >= 0; at = start.indexOf(LF, at + 1))
    if (start[at - 1] !== CR) return false;
  return start.includes(LF);
}

const LF = 0x0a;
const CR = 0x0d;

/** What `indexOf` looks for: it finds a byte in a fifth of the time that a buffer of one byte takes. */
const soughtOf = (part: Buffer): Buffer | number => (part.length === 1 ? part.readUInt8() : part);

/** How often the content contains the part. */
export function countOf(content: Buffer, part: Buffer): number {
  const sought = soughtOf(part);
  let count = 0;
  for (let at = content.indexOf(sought); at >= 0; at = content.indexOf(sought, at + part.length))
    count += 1;
  return count;
}

/**
 * Replaces every occurrence, without an object per occurrence: a large file can contain millions of them.
 *
 * @param count How often the content contains `from`.
 * @throws Error if the result is too large.
 */
export function replaceBytes(old: Buffer, from: Buffer, to: Buffer, count: number): Buffer {
  const bytes = old.length + count * (to.length - from.length);
  if (bytes > MAX_REWRITTEN_BYTES) throw tooLarge(MAX_REWRITTEN_BYTES);
  const made = Buffer.allocUnsafe(bytes);
  const sought = soughtOf(from);
  let end = 0;
  let start = 0;
  for (let at = old.indexOf(sought); at >= 0; at = old.indexOf(sought, start)) {
    end += old.copy(made, end, start, at);
    end += to.copy(made, end);
    start = at + from.length;
  }
  old.copy(made, end, start);
  return made;
}

export const tooLarge = (maxBytes: number): Error =>
  new Error(`the result would be larger than ${maxBytes} bytes`);

/**
 * The content of a text file that is to be changed.
 *
 * @throws AppError `FILE_MISSING`, `TOOL_FAILED`.
 */
export async function readToRewrite(
  path: string,
  call: ToolCall,
  maxBytes = MAX_REWRITTEN_BYTES,
): Promise<Buffer> {
  const content = await contentOf(path, call, maxBytes);
  if (isUtf8(content)) return content;
  throw failure(call, `"${path}" is not UTF-8 text, so it can't be edited as text`);
}

/** @throws AppError `FILE_MISSING`, `TOOL_FAILED`. */
export async function contentOf(
  path: string,
  call: ToolCall,
  maxBytes = MAX_REWRITTEN_BYTES,
): Promise<Buffer> {
  using file = await openFile(path, call);
  assertNotTooLarge(file, path, call, maxBytes);
  return readFileSync(file.fd);
}

/** @throws AppError `TOOL_FAILED` if it is too large. */
export function assertNotTooLarge(
  { bytes }: Pick<Opened, 'bytes'>,
  path: string,
  call: ToolCall,
  maxBytes = MAX_REWRITTEN_BYTES,
): void {
  if (bytes <= maxBytes) return;
  throw failure(call, `"${path}" has ${bytes} bytes; over ${maxBytes} are not rewritten`);
}
