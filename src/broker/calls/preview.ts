import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { createTwoFilesPatch } from 'diff';
import { hashFile } from '../tool-calls/hash-file.ts';

/** What a call does to one file, as far as that is known before it is done. */
export interface FileEffect {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  /** SHA-256 of what stood there, or `absent`. */
  readonly before: string;
  /** SHA-256 of what will stand there; null where it can't be told. */
  readonly after: string | null;
  /** Unified; null where one side is no text, or too long. */
  readonly diff: string | null;
}

/** Larger files are hashed, and no difference is worked out. */
const MOST_BYTES = 1024 * 1024;

/** Longer differences are left out: the content is in the request. */
const MOST_DIFF_CHARS = 256 * 1024;

/**
 * Reads what stands at a path, and works out what a call would make of it.
 *
 * @param shown The path as a person knows it, for the head of the difference.
 */
export async function fileEffectOf(
  { path, shown }: { readonly path: string; readonly shown: string },
  rewrite: ((old: Buffer | undefined) => Buffer | undefined) | undefined,
): Promise<FileEffect> {
  const old = rewrite ? await readSmall(path) : 'unread';
  if (old === 'unread') {
    const before = (await hashFile(path)) ?? 'absent';
    return { path, before, after: null, diff: null };
  }
  const after = rewrite?.(old);
  return {
    path,
    before: old ? sha256(old) : 'absent',
    after: after ? sha256(after) : null,
    diff: after ? diffOf(shown, old, after) : null,
  };
}

/** Undefined where no file stands there; `unread` where it is too long or no regular file. */
async function readSmall(path: string): Promise<Buffer | undefined | 'unread'> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MOST_BYTES) return 'unread';
    return await file.readFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

function diffOf(shown: string, old: Buffer | undefined, after: Buffer): string | null {
  const [left, right] = [textOf(old ?? Buffer.alloc(0)), textOf(after)];
  if (left === undefined || right === undefined) return null;
  const name = /[\p{Cc}\p{Cf}\u2028\u2029"\\]/u.test(shown) ? JSON.stringify(shown) : shown;
  const from = old ? name : '/dev/null';
  const diff = createTwoFilesPatch(from, name, left, right, undefined, undefined, {
    timeout: DIFF_TIMEOUT_MS,
  });
  return diff === undefined || diff.length > MOST_DIFF_CHARS ? null : diff;
}

/** Two texts that have nothing in common take long to compare. */
const DIFF_TIMEOUT_MS = 200;

function textOf(content: Buffer): string | undefined {
  if (content.length > MOST_BYTES) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
