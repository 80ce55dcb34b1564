import { lstatSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { shownPath } from '../platform/files/inside.ts';
import { codeOf } from '../platform/try-or.ts';
import { failure, inTime, type ToolCall } from './define/call.ts';
import { givesByOperation } from './define/gives.ts';
import { defineTool, type ToolOutput } from './define/tool.ts';
import { cutFileIo, type FileIoArgs, fileIoArgs, operations } from './file-io/arguments.ts';
import { append, edit } from './file-io/change/edit.ts';
import { copyFile, moveFile } from './file-io/change/move.ts';
import { replaceInFile } from './file-io/change/replace.ts';
import { isRead, operationOf, targetOf } from './file-io/operation-of.ts';
import { read } from './file-io/read.ts';
import { search } from './file-io/search.ts';
import { goesDeep } from './file-io/walk/globs.ts';
import { type Entry, walkMatching } from './file-io/walk/walk.ts';
import { isHash, stateAt } from './files/path-state.ts';
import { fileMissing } from './files/paths.ts';
import {
  openPlace,
  removeAt,
  syncFolder,
  writeFile,
  writeProblemOf,
  writtenOutput,
} from './files/write-file.ts';

export const fileIo = defineTool({
  name: 'file_io',
  effects: 'local',
  operations,
  gives: givesByOperation({
    ...{ write: 'write', append: 'write', edit: 'write', replace: 'write', copy: 'write' },
    ...{ rename: 'move', move: 'move', delete: 'delete' },
  }),
  forNewCapsules: {
    grant: { paths: ['**'] },
    chosenFor: ['write', 'delete', 'move'],
    isBasic: true,
  },
  words: (operation) => ({
    does: done[operation] ? operation : 'change',
    done: done[operation] ?? 'changed',
    verb: isRead(operation) ? 'read' : 'edit',
  }),
  remembers: 'path',
  description:
    'Lists, reads, searches, writes, edits, renames, moves, copies and deletes files of the workspace. Missing folders are created. `delete` takes one file or an empty folder.',
  args: fileIoArgs,
  cut: cutFileIo,
  operation: operationOf,
  async perform(given, context) {
    const call: ToolCall = { tool: 'file_io', context };
    const act = actions[given.operation];
    if (!isRead(given.operation)) return act(given, call);
    // A tree or a file may be of any size.
    return inTime(call, (signal) => act(given, { ...call, context: { ...context, signal } }));
  },
});

const done: Readonly<Record<string, string>> = {
  list: 'listed',
  read: 'read',
  search: 'searched',
  write: 'written',
  rename: 'renamed',
  move: 'moved',
  copy: 'copied',
  delete: 'deleted',
};

const actions: Record<
  FileIoArgs['operation'],
  (given: FileIoArgs, call: ToolCall) => Promise<ToolOutput>
> = {
  list,
  read,
  search,
  async write(given, call) {
    return writtenOutput(await writeFile(given.path, Buffer.from(given.content ?? ''), call), call);
  },
  append: async (given, call) => writtenOutput(await append(given, call), call),
  edit: async (given, call) => writtenOutput(await edit(given, call), call),
  async replace(given, call) {
    const { count, ...written } = await replaceInFile(given, call);
    const { result, ...output } = writtenOutput(written, call);
    return { result: { ...result, replacements: count }, ...output };
  },
  rename: move,
  move,
  async copy(given, call) {
    return writtenOutput(await copyFile(given.path, targetIn(given), call), call);
  },
  async delete({ path }, call) {
    const removed = await deleteFile(path, call);
    const result = { path: shownPath(call.context.workspace, removed), deleted: true };
    return { result, removed: [removed] };
  },
};

/** Ignore files count only if the listing is recursive. `total`, and `files` of it, also count what is not returned. */
async function list(given: FileIoArgs, call: ToolCall): Promise<ToolOutput> {
  const { path, globs, recursive = goesDeep(globs), max_results: maxResults = 1_000 } = given;
  const entries: Entry[] = [];
  let total = 0;
  let files = 0;
  let bytes = 0;
  const options = { recursive, everything: given.include_ignored };
  for await (const entry of walkMatching(path, globs, options, call)) {
    total += 1;
    if (entry.kind === 'file') files += 1;
    bytes += Buffer.byteLength(entry.path) + 64;
    if (entries.length < maxResults && bytes <= call.context.maxOutputBytes) entries.push(entry);
  }
  return { result: { total, files, truncated: total > entries.length, entries } };
}

const targetIn = (given: FileIoArgs) => ({ to: targetOf(given) ?? '', replace: given.replace });

async function move(given: FileIoArgs, call: ToolCall): Promise<ToolOutput> {
  const { from, to, bytes, sha256, replaced } = await moveFile(given.path, targetIn(given), call);
  const shown = (path: string) => shownPath(call.context.workspace, path);
  return {
    result: {
      ...{ path: shown(to), from: shown(from), bytes },
      ...(isHash(sha256) && { sha256 }),
      replaced,
    },
    wrote: [{ path: to, bytes, sha256, movedFrom: from }],
    removed: [from],
  };
}

/**
 * Removes one regular file or one empty folder. Returns its absolute path.
 *
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`.
 */
async function deleteFile(path: string, call: ToolCall): Promise<string> {
  using place = await openPlace(path, call);
  const stats = lstatSync(place.at, { throwIfNoEntry: false });
  if (stats === undefined) throw fileMissing({ path, absolute: place.path }, call);
  if (stats.isDirectory()) {
    await rmdir(place.at).catch((error: unknown) => {
      throw failure(call, folderProblem(path, error), error);
    });
    await syncFolder(place.folder.fd).catch(() => undefined);
  } else {
    const seen = call.context.expected?.(place.path) ?? (await stateAt(place.at));
    await removeAt(place, seen, call);
  }
  return place.path;
}

const folderProblem = (path: string, error: unknown): string =>
  ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')
    ? `"${path}" is a folder with files in it; delete them first, one by one`
    : `"${path}" can't be removed: ${writeProblemOf(error)}`;
