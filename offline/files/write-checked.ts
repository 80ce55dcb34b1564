import type { HandlerContext } from '../context.ts';
import { TaskError } from '../task-error.ts';

/** Largest file that is written: one line of the protocol holds it, escapes included. */
const MAX_BYTES = 3 * 1024 * 1024;

/**
 * Writes a text file and reads it back. Gives its size in bytes.
 *
 * @throws TaskError `TOOL_FAILED` where the file does not hold what was written; `INPUT_TOO_LARGE` over 3 MiB.
 */
export async function writeChecked(
  context: HandlerContext,
  {
    path,
    content,
    reason,
  }: { readonly path: string; readonly content: string; readonly reason: string },
): Promise<number> {
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_BYTES)
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${path} would have ${bytes} bytes; at most ${MAX_BYTES} are written at once.`,
    );
  await context.call('file_io', { operation: 'write', path, content }, reason);
  const read = (await context.call(
    'file_io',
    { operation: 'read', path, max_bytes: MAX_BYTES + 1 },
    `Check what was written to ${path}`,
  )) as { content?: unknown };
  if (read.content !== content)
    throw new TaskError(
      'TOOL_FAILED',
      `${path} was written, but does not hold what was written when read back.`,
    );
  context.artifact(path);
  return bytes;
}
