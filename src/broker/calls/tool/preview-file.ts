import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { textDiff } from '../../../platform/text/text-diff.ts';
import { codeOf } from '../../../platform/try-or.ts';
import { isFile, stateAt } from '../../../tools/files/path-state.ts';
import type { FileEffect } from '../../intent/record.ts';
import type { Awaitable } from '../call.ts';

/** The new content of a file; `unread` or undefined if it is not known before the call. */
export type Rewrite = (
  old: Buffer | undefined,
) => Awaitable<Buffer | 'absent' | 'unread' | undefined>;

/** Larger files are hashed without a diff. */
const MAX_BYTES = 1024 * 1024;

/** Reads a file, and computes its content after the call. `shown` is its path in the diff. */
export async function previewFile(
  { path, shown }: { readonly path: string; readonly shown: string },
  rewrite: Rewrite | undefined,
): Promise<FileEffect> {
  const old = rewrite ? await readSmall(path) : 'unread';
  if (old === 'unread') {
    const state = await stateAt(path);
    return { path, before: isFile(state) ? state : 'absent', after: null, diff: null };
  }
  const before = old ? sha256(old) : 'absent';
  const after = await rewrite?.(old);
  if (after === undefined || after === 'unread') return { path, before, after: null, diff: null };
  const made = after === 'absent' ? undefined : after;
  // A question shows every change of a text, also if it contains U+0000.
  const { diff } = textDiff(shown, old, made, { allowsNul: true });
  return { path, before, after: made ? sha256(made) : 'absent', diff };
}

/** Undefined if there is no file; `unread` if it is too long or not a regular file. */
export async function readSmall(path: string): Promise<Buffer | undefined | 'unread'> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) return 'unread';
    return await file.readFile();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
