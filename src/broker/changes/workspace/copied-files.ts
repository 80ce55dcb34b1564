import { readFileSync } from 'node:fs';
import { createYielder } from '../../../runtime/sandbox/create-yielder.ts';
import type { FileCall } from '../../../tools/define/call.ts';
import { openFile } from '../../../tools/files/paths.ts';
import { bytesOf, isOddName, type Snapshot } from './workspace-snapshot.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Of all copies for one command. A workspace has one command with write access at a time. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_MS = 1_000;

/** A file as it was before a command. */
export interface CopiedFile {
  readonly content: Buffer;
  readonly mode: number;
}

/**
 * Copies the files of a workspace into memory, so that those that a command changes without naming them can be restored. For
 * up to a second.
 *
 * @param isCopied False for paths to skip.
 * @param maxBytes Of all files together.
 */
export async function copyFiles(
  snapshot: Pick<Snapshot, 'files'>,
  call: FileCall,
  { isCopied, maxBytes }: { isCopied(path: string): boolean; readonly maxBytes: number },
): Promise<ReadonlyMap<string, CopiedFile>> {
  const files = new Map<string, CopiedFile>();
  const untilMs = performance.now() + MAX_MS;
  const breath = createYielder();
  let bytes = 0;
  for (const [path, stamp] of snapshot.files) {
    if (breath.isDue()) await breath.take();
    if (performance.now() > untilMs) break;
    const room = Math.min(MAX_FILE_BYTES, Math.min(maxBytes, MAX_BYTES) - bytes);
    if (bytesOf(stamp) > room || isOddName(path) || !isCopied(path)) continue;
    const copy = await copyOf(path, call, room).catch(() => undefined);
    if (copy === undefined) continue;
    files.set(path, copy);
    bytes += copy.content.length;
  }
  return files;
}

/** Undefined if it is reached through a link, or has grown. */
async function copyOf(path: string, call: FileCall, room: number): Promise<CopiedFile | undefined> {
  using file = await openFile(path, call);
  if (file.path !== path || file.bytes > room) return undefined;
  return { content: readFileSync(file.fd), mode: file.mode & 0o7777 };
}

/** Whether the snapshot is complete and all its files can be copied and kept. */
export function areAllCopied(
  { files, left }: Pick<Snapshot, 'files' | 'left'>,
  { maxBytes, maxFiles }: { readonly maxBytes: number; readonly maxFiles: number },
): boolean {
  const sizes = Array.from(files.values(), bytesOf);
  const sum = sizes.reduce((total, bytes) => total + bytes, 0);
  return (
    left.size === 0 &&
    files.size <= maxFiles &&
    sum <= Math.min(maxBytes, MAX_BYTES) &&
    sizes.every((bytes) => bytes <= MAX_FILE_BYTES)
  );
}
