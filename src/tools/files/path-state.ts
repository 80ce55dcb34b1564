import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../contract/errors.ts';
import { codeOf, tryOr } from '../../platform/try-or.ts';

/**
 * The state at a path, as one word: the SHA-256 of a regular file in hexadecimal; `absent`; `stat:…` (size and times) of a file
 * that is too large to be hashed; `link:…` (its target); `other` (a folder, a pipe); `unreadable`.
 */
export type PathState = string;

export const ABSENT = 'absent';

export interface InspectedFile {
  readonly state: PathState;
  /** Permission bits of a regular file; null if there is none. */
  readonly mode: number | null;
  /** Size of a regular file; 0 for anything else. */
  readonly bytes: number;
}

/** Larger files are compared by size and time: nobody waits for their content. */
export const MAX_HASHED_BYTES = 64 * 1024 * 1024;

/** Smaller files are hashed synchronously, which is faster than asynchronously. */
const MAX_SYNC_BYTES = 1024 * 1024;

export const isHash = (state: PathState | null): boolean =>
  state !== null && /^[0-9a-f]{64}$/.test(state);

/** A state as others see it: the SHA-256, or null. */
export const publishedHash = (state: PathState): string | null => (isHash(state) ? state : null);

/** Whether there is a folder now. A link to a folder is none. */
export const isFolder = (path: string): boolean =>
  tryOr(() => lstatSync(path).isDirectory(), false);

/** Whether there is a regular file. */
export const isFile = (state: PathState | null): boolean =>
  isHash(state) || state?.startsWith('stat:') === true;

/**
 * Reads the state of a path without following a link at its end. Never throws.
 *
 * @param like A state to compare with: the file is hashed or not, as that one was. Default: hashed up to 64 MiB.
 */
export async function inspectFile(
  path: string,
  like: PathState | null = null,
): Promise<InspectedFile> {
  return inspect(path, like).catch(() => none('unreadable'));
}

/** The same state of a path that can be read. @throws Error if it can't. */
export async function stateAt(path: string): Promise<PathState> {
  const { state } = await inspect(path, null).catch((error: unknown) => {
    const problem = `"${basename(path)}" can't be read: ${messageOf(error)}`;
    throw new Error(problem, { cause: error });
  });
  return state;
}

async function inspect(path: string, like: PathState | null): Promise<InspectedFile> {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return none(ABSENT);
    if (stats.isSymbolicLink()) return none(`link:${readlinkSync(path)}`);
    if (!stats.isFile()) return none('other');
    return await inspectRegularFile(path, like);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return none(ABSENT);
    throw error;
  }
}

const none = (state: PathState): InspectedFile => ({ state, mode: null, bytes: 0 });

async function inspectRegularFile(path: string, like: PathState | null): Promise<InspectedFile> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return none('other');
    const state = isHashed(stats, like) ? await hashOf(fd, stats) : sizeAndTime(stats);
    return { state, mode: stats.mode & 0o7777, bytes: stats.size };
  } finally {
    closeSync(fd);
  }
}

function isHashed({ size }: Stats, like: PathState | null): boolean {
  if (like?.startsWith('stat:')) return false;
  return isHash(like) || size <= MAX_HASHED_BYTES;
}

/** The state of a file whose content is not read. Programs can set the time of the content, but not the time of its change. */
export const sizeAndTime = ({ size, mtimeMs, ctimeMs }: Stats): PathState =>
  `stat:${size}:${mtimeMs}:${ctimeMs}`;

/** The state of a file whose content was read. */
export const readState = (stats: Stats, content: Hash): PathState =>
  stats.size <= MAX_HASHED_BYTES ? content.digest('hex') : sizeAndTime(stats);

async function hashOf(fd: number, { size }: Stats): Promise<string> {
  const hash = createHash('sha256');
  if (size <= MAX_SYNC_BYTES) return hash.update(readFileSync(fd)).digest('hex');
  for await (const chunk of readChunks(fd)) hash.update(chunk);
  return hash.digest('hex');
}

const readSome = promisify(read);

const CHUNK_BYTES = 256 * 1024;

/** The content of an open file from its start. No read is pending if the consumer stops early. */
export async function* readChunks(fd: number): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await readSome(fd, buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
