import * as z from 'zod';

const KIB = 1024;
const MAX_READ_BYTES = 4 * KIB * KIB - 64 * KIB;

const path = () => z.string().min(1).max(4_096);
const globs = () => z.array(z.string().min(1).max(500)).min(1).max(50);
const maxResults = () => z.int().min(1).max(10_000);

/** The arguments of `file_io`. */
export const fileIoArgs = () => fields().superRefine(checkTogether);

const fields = () =>
  z.strictObject({
    operation: z.enum([
      ...(['list', 'read', 'search', 'write', 'append', 'edit', 'replace'] as const),
      ...(['rename', 'move', 'copy', 'delete'] as const),
    ]),
    path: path().default('.').describe('Relative to the workspace, or absolute inside it.'),
    globs: globs()
      .optional()
      .describe('list, search: only these, relative to `path`. `*.md` is at any depth for search.'),
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
      .describe(
        'search, replace: a JavaScript regular expression; `^` and `$` match at each line.',
      ),
    ignore_case: z.boolean().default(false).describe('search, replace.'),
    max_results: maxResults().optional().describe('list: default 1000. search: default 200.'),
    from_line: z
      .int()
      .default(1)
      .describe('read: the first line, counted from 1; -10 starts at the tenth line from the end.'),
    max_lines: z.int().min(1).optional().describe('read: how many lines. Default: as many as fit.'),
    max_bytes: z
      .int()
      .min(1)
      .max(MAX_READ_BYTES)
      .default(256 * KIB)
      .describe('read: longest content; `next_line` in the result says where to go on.'),
    content: z.string().optional().describe('write: the whole file. append: what is added.'),
    old_text: z
      .string()
      .min(1)
      .optional()
      .describe('edit, replace: text that the file contains, exactly.'),
    new_text: z
      .string()
      .optional()
      .describe('edit, replace: its replacement. With `pattern`, `$1` is the first group.'),
    replace_all: z.boolean().default(false).describe('edit: every place, not the only one.'),
    to: path()
      .optional()
      .describe(
        'rename: the new name, in the same folder. move, copy: the new path; `docs/` keeps the name.',
      ),
    replace: z.boolean().default(false).describe('rename, move, copy: replace an existing file.'),
  });
export type FileIoArgs = z.output<ReturnType<typeof fileIoArgs>>;

const needed: Partial<
  Record<
    FileIoArgs['operation'],
    readonly ('pattern' | 'content' | 'old_text' | 'new_text' | 'to')[]
  >
> = {
  search: ['pattern'],
  write: ['content'],
  append: ['content'],
  edit: ['old_text', 'new_text'],
  replace: ['new_text'],
  rename: ['to'],
  move: ['to'],
  copy: ['to'],
};

/** What the fields mean together. */
function checkTogether(given: z.output<ReturnType<typeof fields>>, context: z.RefinementCtx): void {
  const { operation, old_text, pattern, from_line, to } = given;
  const issue = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  for (const name of needed[operation] ?? []) {
    if (given[name] === undefined) issue(name, `operation "${operation}" needs ${name}`);
  }
  if (operation === 'replace' && (pattern === undefined) === (old_text === undefined))
    issue('old_text', 'operation "replace" needs either old_text or pattern');
  if (from_line === 0) issue('from_line', 'lines are counted from 1, or from -1 at the end');
  if (operation === 'rename' && to !== undefined && /[/\\]|^\.{1,2}$/.test(to))
    issue('to', '"rename" takes a name without a folder; use "move" for another folder');
}
