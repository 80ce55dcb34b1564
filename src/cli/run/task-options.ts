import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { MAX_TASK_CHARS } from '../../contract/limits.ts';
import { usage } from '../../contract/usage.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { readInput } from '../io/read-input.ts';
import { readOptionFile } from '../io/read-option-file.ts';
import { textOption } from '../options/standard-options.ts';

const MAX_FILE_BYTES = 400_000;

/** The task: the words of the command line, `-` for stdin, or the content of `--file`. @throws AppError `USAGE`. */
export async function taskOf(args: CommandArguments, { input, cwd }: CommandIo): Promise<string> {
  const { positionals, options } = args;
  const words = positionals.join(' ').trim();
  const file = textOption(options['file']);
  const problem = problemOf(words, file, options['stdin'] === true);
  if (problem !== undefined) throw usage(problem);
  if (file !== undefined) {
    const text = readOptionFile(file, { cwd, maxBytes: MAX_FILE_BYTES, option: '--file' }).trim();
    if (text !== '') return text;
    throw usage(`--file ${file}: it is empty.`);
  }
  const task = words === '-' ? await readTask(input) : words;
  if (task !== '') return task;
  throw usage('The task on stdin is empty.');
}

/** The problem of a command line without a task. */
export const NO_TASK = 'Name a task: capstan run "…", or capstan run - to read it from stdin.';

function problemOf(words: string, file: string | undefined, isStdin: boolean) {
  if (words !== '' && file !== undefined) return 'Name the task or --file, not both.';
  if (words === '-' && isStdin) return 'stdin is the task (-) or its data (--stdin), not both.';
  if (words === '' && file === undefined) return NO_TASK;
  return undefined;
}

/** Reads a task from the standard input. @throws AppError `USAGE` if it is too long or is not UTF-8. */
async function readTask(input: NodeJS.ReadableStream = process.stdin): Promise<string> {
  const tooLong = `The task has more than ${MAX_TASK_CHARS} characters. Put the material into a file and name it.`;
  const bytes = await readInput(input, { maxBytes: 4 * MAX_TASK_CHARS, tooLong, fail: usage });
  const text = decode(bytes, 'The task on stdin is not UTF-8 text.');
  if (text.length > MAX_TASK_CHARS) throw usage(tooLong);
  return text.trim();
}

const MAX_BYTES = 1024 * 1024;

/** Timeout for the first byte: an open stdin without data must not block a CI job. */
const FIRST_BYTE_MS = 10_000;

/** The text on stdin as data of the run, if `--stdin` asks for it. @throws AppError `USAGE`, also if nothing comes for `firstByteMs`. */
export async function attachedInput(
  { positionals, options }: CommandArguments,
  io: CommandIo,
  { firstByteMs = FIRST_BYTE_MS }: { readonly firstByteMs?: number } = {},
): Promise<readonly { name: string; text: string }[]> {
  const { input } = io;
  if (options['stdin'] !== true) {
    // In CI, stdin may be any open pipe.
    const isPiped = input === undefined && !io.environment['CI'] && fstatSync(0).isFIFO();
    if (isPiped && positionals[0] !== '-') io.stderr(UNREAD);
    return [];
  }
  if (input === undefined && isatty(0))
    throw wrongStdin(
      '--stdin attaches piped text, and stdin is a terminal. Pipe something: git diff | capstan run --stdin "…"',
    );
  const bytes = await readInput(input ?? process.stdin, {
    maxBytes: MAX_BYTES,
    tooLong: '--stdin: there is more than 1 MiB. Save it as a file and name the file in the task.',
    timeoutMs: firstByteMs,
    isFirstByte: true,
    tooLate: `--stdin: nothing came within ${firstByteMs / 1_000} s, and stdin is still open. Pipe something, or leave --stdin out.`,
    fail: wrongStdin,
  });
  return [{ name: 'stdin', text: decode(bytes, NOT_UTF8) }];
}

const UNREAD =
  '! The text on stdin is not read. Add --stdin to give it to the task, or </dev/null.\n';

const NOT_UTF8 = '--stdin: it is not UTF-8 text. Save it as a file and name the file in the task.';

/** @param problem The message of the error if it is not UTF-8. */
function decode(bytes: Buffer, problem: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrongStdin(problem);
  }
}

const wrongStdin = (problem: string) => usage(problem, 'stdin');
