import { createHash } from 'node:crypto';
import { type Opened, openFile, shownPath } from '../paths.ts';
import { assertGoingOn, failure, type Reach } from '../reach.ts';
import type { FileState } from '../tool.ts';

const LF = 0x0a;
const CHUNK_BYTES = 256 * 1024;

export interface ReadOptions {
  readonly path: string;
  /** 1 is the first line. */
  readonly fromLine: number;
  readonly maxLines: number | undefined;
  readonly maxBytes: number;
}

export interface Reading {
  readonly path: string;
  readonly content: string;
  /** Of the whole file. */
  readonly bytes: number;
  readonly from_line?: number;
  /** Where to go on; only where something is left. */
  readonly next_line?: number;
  readonly truncated: boolean;
  /** True where one line alone is longer than `max_bytes`: the rest of it is left out. */
  readonly line_cut?: boolean;
}

/** Reads lines of a text file, as many as fit. The whole file is hashed on the way. */
export async function read(
  options: ReadOptions,
  reach: Reach,
): Promise<{ result: Reading; state: FileState }> {
  await using file = await openFile(options.path, reach);
  const maxBytes = Math.min(options.maxBytes, reach.context.maxOutputBytes);
  const slice = createSlice(
    options.fromLine,
    options.maxLines ?? Number.POSITIVE_INFINITY,
    maxBytes,
  );
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(file, reach)) {
    if (bytes === 0 && isBinary(chunk)) {
      throw failure(
        reach,
        `"${options.path}" is no text: it holds NUL bytes (${file.bytes} bytes)`,
      );
    }
    hash.update(chunk);
    bytes += chunk.length;
    slice.take(chunk);
  }
  const result = { path: shownPath(reach.context.workspace, file.path), bytes };
  const state = { path: file.path, bytes, sha256: hash.digest('hex') };
  return { result: { ...result, ...linesOf(slice, options, reach) }, state };
}

function linesOf(
  slice: Slice,
  { path, fromLine }: ReadOptions,
  reach: Reach,
): Omit<Reading, 'path' | 'bytes'> {
  const { kept, lines, more, lineCut } = slice.done();
  if (fromLine > 1 && kept.length === 0 && !more) {
    throw failure(reach, `"${path}" has no line ${fromLine}: it ends after ${slice.seen()}`);
  }
  const next = fromLine + lines;
  return {
    content: new TextDecoder().decode(kept, { stream: lineCut }),
    ...(fromLine > 1 || more ? { from_line: fromLine } : {}),
    ...(more && next <= slice.seen() ? { next_line: next } : {}),
    truncated: more || lineCut,
    ...(lineCut ? { line_cut: true } : {}),
  };
}

/** A file's bytes in pieces, from its start. */
export async function* chunksOf(file: Opened, reach: Reach): AsyncGenerator<Buffer> {
  let position = 0;
  for (;;) {
    assertGoingOn(reach);
    const { bytesRead, buffer } = await file.handle.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      position,
    );
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The mark of files that are no text. */
export const isBinary = (start: Buffer): boolean => start.subarray(0, 8_192).includes(0);

interface Slice {
  take(chunk: Buffer): void;
  /** Lines seen so far, an unfinished last one included. */
  seen(): number;
  done(): { kept: Buffer; lines: number; more: boolean; lineCut: boolean };
}

/** Collects whole lines from `fromLine` on, up to a number of lines and bytes. A first line that is too long is cut. */
function createSlice(fromLine: number, maxLines: number, maxBytes: number): Slice {
  let line = 1;
  let fresh = true;
  const parts: Buffer[] = [];
  let held = 0;
  let more = false;

  const keep = (part: Buffer) => {
    const room = maxBytes - held;
    if (part.length > room) more = true;
    const kept = part.subarray(0, Math.max(room, 0));
    if (kept.length > 0) parts.push(Buffer.from(kept));
    held += kept.length;
  };
  const takeLine = (piece: Buffer) => {
    if (line < fromLine) return;
    if (more || line >= fromLine + maxLines) more = true;
    else keep(piece);
  };

  return {
    take(chunk) {
      for (let start = 0; start < chunk.length; ) {
        const end = chunk.indexOf(LF, start);
        const next = end === -1 ? chunk.length : end + 1;
        takeLine(chunk.subarray(start, next));
        fresh = end !== -1;
        if (fresh) line += 1;
        start = next;
      }
    },
    seen: () => (fresh ? line - 1 : line),
    done: () => wholeLines(Buffer.concat(parts), more),
  };
}

function wholeLines(
  kept: Buffer,
  more: boolean,
): { kept: Buffer; lines: number; more: boolean; lineCut: boolean } {
  if (!more) return { kept, lines: countLines(kept), more, lineCut: false };
  const end = kept.lastIndexOf(LF) + 1;
  if (end > 0)
    return { kept: kept.subarray(0, end), lines: countLines(kept), more, lineCut: false };
  return { kept, lines: 1, more, lineCut: true };
}

function countLines(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LF); at !== -1; at = text.indexOf(LF, at + 1)) count += 1;
  return count;
}
