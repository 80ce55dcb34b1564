import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { TaskError } from '../task-error.ts';

/** Bytes that one answer may write. */
const MAX_BYTES = 3 * 1024 * 1024;

/** What was written, read back. */
export interface Written {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Writes a file and reads it back.
 *
 * @throws TaskError `TOOL_FAILED` where what stands in the file is not what was written; `INPUT_TOO_LARGE` over 3 MiB.
 */
export async function writeAnswer(
  context: HandlerContext,
  path: string,
  content: string,
): Promise<Written> {
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_BYTES) {
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `The answer for ${path} has ${bytes} bytes; at most ${MAX_BYTES} are written. Ask for fewer rows.`,
    );
  }
  await context.call(
    'file_io',
    { operation: 'write', path, content },
    `Write the answer to ${path}`,
  );
  const read = (await context.call(
    'file_io',
    { operation: 'read', path, max_bytes: MAX_BYTES + 1 },
    `Check what was written to ${path}`,
  )) as { content?: unknown; bytes?: unknown };
  if (read?.content !== content) {
    throw new TaskError(
      'TOOL_FAILED',
      `${path} was written, but reading it back gave other content.`,
    );
  }
  context.artifact(path);
  return { path, bytes };
}
