import { setFlagsFromString } from 'node:v8';
import type { HandlerContext, Outcome } from '../context.ts';
import { plainText } from '../language/escape.ts';
import { fail } from '../task-error.ts';

/** An entry of a folder. */
export interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
}

/** The entries of a folder. `files` is their number, also of those over the limit. */
export interface Listing {
  readonly entries: readonly Entry[];
  readonly files: number;
  readonly truncated: boolean;
}

/** A line that was found. Its path is empty if it is from an earlier result. */
export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The lines that were found. `total` also counts lines over the limit. */
export interface Matches {
  readonly matches: readonly Match[];
  readonly total: number;
  readonly truncated: boolean;
  /** Files that were not searched, or not completely. */
  readonly skipped?: readonly { readonly path: string; readonly reason: string }[];
  readonly more_skipped?: number;
  /** The number of files and folders that a .gitignore names, and of folders `node_modules`. */
  readonly ignored?: number;
}

type Globs = readonly string[] | undefined;

const MAX_LISTED = 10_000;

/** Lists a folder; with `recursive`, all folders below it. */
export async function listFolder(
  context: HandlerContext,
  path: string,
  { globs, recursive }: { readonly globs?: Globs; readonly recursive: boolean },
): Promise<Listing> {
  const args = { operation: 'list', path, globs, recursive, max_results: MAX_LISTED };
  return (await context.call('file_io', args, `List ${path}`)) as Listing;
}

/** Finds lines by a regular expression in a file or folder. */
export async function searchLines(
  context: HandlerContext,
  { path, globs }: { readonly path: string; readonly globs?: Globs },
  { pattern, ignoreCase = false }: { readonly pattern: string; readonly ignoreCase?: boolean },
): Promise<Matches> {
  const found = { pattern, ignore_case: ignoreCase, max_results: MAX_LISTED };
  const args = { operation: 'search', path, globs, ...found };
  return (await context.call('file_io', args, `Search ${path}`)) as Matches;
}

interface ReadAnswer {
  readonly content: string;
  readonly bytes: number;
  readonly next_line?: number;
  readonly truncated: boolean;
  readonly line_cut?: boolean;
}

/** Maximum size of one read, and of a file that is read completely. */
const [CHUNK_BYTES, MAX_WHOLE_BYTES] = [2 * 1024 * 1024, 32 * 1024 * 1024];

/** Reads lines from number `from`. Default: at most 2 MiB. `truncated` in the answer means that there is more. */
export async function readLines(
  context: HandlerContext,
  path: string,
  {
    from,
    maxLines,
    maxBytes = CHUNK_BYTES,
  }: { from: number; maxLines?: number; maxBytes?: number },
): Promise<ReadAnswer> {
  const lines = { from_line: from, max_lines: maxLines, max_bytes: maxBytes };
  return (await context.call(
    'file_io',
    { operation: 'read', path, ...lines },
    `Read ${path}`,
  )) as ReadAnswer;
}

/** From this size on, an optimized regular expression pays for its compilation. */
const LONG_BYTES = 256 * 1024;

/** Reads a whole text file. @throws TaskError `INPUT_TOO_LARGE` if it is over 32 MiB or one line of it over 2 MiB. */
export async function readWhole(
  context: HandlerContext,
  path: string,
): Promise<{ readonly content: string; readonly bytes: number }> {
  const parts: string[] = [];
  for (let from: number | undefined = 1; ; ) {
    const answer: ReadAnswer = await readLines(context, path, { from });
    const { bytes } = answer;
    parts.push(answer.content);
    from = answer.next_line;
    if (bytes > MAX_WHOLE_BYTES || answer.line_cut || (from === undefined && answer.truncated))
      fail('INPUT_TOO_LARGE', `${path} (${bytes} bytes) is too large. Use a smaller file.`);
    if (from !== undefined) continue;
    // The program of a capsule begins without this: most of its expressions read one short text.
    if (bytes > LONG_BYTES) setFlagsFromString('--regexp-optimization');
    return { content: parts.join(''), bytes };
  }
}

/** The entry of a file; undefined if it does not exist. */
export async function findFile(context: HandlerContext, path: string): Promise<Entry | undefined> {
  const folder = /^(.*)\/[^/]*$/.exec(path)?.[1] ?? '.';
  try {
    const { entries } = await listFolder(context, folder || '/', { recursive: false });
    return entries.find((entry) => nameOf(entry.path) === nameOf(path));
  } catch (error) {
    const { message } = error as Error;
    if (/ENOENT|no such|does not exist|not found|no folder|no file/i.test(message))
      return undefined;
    throw error;
  }
}

/** The name of a file without its folder. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `1 file`, `2 files`. */
export const many = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : one.endsWith('s') ? 'es' : 's'}`;

/** Names of files may contain control characters. */
const onOneLine = (line: string): string => line.replace(/[^\P{Cc}\t]/gu, plainText);

/** An outcome with a title and, below it, the lines if there are any. A name with a line break stays on its line. */
export const listed = (
  title: string,
  lines: readonly string[],
  data: Outcome['data'],
): Outcome => ({
  text: lines.length === 0 ? `${title}.` : `${title}:\n\n${lines.map(onOneLine).join('\n')}`,
  data,
});
