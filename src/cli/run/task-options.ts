import type { CommandArguments, CommandIo } from '../command.ts';
import { usage } from '../errors/usage.ts';
import { readTextFile } from '../io/read-text-file.ts';
import { textOption } from '../options/option-value.ts';

const MAX_FILE_BYTES = 400_000;

/**
 * The task: the words of the command line, `-` for stdin, or the content of `--file`.
 *
 * @throws AppError `USAGE`.
 */
export async function taskOf(
  { positionals, options }: CommandArguments,
  { input, cwd }: CommandIo,
): Promise<string> {
  const words = positionals.join(' ').trim();
  const file = textOption(options['file']);
  const problem = problemOf({ words, file, isStdin: options['stdin'] === true });
  if (problem !== undefined) throw usage(problem);
  if (file !== undefined) {
    const text = readTextFile(file, { cwd, maxBytes: MAX_FILE_BYTES, option: '--file' }).trim();
    if (text !== '') return text;
    throw usage(`--file ${file}: it is empty.`);
  }
  const task = words === '-' ? await readTask(input) : words;
  if (task !== '') return task;
  throw usage('The task on stdin is empty.');
}

function problemOf(given: { words: string; file: string | undefined; isStdin: boolean }) {
  const { words, file, isStdin } = given;
  if (words !== '' && file !== undefined) return 'Name the task or --file, not both.';
  if (words === '-' && isStdin) return 'stdin is the task (-) or its data (--stdin), not both.';
  if (words === '' && file === undefined) return 'There is no task. Name one: capstan run "…".';
  return undefined;
}

const MAX_TASK_CHARS = 100_000;

/**
 * Reads a task from the standard input.
 *
 * @throws AppError `USAGE` if it has more than 100,000 characters.
 */
async function readTask(input: NodeJS.ReadableStream = process.stdin): Promise<string> {
  let text = '';
  input.setEncoding('utf8');
  for await (const part of input) {
    text += part;
    if (text.length > MAX_TASK_CHARS)
      throw usage(
        'The task has more than 100,000 characters. Put the material into a file and name it.',
      );
  }
  return text.trim();
}
