import { TaskError } from '../../../offline/task-error.ts';
import type { HandlerContext } from '../../runtime/capsule/sdk.ts';

/** One thing in a folder. */
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

/** What a capsule gives back: text for a person, data for later steps. */
export interface Outcome {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Does one understood task. */
export type Act = (context: HandlerContext) => Promise<Outcome>;

const chunkBytes = 2 * 1024 * 1024;
/** Largest file that is read as a whole, in bytes. */
const maxWholeBytes = 32 * 1024 * 1024;
/** Largest file that is written: one line of the protocol holds it, escapes included. */
const maxWriteBytes = 3 * 1024 * 1024;
const maxListed = 10_000;

/** Lists a folder, all of it where `recursive`. */
export async function listFolder(
  context: HandlerContext,
  path: string,
  { globs, recursive }: { globs?: readonly string[] | undefined; recursive: boolean },
): Promise<Listing> {
  const args = {
    operation: 'list',
    path,
    recursive,
    max_results: maxListed,
    ...(globs ? { globs } : {}),
  };
  return (await context.call('file_io', args, `List ${path}`)) as Listing;
}

/** Finds lines by a regular expression in a file or folder. */
export async function searchLines(
  context: HandlerContext,
  path: string,
  search: { pattern: string; ignoreCase: boolean; globs?: readonly string[] | undefined },
): Promise<Matches> {
  const { pattern, ignoreCase, globs } = search;
  const args = {
    operation: 'search',
    path,
    pattern,
    ignore_case: ignoreCase,
    max_results: maxListed,
    ...(globs ? { globs } : {}),
  };
  return (await context.call('file_io', args, `Search ${path}`)) as Matches;
}

interface ReadAnswer {
  readonly content: string;
  readonly bytes: number;
  readonly next_line?: number;
  readonly truncated: boolean;
  readonly line_cut?: boolean;
}

/** Reads some lines. `next_line` in the answer says that there is more. */
export async function readLines(
  context: HandlerContext,
  path: string,
  range: { fromLine: number; maxLines?: number | undefined },
): Promise<ReadAnswer> {
  const { fromLine, maxLines } = range;
  const args = {
    operation: 'read',
    path,
    from_line: fromLine,
    max_bytes: chunkBytes,
    ...(maxLines === undefined ? {} : { max_lines: maxLines }),
  };
  return (await context.call('file_io', args, `Read ${path}`)) as ReadAnswer;
}

/**
 * Reads a whole text file.
 *
 * @throws TaskError `INPUT_TOO_LARGE` where it is over 32 MiB or one line of it over 2 MiB.
 */
export async function readWhole(
  context: HandlerContext,
  path: string,
): Promise<{ readonly content: string; readonly bytes: number }> {
  const parts: string[] = [];
  for (let fromLine = 1; ; ) {
    const answer = await readLines(context, path, { fromLine });
    if (answer.bytes > maxWholeBytes || answer.line_cut === true) {
      throw new TaskError(
        'INPUT_TOO_LARGE',
        `${path} (${answer.bytes} bytes) is too large to be read as a whole.`,
      );
    }
    parts.push(answer.content);
    const next = answer.next_line;
    if (next === undefined) {
      if (answer.truncated)
        throw new TaskError('TOOL_FAILED', `${path} could not be read to its end.`);
      return { content: parts.join(''), bytes: answer.bytes };
    }
    fromLine = next;
  }
}

/** The file's entry, or undefined where there is none. */
export async function findFile(context: HandlerContext, path: string): Promise<Entry | undefined> {
  const at = path.lastIndexOf('/');
  const folder = at < 0 ? '.' : path.slice(0, at) || '/';
  const name = path.slice(at + 1);
  try {
    const { entries } = await listFolder(context, folder, { recursive: false });
    return entries.find((entry) => entry.path.slice(entry.path.lastIndexOf('/') + 1) === name);
  } catch (error) {
    if (
      error instanceof Error &&
      /ENOENT|no such|does not exist|not found|no folder|no file/i.test(error.message)
    ) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Writes a text file and reads it back.
 *
 * @throws TaskError `TOOL_FAILED` where the file does not hold what was written.
 */
export async function writeChecked(
  context: HandlerContext,
  { path, content, reason }: { path: string; content: string; reason: string },
): Promise<number> {
  const size = new TextEncoder().encode(content).length;
  if (size > maxWriteBytes) {
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${path} would have ${size} bytes; at most ${maxWriteBytes} are written at once.`,
    );
  }
  await context.call('file_io', { operation: 'write', path, content }, reason);
  await assertHolds(context, path, content);
  context.artifact(path);
  return size;
}

/** @throws TaskError `TOOL_FAILED` where a file's content is another. */
export async function assertHolds(
  context: HandlerContext,
  path: string,
  content: string,
): Promise<void> {
  const { content: found } = await readWhole(context, path);
  if (found === content) return;
  throw new TaskError(
    'TOOL_FAILED',
    `${path} was written, but does not hold what was written when read back.`,
  );
}
