import type { HandlerContext } from '../context.ts';
import { TaskError } from '../task-error.ts';

/** An entry of a folder. */
export interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
}

export interface Listing {
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly truncated: boolean;
}

export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly total: number;
  readonly truncated: boolean;
}

const CHUNK_BYTES = 2 * 1024 * 1024;

/** Largest file that is read completely. */
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;

const MAX_LISTED = 10_000;

/** Lists a folder; with `recursive`, all folders below it. */
export async function listFolder(
  context: HandlerContext,
  path: string,
  { globs, recursive }: { globs?: readonly string[] | undefined; recursive: boolean },
): Promise<Listing> {
  const only = globs ? { globs } : {};
  const args = { operation: 'list', path, recursive, max_results: MAX_LISTED, ...only };
  return (await context.call('file_io', args, `List ${path}`)) as Listing;
}

/** Finds lines by a regular expression in a file or folder. */
export async function searchLines(
  context: HandlerContext,
  { path, globs }: { path: string; globs: readonly string[] | undefined },
  { pattern, ignoreCase = false }: { pattern: string; ignoreCase?: boolean },
): Promise<Matches> {
  const only = { ignore_case: ignoreCase, max_results: MAX_LISTED, ...(globs ? { globs } : {}) };
  const args = { operation: 'search', path, pattern, ...only };
  return (await context.call('file_io', args, `Search ${path}`)) as Matches;
}

interface ReadAnswer {
  readonly content: string;
  readonly bytes: number;
  readonly next_line?: number;
  readonly truncated: boolean;
  readonly line_cut?: boolean;
}

/** Reads some lines. Default: at most 2 MiB. `truncated` in the answer shows that there is more. */
export async function readLines(
  context: HandlerContext,
  path: string,
  { from, most, maxBytes = CHUNK_BYTES }: { from: number; most?: number; maxBytes?: number },
): Promise<ReadAnswer> {
  const lines = most === undefined ? {} : { max_lines: most };
  const args = { operation: 'read', path, from_line: from, max_bytes: maxBytes, ...lines };
  return (await context.call('file_io', args, `Read ${path}`)) as ReadAnswer;
}

/**
 * Reads a text file completely.
 *
 * @throws TaskError `INPUT_TOO_LARGE` if it is over 32 MiB or one line of it over 2 MiB.
 */
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
      throw new TaskError(
        'INPUT_TOO_LARGE',
        `${path} (${bytes} bytes) is too large to be read as a whole.`,
      );
    if (from === undefined) return { content: parts.join(''), bytes };
  }
}

const isMissing = (error: unknown): error is Error =>
  error instanceof Error &&
  /ENOENT|no such|does not exist|not found|no folder|no file/i.test(error.message);

/** The entry of a file; undefined if it does not exist. */
export async function findFile(context: HandlerContext, path: string): Promise<Entry | undefined> {
  const at = path.lastIndexOf('/');
  const folder = at < 0 ? '.' : path.slice(0, at) || '/';
  try {
    const { entries } = await listFolder(context, folder, { recursive: false });
    return entries.find((entry) => nameOf(entry.path) === nameOf(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The name of a file without its folder. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
