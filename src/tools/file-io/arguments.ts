import * as z from 'zod';
import type { Granted } from '../../contract/permissions/granted.ts';
import { shellGroupProblem } from '../../platform/globs/glob-tokens.ts';
import type { Cut } from '../define/offer.ts';
import { pathArg } from '../define/tool.ts';

const KIB = 1024;
const MAX_READ_BYTES = 4 * KIB * KIB - 64 * KIB;

/** Their short names. */
export const operations = [
  ...(['list', 'read', 'search', 'write', 'append', 'edit', 'replace'] as const),
  ...(['rename', 'move', 'copy', 'delete'] as const),
] as const;

const glob = () =>
  z
    .string()
    .min(1)
    .max(500)
    .superRefine((value, { addIssue }) => {
      const problem = shellGroupProblem(value);
      if (problem !== undefined) addIssue(problem);
    });
const globs = () => z.array(glob()).min(1).max(50);
const maxResults = () => z.int().min(1).max(10_000);

type Name = (typeof operations)[number];
type Texts = Partial<Record<Name, string>>;

/** What each argument is for, by operation; operations with the same text share it. An argument without an entry is for all. */
const uses: Readonly<Record<string, Texts>> = {
  globs: same(
    ['list', 'search'],
    'only these, relative to `path`; `*.md` is at any depth for search.',
  ),
  recursive: { list: 'the whole tree. Default: only if a glob contains `/`.' },
  include_ignored: same(
    ['list', 'search'],
    'also what .gitignore names, `.git` and `node_modules`.',
  ),
  pattern: same(
    ['search', 'replace'],
    'a JavaScript regular expression; `^` and `$` match at each line.',
  ),
  ignore_case: same(['search', 'replace'], 'upper and lower case are equal.'),
  max_results: { list: 'default 1000.', search: 'default 200.' },
  from_line: { read: 'the first line, counted from 1; -10 starts at the tenth line from the end.' },
  max_lines: { read: 'how many lines. Default: as many as fit.' },
  max_bytes: {
    read: 'maximum size of the content; `next_line` in the result says where to continue.',
  },
  content: { write: 'the whole file.', append: 'the added text.' },
  old_text: same(['edit', 'replace'], 'text that the file contains, exactly.'),
  new_text: {
    edit: 'its replacement.',
    replace: 'its replacement; with `pattern`, `$1` is the first group.',
  },
  replace_all: { edit: 'every place, not the only one.' },
  to: {
    rename: 'the new name, in the same folder.',
    ...same(['move', 'copy'], 'the new path; `docs/` keeps the name.'),
  },
  replace: same(['rename', 'move', 'copy'], 'replace an existing file.'),
};

function same(operations: readonly Name[], text: string): Texts {
  return Object.fromEntries(operations.map((operation) => [operation, text]));
}

/** `search, replace: a JavaScript regular expression`; empty if no operation is among them. */
function textOf(texts: Texts, can: (operation: string) => boolean): string {
  const byText = new Map<string, string[]>();
  for (const [operation, text] of Object.entries(texts)) {
    if (can(operation)) byText.set(text, [...(byText.get(text) ?? []), operation]);
  }
  return [...byText].map(([text, operations]) => `${operations.join(', ')}: ${text}`).join(' ');
}

const described = (name: string): string => textOf(uses[name] ?? {}, () => true);

/** The operations that are granted, and the arguments that they have a use for. */
export function cutFileIo({ can }: Granted): Cut {
  const texts = Object.entries(uses).map(([name, all]) => [name, textOf(all, can)] as const);
  const granted = operations.filter(can);
  return {
    description: descriptionOf(granted),
    leaveOut: texts.filter(([, text]) => text === '').map(([name]) => name),
    choices: { operation: granted },
    texts: Object.fromEntries(texts),
  };
}

const verbs: Readonly<Record<Name, string>> = {
  ...{ list: 'lists', read: 'reads', search: 'searches', write: 'writes', append: 'appends to' },
  ...{ edit: 'edits', replace: 'replaces text in', rename: 'renames', move: 'moves' },
  ...{ copy: 'copies', delete: 'deletes' },
};

function descriptionOf(granted: readonly Name[]): string {
  const words = granted.map((operation) => verbs[operation]);
  const last = words.length > 1 ? ` and ${words.pop()}` : '';
  const sentence = `${words.join(', ')}${last} files of the workspace.`;
  const folders = granted.includes('write') ? ' Missing folders are created.' : '';
  const deletes = granted.includes('delete') ? ' `delete` takes one file or an empty folder.' : '';
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${folders}${deletes}`;
}

/** The arguments of `file_io`. */
export const fileIoArgs = () => fields().superRefine(checkTogether);

const fields = () =>
  z.strictObject({
    operation: z.enum(operations),
    path: pathArg().default('.').describe('Relative to the workspace, or absolute inside it.'),
    globs: globs().optional().describe(described('globs')),
    recursive: z.boolean().optional().describe(described('recursive')),
    include_ignored: z.boolean().default(false).describe(described('include_ignored')),
    pattern: z.string().min(1).max(1_000).optional().describe(described('pattern')),
    ignore_case: z.boolean().default(false).describe(described('ignore_case')),
    max_results: maxResults().optional().describe(described('max_results')),
    from_line: z.int().default(1).describe(described('from_line')),
    max_lines: z.int().min(1).optional().describe(described('max_lines')),
    max_bytes: z
      .int()
      .min(1)
      .max(MAX_READ_BYTES)
      .default(256 * KIB)
      .describe(described('max_bytes')),
    content: z.string().optional().describe(described('content')),
    old_text: z.string().min(1).optional().describe(described('old_text')),
    new_text: z.string().optional().describe(described('new_text')),
    replace_all: z.boolean().default(false).describe(described('replace_all')),
    to: pathArg().optional().describe(described('to')),
    replace: z.boolean().default(false).describe(described('replace')),
  });
export type FileIoArgs = z.output<ReturnType<typeof fileIoArgs>>;

const needed: Partial<Record<Name, readonly (keyof FileIoArgs)[]>> = {
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
