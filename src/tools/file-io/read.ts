import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { failure, type ToolCall, throwIfAborted } from '../define/call.ts';
import type { FileState } from '../define/tool.ts';
import { type Tail, tailBytes, tailOf } from '../files/cut-text.ts';
import { type Opened, openFile, shownPath } from '../files/paths.ts';
import { type Bookmark, openBookmark } from './bookmark.ts';
import { MAX_REWRITTEN_BYTES } from './change/edit.ts';
import { countLines, createLineSlice, type LineSlice, type SliceOutcome } from './line-slice.ts';

const LF = 0x0a;

/** Read at a time: all of a small file, a part of a large one. */
const CHUNK_BYTES = { least: 4 * 1024, most: 256 * 1024 } as const;

export interface ReadOptions {
  readonly path: string;
  /** 1 is the first line, -1 the last. */
  readonly fromLine: number;
  readonly maxLines: number | undefined;
  readonly maxBytes: number;
}

export interface Reading {
  readonly path: string;
  readonly content: string;
  /** `unknown`: it is no UTF-8, and what could not be read is shown as U+FFFD. */
  readonly encoding: 'utf-8' | 'unknown';
  /** Of the whole file. */
  readonly bytes: number;
  readonly from_line?: number;
  /** Where to go on; only where something is left. */
  readonly next_line?: number;
  readonly truncated: boolean;
  /** True where one line alone is longer than `max_bytes`: the rest of it is left out. */
  readonly line_cut?: boolean;
  /** Lines of the whole file, and its end: only if the first lines of it are more than an answer may hold. */
  readonly lines?: number;
  readonly tail?: Tail;
}

/** A part of a larger file is read without the rest. It is not known then as a whole, and can't be edited either. */
const MAX_HASHED_BYTES = MAX_REWRITTEN_BYTES;

/**
 * Reads lines of a text file, as many as fit. The whole file is hashed on the way, or was when it was read last. No `state`
 * where only a part of a large file was read.
 */
export async function read(
  options: ReadOptions,
  call: ToolCall,
): Promise<{ result: Reading; state?: FileState }> {
  using file = await openFile(options.path, call);
  const fromLine = await firstLineOf(file, options.fromLine, call);
  const bookmark = openBookmark(file, fromLine);
  const maxOutput = call.context.maxOutputBytes;
  const isWhole = fromLine === 1 && options.maxLines === undefined && options.maxBytes >= maxOutput;
  const forTail = isWhole && file.bytes > maxOutput ? tailBytes(maxOutput) : 0;
  const maxBytes = Math.min(options.maxBytes, maxOutput - forTail);
  const slice = createLineSlice({
    fromLine,
    maxLines: options.maxLines ?? Number.POSITIVE_INFINITY,
    maxBytes,
    startLine: bookmark.found ? fromLine : 1,
  });
  const isPart = !isWhole && file.bytes > MAX_HASHED_BYTES;
  const { sha256, bytes } = bookmark.found
    ? await takeFrom(file, bookmark.found, slice, call)
    : await takeAll(file, { path: options.path, isPart }, slice, call);
  const outcome = slice.done();
  if (outcome.more && !outcome.lineCut) {
    const offset = (bookmark.found?.offset ?? 0) + outcome.skippedBytes + outcome.kept.length;
    bookmark.move({ sha256, bytes, line: fromLine + outcome.lines, offset });
  }
  const { content, ...facts } = linesOf(
    { ...outcome, seen: slice.seen() },
    { ...options, fromLine },
    call,
  );
  const path = shownPath(call.context.workspace, file.path);
  const shown = { path, bytes, ...facts };
  const end =
    forTail > 0 && outcome.more
      ? { lines: slice.seen(), content, tail: endOf(file, outcome.kept.length, forTail, slice) }
      : { content };
  return { result: { ...shown, ...end }, ...knownState(file, { sha256, bytes }) };
}

const knownState = ({ path }: Opened, { sha256, bytes }: Taken): { state?: FileState } =>
  sha256 === undefined ? {} : { state: { path, bytes, sha256 } };

/** The last bytes of a file behind those that are shown. */
function endOf(file: Opened, shownBytes: number, maxBytes: number, { seen }: LineSlice): Tail {
  const length = Math.min(maxBytes, file.bytes - shownBytes);
  const end = Buffer.alloc(length);
  const bytesRead = readSync(file.fd, end, 0, length, file.bytes - length);
  return tailOf(end.subarray(0, bytesRead), seen());
}

/** The number of a line that may be counted from the end: 1 if the file is shorter than that. */
async function firstLineOf(file: Opened, fromLine: number, call: ToolCall): Promise<number> {
  if (fromLine >= 0) return fromLine;
  let ends = 0;
  let last: number | undefined;
  for await (const chunk of chunksOf(file, call)) {
    ends += countLines(chunk);
    last = chunk.at(-1);
  }
  const lines = last === undefined || last === LF ? ends : ends + 1;
  return Math.max(lines + 1 + fromLine, 1);
}

interface Taken {
  /** Of the whole file; undefined if only a part was read. */
  readonly sha256: string | undefined;
  /** Of the whole file. */
  readonly bytes: number;
}

async function takeAll(
  file: Opened,
  { path, isPart }: { readonly path: string; readonly isPart: boolean },
  slice: LineSlice,
  call: ToolCall,
): Promise<Taken> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(file, call)) {
    if (bytes === 0 && isBinary(chunk)) {
      throw failure(call, `"${path}" is no text: it holds NUL bytes (${file.bytes} bytes)`);
    }
    bytes += chunk.length;
    slice.take(chunk);
    if (!isPart) hash.update(chunk);
    else if (slice.isSettled()) break;
  }
  if (isPart) return { sha256: undefined, bytes: file.bytes };
  return { sha256: hash.digest('hex'), bytes };
}

async function takeFrom(
  file: Opened,
  { sha256, bytes, offset }: Bookmark,
  slice: LineSlice,
  call: ToolCall,
): Promise<Taken> {
  for await (const chunk of chunksOf(file, call, offset)) {
    slice.take(chunk);
    if (slice.isSettled()) break;
  }
  return { sha256, bytes };
}

function linesOf(
  { kept, lines, more, lineCut, seen }: SliceOutcome & { readonly seen: number },
  { path, fromLine }: ReadOptions,
  call: ToolCall,
): Omit<Reading, 'path' | 'bytes'> {
  if (fromLine > 1 && kept.length === 0 && !more) {
    throw failure(call, `"${path}" has no line ${fromLine}: it ends after ${seen}`);
  }
  const next = fromLine + lines;
  return {
    content: new TextDecoder('utf-8', { ignoreBOM: fromLine > 1 }).decode(kept, {
      stream: lineCut,
    }),
    encoding: isWholeUtf8(kept, lineCut) ? 'utf-8' : 'unknown',
    ...(fromLine > 1 || more ? { from_line: fromLine } : {}),
    ...(more && next <= seen ? { next_line: next } : {}),
    truncated: more || lineCut,
    ...(lineCut ? { line_cut: true } : {}),
  };
}

/** @param isCut The last character may be missing its end. */
function isWholeUtf8(content: Buffer, isCut: boolean): boolean {
  if (isUtf8(content)) return true;
  if (!isCut) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** A file's bytes in pieces, from `start` on; between two of them others have their turn. */
export async function* chunksOf(file: Opened, call: ToolCall, start = 0): AsyncGenerator<Buffer> {
  let position = start;
  for (;;) {
    throwIfAborted(call);
    const left = Math.max(file.bytes - position, CHUNK_BYTES.least);
    const length = Math.min(left, CHUNK_BYTES.most);
    const buffer = Buffer.allocUnsafe(length);
    const bytesRead = readSync(file.fd, buffer, 0, length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
    if (position === fstatSync(file.fd).size) return;
    await setImmediate();
  }
}

/** The mark of files that are no text. */
export const isBinary = (start: Buffer): boolean => start.subarray(0, 8_192).includes(0);
