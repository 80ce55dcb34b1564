import { linkSync, lstatSync, type Stats, statSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { failPoint } from '../../../db/fail-point.ts';
import { codeOf } from '../../../platform/try-or.ts';
import { failure, type ToolCall, throwIfAborted } from '../../define/call.ts';
import { isHash, stateAt } from '../../files/path-state.ts';
import {
  assertReachable,
  fileMissing,
  locate,
  openFile,
  resolveExisting,
} from '../../files/paths.ts';
import { partsOf } from '../../files/spool.ts';
import {
  createParents,
  locateFile,
  openPlace,
  type Place,
  replaceable,
  syncFolder,
  type Written,
  writeFile,
  writeProblemOf,
} from '../../files/write-file.ts';
import { assertNotTooLarge } from './edit.ts';

/** Where a file is put, and whether it replaces an existing one. */
interface Target {
  readonly to: string;
  readonly replace: boolean;
}

/** Writes the content of one file to another path, with the same permission bits. */
export async function copyFile(
  path: string,
  { to, replace }: Target,
  call: ToolCall,
): Promise<Written> {
  using source = await openFile(path, call);
  assertNotTooLarge(source, path, call);
  const stats = statSync(await locate(to, 'write', call), { throwIfNoEntry: false });
  if (stats) assertMayReplace(to, stats, replace, call);
  const seen = replace ? undefined : 'absent';
  return await writeFile(to, partsOf(source.fd, source.bytes), call, { mode: source.mode, seen });
}

/**
 * Moves a regular file. The new name never shows other content. The content of a replaced file must be what the context
 * expects.
 *
 * @returns `from` and `to` are absolute paths.
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`.
 */
export async function moveFile(path: string, { to, replace }: Target, call: ToolCall) {
  using source = await openPlace(path, call);
  const old = await movable(source, call);
  const absolute = await locateFile(to, call);
  assertReachable(resolveExisting(absolute), 'write', call);
  const state = await stateAt(source.at);
  assertExpected(source, state, call);
  await createParents(dirname(absolute), call);
  using target = await openPlace(to, call);
  if (target.path === source.path) throw failure(call, `"${path}" has this name already`);
  const existing = await findExisting(source, target, replace, call);
  throwIfAborted(call);
  failPoint('place');
  try {
    if (existing === 'file') await rename(source.at, target.at);
    else await moveToFreeName(source, target, existing);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw failure(call, moveProblem(source, target, error), error);
  }
  failPoint('placed');
  await syncFolder(target.folder.fd).catch(() => undefined);
  await syncFolder(source.folder.fd).catch(() => undefined);
  const replaced = existing === 'file';
  // A move changes a time of the file.
  const moved = isHash(state) ? state : await stateAt(target.at);
  return { from: source.path, to: target.path, bytes: old.size, sha256: moved, replaced };
}

async function movable({ at, path, shown }: Place, call: ToolCall): Promise<Stats> {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) throw fileMissing({ path: shown, absolute: path }, call);
  if (stats.isDirectory())
    throw failure(
      call,
      `"${shown}" is a folder; only files are moved and copied. A command with access "write" can move it: mv`,
    );
  if (!stats.isFile()) throw failure(call, `"${shown}" is not a regular file`);
  return stats;
}

/** What is at the target: nothing, a file that may be replaced, or the same file, if a crash interrupted the move. */
async function findExisting(
  source: Place,
  target: Place,
  replace: boolean,
  call: ToolCall,
): Promise<'nothing' | 'file' | 'same'> {
  const stats = lstatSync(target.at, { throwIfNoEntry: false });
  if (stats === undefined) return 'nothing';
  const { ino, dev } = lstatSync(source.at);
  if (stats.ino === ino && stats.dev === dev) return 'same';
  assertMayReplace(target.shown, stats, replace, call);
  await replaceable(target, call);
  assertExpected(target, await stateAt(target.at), call);
  return 'file';
}

/** @throws AppError `TOOL_FAILED` if an existing target is a folder, or may not be replaced. */
function assertMayReplace(shown: string, stats: Stats, replace: boolean, call: ToolCall) {
  if (stats.isDirectory())
    throw failure(call, `"${shown}" is a folder; write "${shown}/" to keep the name in it`);
  if (!replace)
    throw failure(call, `"${shown}" exists; set replace to replace it, or choose another name`);
}

function assertExpected({ path, shown }: Place, state: string, { context }: ToolCall): void {
  const expected = context.expected?.(path) ?? state;
  if (state !== expected) throw new AppError('FILE_CHANGED', { path: shown });
}

/** A hard link fails if the name is taken, so nothing is replaced by accident. */
async function moveToFreeName(source: Place, target: Place, existing: 'nothing' | 'same') {
  if (existing === 'nothing') {
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
    : `"${source.shown}" can't be moved: ${writeProblemOf(error)}`;
}
