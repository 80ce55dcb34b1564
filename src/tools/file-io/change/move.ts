import { linkSync, lstatSync, type Stats } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, messageOf } from '../../../contract/errors.ts';
import { failPoint } from '../../../db/fail-point.ts';
import { codeOf, failure, type ToolCall, throwIfAborted } from '../../define/call.ts';
import {
  assertReachable,
  fileMissing,
  inFolder,
  locate,
  type Opened,
  openPassage,
  resolveExisting,
  shownPath,
} from '../../files/paths.ts';
import { contentAt, createParents, replaceable, syncFolder } from '../../files/write-file.ts';

export interface Moved {
  /** Absolute paths. */
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly replaced: boolean;
}

/** A name in an open folder. */
interface Place extends Disposable {
  readonly folder: Opened;
  /** For system calls. */
  readonly at: string;
  readonly path: string;
  readonly shown: string;
}

/**
 * Gives a regular file another path. Nobody sees the new name with another content.
 *
 * @param replace Whether an existing file is replaced. Its content must be what the context expects.
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`.
 */
export async function moveFile(
  path: string,
  { to, replace }: { readonly to: string; readonly replace: boolean },
  call: ToolCall,
): Promise<Moved> {
  using source = await openPlace(path, call);
  const old = await movable(source, call);
  const absolute = await locate(to, 'write', call);
  assertReachable(resolveExisting(absolute), 'write', call);
  const sha256 = await unchangedContent(source, call);
  await createParents(dirname(absolute), call);
  using target = await openPlace(to, call);
  if (target.path === source.path) throw failure(call, `"${path}" has this name already`);
  const taken = await placeTaken(target, { source, replace }, call);
  throwIfAborted(call);
  failPoint('place');
  try {
    if (taken === 'file') await rename(source.at, target.at);
    else await moveToFreeName(source, target, taken);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw failure(call, moveProblem(source, target, error), error);
  }
  failPoint('placed');
  await syncFolder(target.folder.fd).catch(() => undefined);
  await syncFolder(source.folder.fd).catch(() => undefined);
  return {
    from: source.path,
    to: target.path,
    bytes: old.size,
    sha256,
    replaced: taken === 'file',
  };
}

async function openPlace(path: string, call: ToolCall): Promise<Place> {
  const absolute = await locate(path, 'write', call);
  if (absolute === call.context.workspace) throw failure(call, `"${path}" is the workspace itself`);
  const folder = await openPassage(dirname(absolute), call);
  const name = basename(absolute);
  const real = join(folder.path, name);
  try {
    assertReachable(real, 'write', call);
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
  return {
    folder,
    at: inFolder(folder, name),
    path: real,
    shown: shownPath(call.context.workspace, real),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function movable({ at, path, shown }: Place, call: ToolCall): Promise<Stats> {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) throw fileMissing({ path: shown, absolute: path }, call);
  if (stats.isDirectory()) throw failure(call, folderProblem(shown));
  if (!stats.isFile()) throw failure(call, `"${shown}" is not a regular file`);
  return stats;
}

const folderProblem = (shown: string) =>
  `"${shown}" is a folder; only files are moved and copied. A command with access "write" can move it: mv`;

/** What is at the target: nothing, a file that may be replaced, or the same file, if a crash interrupted the move. */
async function placeTaken(
  target: Place,
  { source, replace }: { readonly source: Place; readonly replace: boolean },
  call: ToolCall,
): Promise<'nothing' | 'file' | 'same'> {
  const stats = lstatSync(target.at, { throwIfNoEntry: false });
  if (stats === undefined) return 'nothing';
  const { ino, dev } = lstatSync(source.at);
  if (stats.ino === ino && stats.dev === dev) return 'same';
  if (stats.isDirectory())
    throw failure(
      call,
      `"${target.shown}" is a folder; write "${target.shown}/" to keep the name in it`,
    );
  if (!replace)
    throw failure(
      call,
      `"${target.shown}" exists; set replace to replace it, or choose another name`,
    );
  await replaceable(target.folder, basename(target.path), call);
  const expected = call.context.expected?.(target.path);
  if (expected !== undefined && (await contentAt(target.at)) !== expected)
    throw new AppError('FILE_CHANGED', { path: target.shown });
  return 'file';
}

async function unchangedContent({ at, path, shown }: Place, { context }: ToolCall) {
  const now = await contentAt(at);
  const expected = context.expected?.(path);
  if (expected !== undefined && now !== expected)
    throw new AppError('FILE_CHANGED', { path: shown });
  return now;
}

/** A link fails if the name is taken, so nothing is replaced by accident. */
async function moveToFreeName(source: Place, target: Place, taken: 'nothing' | 'same') {
  if (taken === 'nothing') {
    try {
      linkSync(source.at, target.at);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw new AppError('FILE_CHANGED', { path: target.shown });
      if (!hasNoLinks(error)) throw error;
      await rename(source.at, target.at);
      return;
    }
    failPoint('linked');
  }
  await unlink(source.at);
}

/** File systems without hard links. */
const hasNoLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '');

function moveProblem(source: Place, target: Place, error: unknown): string {
  return codeOf(error) === 'EXDEV'
    ? `"${target.shown}" is on another file system; copy "${source.shown}", then delete it`
    : `"${source.shown}" can't be moved: ${messageOf(error)}`;
}
