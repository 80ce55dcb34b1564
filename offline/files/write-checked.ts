import type { HandlerContext } from '../context.ts';
import { TaskError } from '../task-error.ts';
import { assertHolds } from './file-tool.ts';

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
  await context.call('file_io', { operation: 'write', path, content }, reason);
  await assertHolds(context, path, content);
  context.artifact(path);
  return bytes;
}
