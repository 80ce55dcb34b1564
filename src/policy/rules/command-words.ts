import { posix } from 'node:path';
import type { Operation } from '../../contract/permissions/operation.ts';
import { oncePer } from '../../platform/once.ts';

/** Programs that run the program in their arguments. */
const starters: ReadonlySet<string> = new Set(
  'env sudo doas nice nohup time timeout xargs exec command busybox stdbuf setsid ionice chroot'.split(
    ' ',
  ),
);

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);

const MAX_DEPTH = 4;
/** Positions in the words of a starter at which the other program may begin. */
const MAX_WORDS = 12;
const MAX_CHARS = 100_000;

export interface ShownCommand {
  /** The plain name of its program. */
  readonly program: string;
  /** The program as written, such as `./build`, and its arguments. */
  readonly words: readonly string[];
  /** It begins in the middle of the words of a starter, which may mean something else. */
  readonly isGuess: boolean;
}

/**
 * The commands in the words of a call: an argv, the command that a starter such as `env` or `sh -c` runs, and the simple
 * commands of a shell string. Commands that are known only at run time (in a variable, a script or Python code) are not found.
 * Cached, since many rules use the same command.
 */
export const shownCommands = oncePer((command: Command): readonly ShownCommand[] => {
  if (command.kind === 'python') return [];
  return command.kind === 'argv' ? unfold(command.argv, 0) : unfoldShell(command.text, 0);
});

type Command = NonNullable<Operation['command']>;

function unfold(argv: readonly string[], depth: number, isGuess = false): ShownCommand[] {
  const start = argv.findIndex((word) => !/^\w+=/.test(word));
  const words = start > 0 ? argv.slice(start) : [...argv];
  const [first] = words;
  if (first === undefined) return [];
  const program = posix.basename(first);
  const shown: ShownCommand[] = [{ program, words, isGuess }];
  if (depth >= MAX_DEPTH) return shown;
  if (shells.has(program)) {
    const at = words.findIndex((word) => /^-\w*c\w*$/.test(word));
    if (at > 0) shown.push(...unfoldShell(words[at + 1] ?? '', depth + 1));
  }
  if (starters.has(program)) shown.push(...startedBy(words, depth));
  return shown;
}

/** The command that a starter runs begins at one of its words. */
function startedBy(words: readonly string[], depth: number): ShownCommand[] {
  return words.slice(1, MAX_WORDS).flatMap((word, at) => {
    const program = posix.basename(word);
    const rest = words.slice(at + 1);
    return shells.has(program)
      ? unfold(rest, depth + 1, true)
      : [{ program, words: rest, isGuess: true }];
  });
}

const token = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([;|&\n(){}`])|([\s<>]+)|(.)/gsu;

function unfoldShell(text: string, depth: number): ShownCommand[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word = '';
  const endWord = () => {
    if (word !== '') words.push(word);
    word = '';
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (const [, double, single, escaped, separator, blank, plain] of text
    .slice(0, MAX_CHARS)
    .matchAll(token)) {
    if (separator !== undefined) endCommand();
    else if (blank !== undefined) endWord();
    else word += double ?? single ?? escaped ?? plain ?? '';
  }
  endCommand();
  return commands.flatMap((one) => unfold(one, depth));
}
