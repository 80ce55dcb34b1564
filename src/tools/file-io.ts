import { AppError, failedWith } from '../contract/errors.ts';
import type { ToolCall } from './define/call.ts';
import { givesByOperation } from './define/gives.ts';
import { defineTool, type ToolContext, type ToolOutput } from './define/tool.ts';
import { cutFileIo, type FileIoArgs, fileIoArgs, operations } from './file-io/arguments.ts';
import { copyFile } from './file-io/change/copy.ts';
import { deleteFile } from './file-io/change/delete.ts';
import { append, edit } from './file-io/change/edit.ts';
import { moveFile } from './file-io/change/move.ts';
import { replaceInFile } from './file-io/change/replace.ts';
import { list } from './file-io/list.ts';
import { isWrite, operationOf, replacementOf, targetOf } from './file-io/operation-of.ts';
import { read } from './file-io/read.ts';
import { search } from './file-io/search.ts';
import { shownPath } from './files/paths.ts';
import { type Written, writeFile } from './files/write-file.ts';

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
    ...(words[operation] ?? CHANGE),
    verb: isReading(operation) ? 'read' : 'edit',
  }),
  remembers: 'path',
  description:
    'Lists, reads, searches, writes, edits, renames, moves, copies and deletes files of the workspace. Missing folders are created. `delete` takes one file or an empty folder.',
  args: fileIoArgs,
  cut: cutFileIo,
  operation: operationOf,
  perform: (given, context) =>
    isWrite(given)
      ? actions[given.operation](given, { tool: 'file_io', context })
      : inTime(given, context),
});

const CHANGE = { does: 'change', done: 'changed' };

const words: Readonly<Record<string, typeof CHANGE>> = {
  list: { does: 'list', done: 'listed' },
  read: { does: 'read', done: 'read' },
  search: { does: 'search', done: 'searched' },
  write: { does: 'write', done: 'written' },
  rename: { does: 'rename', done: 'renamed' },
  move: { does: 'move', done: 'moved' },
  copy: { does: 'copy', done: 'copied' },
  delete: { does: 'delete', done: 'deleted' },
};

const isReading = (operation: string): boolean => ['list', 'read', 'search'].includes(operation);

/** A tree may be of any size, and so may one file. */
async function inTime(given: FileIoArgs, context: ToolContext): Promise<ToolOutput> {
  const { signal, timeoutMs } = context;
  const timeout = AbortSignal.timeout(timeoutMs);
  const bounded = { ...context, signal: AbortSignal.any([signal, timeout]) };
  try {
    return await actions[given.operation](given, { tool: 'file_io', context: bounded });
  } catch (error) {
    if (!timeout.aborted || signal.aborted || !failedWith(error, 'CANCELLED')) throw error;
    throw new AppError('TOOL_TIMED_OUT', { tool: 'file_io', timeoutMs });
  }
}

const actions: Record<
  FileIoArgs['operation'],
  (given: FileIoArgs, call: ToolCall) => Promise<ToolOutput>
> = {
  async list(given, call) {
    const { recursive, include_ignored: includeIgnored, max_results: maxResults = 1_000 } = given;
    const options = {
      path: given.path,
      globs: given.globs,
      recursive,
      includeIgnored,
      maxResults,
    };
    return { result: await list(options, call) };
  },
  async read(given, call) {
    const options = {
      path: given.path,
      fromLine: given.from_line,
      maxLines: given.max_lines,
      maxBytes: given.max_bytes,
    };
    const { result, state } = await read(options, call);
    return state ? { result, read: [state] } : { result };
  },
  async search(given, call) {
    const { result, states } = await search(
      {
        path: given.path,
        pattern: given.pattern ?? '',
        ignoreCase: given.ignore_case,
        globs: given.globs,
        includeIgnored: given.include_ignored,
        maxResults: given.max_results ?? 200,
      },
      call,
    );
    return { result, read: states };
  },
  async write(given, call) {
    return wrote(await writeFile(given.path, Buffer.from(given.content ?? ''), call), call.context);
  },
  async append(given, call) {
    return wrote(await append(given.path, given.content ?? '', call), call.context);
  },
  async edit(given, call) {
    return wrote(await edit(given.path, replacementOf(given), call), call.context);
  },
  async replace(given, call) {
    const { count, ...written } = await replaceInFile(given.path, given, call);
    const { result, ...output } = wrote(written, call.context);
    return { result: { ...result, replacements: count }, ...output };
  },
  rename: move,
  move,
  async copy(given, call) {
    const target = { to: targetOf(given) ?? '', replace: given.replace };
    return wrote(await copyFile(given.path, target, call), call.context);
  },
  async delete({ path }, call) {
    const removed = await deleteFile(path, call);
    const result = { path: shownPath(call.context.workspace, removed), deleted: true };
    return { result, removed: [removed] };
  },
};

async function move(given: FileIoArgs, call: ToolCall): Promise<ToolOutput> {
  const { workspace } = call.context;
  const target = { to: targetOf(given) ?? '', replace: given.replace };
  const { from, to, bytes, sha256, replaced } = await moveFile(given.path, target, call);
  return {
    result: {
      path: shownPath(workspace, to),
      from: shownPath(workspace, from),
      bytes,
      sha256,
      replaced,
    },
    wrote: [{ path: to, bytes, sha256, movedFrom: from }],
    removed: [from],
  };
}

function wrote({ path, bytes, sha256, created }: Written, { workspace }: ToolContext) {
  const result = { path: shownPath(workspace, path), bytes, sha256, created };
  return { result, wrote: [{ path, bytes, sha256 }] };
}
