import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { asError } from '../../contract/errors.ts';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';

const PART_BYTES = 256 * 1024;

/** The content of an open file, part by part. What is added to it beyond the limit meanwhile is not read. */
export function* partsOf(fd: number, maxBytes: number): Generator<Buffer> {
  for (let at = 0; at < maxBytes; ) {
    const part = Buffer.allocUnsafe(Math.min(PART_BYTES, maxBytes - at));
    const bytes = readSync(fd, part, 0, part.length, at);
    if (bytes === 0) return;
    at += bytes;
    yield part.subarray(0, bytes);
  }
}

/** Bytes on their way from a process to a file, in a private temporary file instead of memory. Read part by part. */
export interface Spool extends Disposable, Iterable<Buffer> {
  /** Bytes beyond the limit are counted only. If they can't be written, reading throws. */
  add(chunk: Buffer): void;
  /** The number of bytes that were added. */
  bytes(): number;
  /** The first bytes, at most 256 KiB. */
  start(maxBytes: number): Buffer;
}

/** An empty one; its file is created with the first byte. */
export function createSpool(maxBytes: number): Spool {
  let file: { readonly fd: number; readonly folder: string } | undefined;
  let total = 0;
  let problem: Error | undefined;
  let isDisposed = false;
  const open = () => {
    const folder = makeTemporaryFolder('spool');
    return { fd: openSync(join(folder, 'content'), 'wx+', 0o600), folder };
  };
  const write = (bytes: Buffer) => {
    file ??= open();
    for (let at = 0; at < bytes.length; ) at += writeSync(file.fd, bytes, at);
  };
  return {
    add(chunk) {
      const kept = chunk.subarray(0, Math.max(maxBytes - total, 0));
      total += chunk.length;
      if (isDisposed || problem || kept.length === 0) return;
      try {
        write(kept);
      } catch (error) {
        problem = asError(error);
      }
    },
    bytes: () => total,
    start(maxBytes) {
      for (const part of this) return part.subarray(0, maxBytes);
      return Buffer.alloc(0);
    },
    *[Symbol.iterator]() {
      if (problem) throw problem;
      if (file) yield* partsOf(file.fd, maxBytes);
    },
    [Symbol.dispose]() {
      isDisposed = true;
      if (file === undefined) return;
      closeSync(file.fd);
      rmSync(file.folder, { recursive: true, force: true });
      file = undefined;
    },
  };
}
