import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { shownPath } from '../../platform/files/inside.ts';
import { tryOr } from '../../platform/try-or.ts';
import { failure, type ToolCall, throwIfAborted } from '../define/call.ts';
import type { FileState, ToolOutput } from '../define/tool.ts';
import { tailBytes, tailOf } from '../files/cut-text.ts';
import { readState } from '../files/path-state.ts';
import { type Opened, openFile } from '../files/paths.ts';
import type { FileIoArgs } from './arguments.ts';
import { MAX_REWRITTEN_BYTES } from './change/edit.ts';
import { countLines, createLineSlice, LF, type LineSlice } from './line-slice.ts';

const MIN_CHUNK_BYTES = 4 * 1024;
const MAX_CHUNK_BYTES = 256 * 1024;

/**
 * Reads lines of a text file, as many as fit. The file is hashed on the way, so that it can be edited later. A part of a
 * file that is too large to be edited is read without the rest, and not hashed.
 */
export async function read(given: FileIoArgs, call: ToolCall): Promise<ToolOutput> {
  const { path, max_lines: maxLines = Number.POSITIVE_INFINITY, max_bytes: maxBytes } = given;
  const maxOutput = call.context.maxOutputBytes;
  using file = await openFile(path, call);
  const fromLine = await firstLineOf(file, given.from_line, call);
  const isWhole = fromLine === 1 && given.max_lines === undefined && maxBytes >= maxOutput;
  const forTail = isWhole && file.bytes > maxOutput ? tailBytes(maxOutput) : 0;
  const slice = createLineSlice({
    fromLine,
    maxLines,
    maxBytes: Math.min(maxBytes, maxOutput - forTail),
  });
  const isAll = isWhole || file.bytes <= MAX_REWRITTEN_BYTES;
  const state = await takeAll(file, { path, isAll, slice }, call);
  const outcome = slice.done();
  const { kept, more } = outcome;
  const seen = slice.seen();
  if (fromLine > 1 && kept.length === 0 && !more) {
    throw failure(call, `"${path}" has no line ${fromLine}: it ends after ${seen}`);
  }
  // If only a part was read, more lines may follow.
  const known = state ? seen : Number.POSITIVE_INFINITY;
  const { content, ...facts } = shownLines(outcome, known, fromLine);
  const hasTail = forTail > 0 && more;
  // The text comes last: a result may be cut.
  const result = {
    path: shownPath(call.context.workspace, file.path),
    bytes: state?.bytes ?? file.bytes,
    ...facts,
    ...(hasTail && { lines: seen }),
    content,
    ...(hasTail && { tail: tailOf(endOf(file, kept.length, forTail), seen) }),
  };
  return state ? { result, read: [state] } : { result };
}

interface Taking {
  /** As the capsule wrote it. */
  readonly path: string;
  readonly isAll: boolean;
  readonly slice: LineSlice;
}

/** Undefined if only a part was read. */
async function takeAll(
  file: Opened,
  { path, isAll, slice }: Taking,
  call: ToolCall,
): Promise<FileState | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(file, call)) {
    if (bytes === 0 && isBinary(chunk)) {
      throw failure(call, `"${path}" is not text: it has NUL bytes (${file.bytes} bytes)`);
    }
    bytes += chunk.length;
    slice.take(chunk);
    if (!isAll && slice.isSettled()) break;
    hash.update(chunk);
  }
  return isAll ? { path: file.path, bytes, sha256: readState(file.stats, hash) } : undefined;
}

/** `encoding: "unknown"`: it is not UTF-8, and invalid bytes are shown as U+FFFD. */
function shownLines(
  { kept, lines, more, lineCut }: ReturnType<LineSlice['done']>,
  seen: number,
  fromLine: number,
) {
  const next = fromLine + lines;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: fromLine > 1 });
  return {
    content: decoder.decode(kept, { stream: lineCut }),
    encoding: isWholeUtf8(kept, lineCut) ? 'utf-8' : 'unknown',
    ...(fromLine > 1 || more ? { from_line: fromLine } : {}),
    ...(more && next <= seen ? { next_line: next } : {}),
    truncated: more || lineCut,
    ...(lineCut ? { line_cut: true } : {}),
  };
}

/** The last bytes of a file, without the first `shownBytes`. */
function endOf(file: Opened, shownBytes: number, maxBytes: number): Buffer {
  const length = Math.min(maxBytes, file.bytes - shownBytes);
  const end = Buffer.alloc(length);
  return end.subarray(0, readSync(file.fd, end, 0, length, file.bytes - length));
}

/** A negative line number counts from the end. 1 if the file has fewer lines. */
async function firstLineOf(file: Opened, fromLine: number, call: ToolCall): Promise<number> {
  if (fromLine >= 0) return fromLine;
  let lines = 0;
  let last: number | undefined;
  for await (const chunk of chunksOf(file, call)) {
    lines += countLines(chunk);
    last = chunk.at(-1);
  }
  if (last !== undefined && last !== LF) lines += 1;
  return Math.max(lines + 1 + fromLine, 1);
}

/** @param isCut Whether the last character may be incomplete. */
function isWholeUtf8(content: Buffer, isCut: boolean): boolean {
  if (isUtf8(content)) return true;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return isCut && tryOr(() => decoder.decode(content, { stream: true }), undefined) !== undefined;
}

/** The bytes of a file in chunks. The event loop runs between them. */
export async function* chunksOf(file: Opened, call: ToolCall): AsyncGenerator<Buffer> {
  let position = 0;
  for (;;) {
    throwIfAborted(call);
    // One byte more than is known, so that the end shows in the same read.
    const left = Math.max(file.bytes - position + 1, MIN_CHUNK_BYTES);
    const buffer = Buffer.allocUnsafe(Math.min(left, MAX_CHUNK_BYTES));
    const bytesRead = readSync(file.fd, buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
    if (position >= file.bytes && bytesRead < buffer.length) return;
    await setImmediate();
  }
}

/** Whether a file that starts with these bytes is not text: it has NUL bytes. */
export const isBinary = (start: Buffer): boolean => start.subarray(0, 8_192).includes(0);
