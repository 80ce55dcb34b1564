import { lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { textOf, tryOr } from '../../../platform/try-or.ts';
import { failure, type ToolCall } from '../../define/call.ts';

/**
 * Asserts that no other program uses a database. It is replaced as a whole: changes of other programs to the old file would
 * be lost, and a journal beside it would be applied to the new one.
 *
 * @param path Absolute, symbolic links resolved.
 * @throws AppError `TOOL_FAILED`.
 */
export function assertIdle(path: string, shown: string, call: ToolCall): void {
  for (const ending of ['-wal', '-journal']) {
    const stats = statSync(`${path}${ending}`, { throwIfNoEntry: false });
    if (stats === undefined || stats.size === 0) continue;
    const problem = `"${shown}${ending}" has changes that are not in "${shown}" yet: a program has the database open, or ended without closing it. Close the program, or open the database with it once, then try again`;
    throw failure(call, problem);
  }
  const user = writerOf(path);
  if (user !== undefined)
    throw failure(call, `"${shown}" is open in ${user}; close that program, then try again`);
}

/** A process of this user that has the file open for writing, for people; undefined if none is found. */
function writerOf(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const others = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  const writer = others.find((pid) => hasOpen(`/proc/${pid}/fd`, path));
  const name = textOf(`/proc/${writer}/comm`).trim() || 'unknown';
  return writer && `another program (${name}, process ${writer})`;
}

/** The mode of a descriptor's link shows how the file was opened. */
function hasOpen(folder: string, path: string): boolean {
  const isWriter = (link: string) =>
    readlinkSync(link) === path && (lstatSync(link).mode & 0o200) !== 0;
  const fds = tryOr(() => readdirSync(folder), []);
  return fds.some((fd) => tryOr(() => isWriter(`${folder}/${fd}`), false));
}
