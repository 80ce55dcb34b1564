import * as z from 'zod';
import { AppError, failedWith } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { ToolCall } from './call.ts';
import { append, edit, replaced } from './file-io/edit.ts';
import { list } from './file-io/list.ts';
import { read } from './file-io/read.ts';
import { search } from './file-io/search.ts';
import { shownPath } from './paths.ts';
import { defineTool, type ToolContext, type ToolOutput } from './tool.ts';
import { type Written, writeFile } from './write-file.ts';

const KIB = 1024;
const MAX_READ_BYTES = 4 * KIB * KIB - 64 * KIB;

const path = () => z.string().min(1).max(4_096);
const globs = () => z.array(z.string().min(1).max(500)).min(1).max(50);
const maxResults = () => z.int().min(1).max(10_000);

const args = () =>
  z
    .strictObject({
      operation: z.enum(['list', 'read', 'search', 'write', 'append', 'edit']),
      path: path().default('.').describe('Relative to the workspace, or absolute inside it.'),
      globs: globs()
        .optional()
        .describe(
          'list, search: only these, relative to `path`. `*.md` is at any depth for search.',
        ),
      recursive: z
        .boolean()
        .optional()
        .describe(
          'list: the whole tree. Default: only where a glob holds `/`. Ignored files are left out.',
        ),
      include_ignored: z
        .boolean()
        .default(false)
        .describe('list, search: also what .gitignore names, `.git` and `node_modules`.'),
      pattern: z
        .string()
        .min(1)
        .max(1_000)
        .optional()
        .describe('search: a JavaScript regular expression, matched line by line.'),
      ignore_case: z.boolean().default(false).describe('search.'),
      max_results: maxResults().optional().describe('list: default 1000. search: default 200.'),
      from_line: z.int().min(1).default(1).describe('read: the first line, counted from 1.'),
      max_lines: z
        .int()
        .min(1)
        .optional()
        .describe('read: how many lines. Default: as many as fit.'),
      max_bytes: z
        .int()
        .min(1)
        .max(MAX_READ_BYTES)
        .default(256 * KIB)
        .describe('read: longest content; `next_line` in the result says where to go on.'),
      content: z.string().optional().describe('write: the whole file. append: what is added.'),
      old_text: z.string().min(1).optional().describe('edit: what stands in the file, exactly.'),
      new_text: z.string().optional().describe('edit: what takes its place.'),
      replace_all: z.boolean().default(false).describe('edit: every place, not the only one.'),
    })
    .superRefine((given, context) => {
      for (const name of needed[given.operation]) {
        if (given[name] !== undefined) continue;
        const message = `operation "${given.operation}" needs ${name}`;
        context.addIssue({ code: 'custom', path: [name], message });
      }
    });
type Args = z.output<ReturnType<typeof args>>;

const needed: Record<
  Args['operation'],
  readonly ('pattern' | 'content' | 'old_text' | 'new_text')[]
> = {
  list: [],
  read: [],
  search: ['pattern'],
  write: ['content'],
  append: ['content'],
  edit: ['old_text', 'new_text'],
};

const writes: ReadonlySet<Args['operation']> = new Set(['write', 'append', 'edit']);

export const fileIo = defineTool({
  name: 'file_io',
  description:
    'Lists, reads, searches, writes, appends to and edits text files of the workspace. Writing makes the folders that are missing and replaces a file as a whole.',
  args,
  operation: operationOf,
  perform: (given, context) =>
    writes.has(given.operation)
      ? operations[given.operation](given, { tool: 'file_io', context })
      : inTime(given, context),
});

/** A tree may be of any size, and so may one file. */
async function inTime(given: Args, context: ToolContext): Promise<ToolOutput> {
  const { signal, timeoutMs } = context;
  const timeout = AbortSignal.timeout(timeoutMs);
  const bounded = { ...context, signal: AbortSignal.any([signal, timeout]) };
  try {
    return await operations[given.operation](given, { tool: 'file_io', context: bounded });
  } catch (error) {
    if (!timeout.aborted || signal.aborted || !failedWith(error, 'CANCELLED')) throw error;
    throw new AppError('TOOL_TIMED_OUT', { tool: 'file_io', timeoutMs });
  }
}

function operationOf(given: Args): Omit<Operation, 'tool'> {
  const { operation } = given;
  const isWrite = writes.has(operation);
  const isTree = operation === 'search' || (operation === 'list' && given.recursive !== false);
  return {
    name: `file_io.${operation}`,
    tier: isWrite ? 1 : 0,
    repeatability: isWrite ? (operation === 'write' ? 'idempotent' : 'unsafe') : 'pure',
    paths: [
      {
        path: given.path,
        access: isWrite ? 'write' : 'read',
        ...(isTree ? { subtree: true } : {}),
      },
    ],
    ...(isWrite ? { rewrite: (old: Buffer | undefined) => rewritten(given, old) } : {}),
    ...(operation === 'write' ? { content: given.content } : {}),
    ...(operation === 'append' ? { inserted: given.content } : {}),
    ...(operation === 'edit' ? { inserted: given.new_text } : {}),
    target: given.path,
  };
}

function rewritten(given: Args, old: Buffer | undefined): Buffer | undefined {
  const { operation, content = '', old_text: oldText = '', new_text: newText = '' } = given;
  if (operation === 'write') return Buffer.from(content);
  if (operation === 'append') return Buffer.concat([old ?? Buffer.alloc(0), Buffer.from(content)]);
  return old && replaced(old, { oldText, newText, everywhere: given.replace_all });
}

const operations: Record<Args['operation'], (given: Args, call: ToolCall) => Promise<ToolOutput>> =
  {
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
      return { result, read: [state] };
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
      return wrote(
        await writeFile(given.path, Buffer.from(given.content ?? ''), call),
        call.context,
      );
    },
    async append(given, call) {
      return wrote(await append(given.path, given.content ?? '', call), call.context);
    },
    async edit(given, call) {
      const { old_text: oldText = '', new_text: newText = '', replace_all: everywhere } = given;
      return wrote(await edit(given.path, { oldText, newText, everywhere }, call), call.context);
    },
  };

function wrote({ path, bytes, sha256, created }: Written, { workspace }: ToolContext): ToolOutput {
  const result = { path: shownPath(workspace, path), bytes, sha256, created };
  return { result, wrote: [{ path, bytes, sha256 }] };
}
