import type { HandlerContext, Outcome } from '../context.ts';
import type { Filled } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { findFile, readWhole } from './file-tool.ts';

/** Largest file that is written: with escapes, it has to fit one line of the protocol. */
const MAX_BYTES = 3 * 1024 * 1024;

export interface Writing {
  readonly path: string;
  readonly content: string;
  readonly reason: string;
}

/**
 * Writes a text file and reads it back. Returns its size in bytes.
 *
 * @throws TaskError `TOOL_FAILED` if the file has other content then; `INPUT_TOO_LARGE` over 3 MiB.
 */
export async function writeChecked(
  context: HandlerContext,
  { path, content, reason }: Writing,
): Promise<number> {
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_BYTES)
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${path} would have ${bytes} bytes; at most ${MAX_BYTES} are written at once.`,
    );
  await changeChecked(context, { operation: 'write', path, content }, { content, reason });
  return bytes;
}

/** Changes a file with one call, and reads it back. @throws TaskError `TOOL_FAILED` if it does not hold the content. */
export async function changeChecked(
  context: HandlerContext,
  args: { readonly operation: string; readonly path: string; readonly [name: string]: unknown },
  { content, reason }: Omit<Writing, 'path'>,
): Promise<void> {
  await context.call('file_io', args, reason);
  if ((await readWhole(context, args.path)).content !== content)
    throw new TaskError(
      'TOOL_FAILED',
      `${args.path} was written, but does not hold what was written when read back.`,
    );
  context.artifact(args.path);
}

/** Writes a file that a task asks for, unless the task forbids it; `reason` says what was done. */
export async function writeFor(
  filled: Filled,
  context: HandlerContext,
  writing: Writing,
): Promise<Outcome> {
  await keepBans(filled, context, writing.path);
  const bytes = await writeChecked(context, writing);
  return {
    text: `${writing.reason} (${bytes} bytes, read back and compared).`,
    data: { written: [{ path: writing.path, bytes }] },
  };
}

/**
 * Checks a change of a file against what the task itself forbids.
 *
 * @throws TaskError `INPUT_INVALID` if the task asks for a change of a file and also forbids it.
 */
export async function keepBans(
  { instruction }: Filled,
  context: HandlerContext,
  path: string,
): Promise<void> {
  for (const { kind, files, reach } of instruction.bans) {
    if (reach === 'named' ? !files.includes(path) : reach === 'others') continue;
    const mayBeNew = kind === 'overwrite' || reach === 'all';
    if (mayBeNew && (await findFile(context, path)) === undefined) continue;
    const problem = mayBeNew
      ? `${path} exists, and the task says not to ${kind} what is there`
      : `the task asks for a change of ${path} and forbids it`;
    throw new TaskError('INPUT_INVALID', `Nothing was done: ${problem}.`);
  }
}
