import type { HandlerContext, Outcome } from '../context.ts';
import type { Filled } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
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
export async function writeChecked(context: HandlerContext, writing: Writing): Promise<number> {
  const { path, content } = writing;
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_BYTES)
    fail('INPUT_TOO_LARGE', `${path} would have ${bytes} bytes; the most is ${MAX_BYTES}.`);
  await changeChecked(context, writing, { operation: 'write', content });
  return bytes;
}

/** Changes a file with one call, and reads it back. @throws TaskError `TOOL_FAILED` if it does not hold the content. */
export async function changeChecked(
  context: HandlerContext,
  { path, content, reason }: Writing,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  await context.call('file_io', { ...args, path }, reason);
  if ((await readWhole(context, path)).content !== content)
    fail('TOOL_FAILED', `${path} does not hold what was written when it is read back.`);
  context.artifact(path);
}

/** Writes a file that a task asks for, unless the task forbids it; `reason` says what was done. */
export async function writeFor(
  filled: Filled,
  context: HandlerContext,
  writing: Writing,
): Promise<Outcome> {
  await keepBans(filled, context, [writing.path]);
  const bytes = await writeChecked(context, writing);
  return {
    text: `${writing.reason} (${bytes} bytes, read back and compared).`,
    data: { written: [{ path: writing.path, bytes }] },
  };
}

/** @throws TaskError `INPUT_INVALID` if the task asks for a change of a file and also forbids it. */
export async function keepBans(
  { bans }: Filled,
  context: HandlerContext,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const isThere = bans.length > 0 && (await findFile(context, path)) !== undefined;
    for (const { kind, files, reach } of bans) {
      const isMeant = reach === 'named' ? files.includes(path) : reach === 'all';
      const mayBeNew = kind === 'overwrite' || reach === 'all';
      if (!isMeant || (mayBeNew && !isThere)) continue;
      const problem = mayBeNew
        ? `exists, and the task says not to ${kind} what is there`
        : 'is to be changed, and the task forbids it';
      fail('INPUT_INVALID', `Nothing was done: ${path} ${problem}.`);
    }
  }
}
