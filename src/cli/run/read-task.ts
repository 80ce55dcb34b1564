import { AppError } from '../../contract/errors.ts';

const MAX_TASK_CHARS = 100_000;

/**
 * Reads a task from the standard input.
 *
 * @throws AppError `USAGE` if it has more than 100,000 characters.
 */
export async function readTask(input: NodeJS.ReadableStream = process.stdin): Promise<string> {
  let text = '';
  input.setEncoding('utf8');
  for await (const part of input) {
    text += part;
    if (text.length <= MAX_TASK_CHARS) continue;
    const problem =
      'The task has more than 100,000 characters. Put the material into a file and name it.';
    throw new AppError('USAGE', { problem });
  }
  return text.trim();
}
