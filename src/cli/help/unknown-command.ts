import type { AppError } from '../../contract/errors.ts';
import { closest } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';
import { usage } from '../../contract/usage.ts';
import type { CommandDefinition } from '../command.ts';
import { NO_TASK } from '../run/task-options.ts';
import { quoteWord } from '../text/quote-word.ts';
import { aliases } from './aliases.ts';
import { hasOption, operandsOf } from './leaf-parser.ts';

/** The error for an unknown command. */
export interface UnknownCommand {
  readonly error: AppError<'USAGE'>;
  /** Command lines that may have been meant. */
  readonly tries: readonly string[];
}

type Commands = readonly CommandDefinition[];

/** For an unknown first word: the nearest commands and subcommands, and how to run it as a task. */
export function unknownCommand(argv: readonly string[], commands: Commands): UnknownCommand {
  const [word = ''] = argv;
  const meant = nearest(word, commands);
  const task = quoteWord(argv.filter((one) => !one.startsWith('-')).join(' '));
  const hint = meant.length > 0 ? ` Did you mean ${meant.join(' or ')}?` : '';
  return {
    error: usage(`There is no command "${printable(word, 80)}".${hint}`),
    tries: [...meant, `capstan run ${task}  # as a task`, 'capstan --help'],
  };
}

/** For an unknown subcommand: the nearest one, or all. */
export function unknownSubcommand(
  word: string,
  { subcommands = [] }: CommandDefinition,
  path: string,
): UnknownCommand {
  const names = subcommands.map(({ name }) => name);
  const meant = closest(word, names);
  const hint = meant ? `Did you mean ${path} ${meant}?` : `There are: ${names.join(', ')}.`;
  return {
    error: usage(`${path} has no command "${printable(word, 80)}". ${hint}`),
    tries: [meant ? `${path} ${meant}` : `${path} --help`],
  };
}

/** For an option in place of a command: the same words with `run`, if it has it. `isConversation`: only a terminal is missing. */
export function unknownOption(
  words: readonly string[],
  commands: Commands,
  isConversation: boolean,
): UnknownCommand {
  const [option = ''] = words;
  const shown = printable(option, 80);
  const run = commands.find(({ name }) => name === 'run');
  const problem = isConversation
    ? `"${shown}" without a command opens a conversation, which needs a terminal.`
    : `There is no option "${shown}" without a command.`;
  const meant = run && hasOption(run, option) ? [runWith(words, run)] : [];
  return { error: usage(problem), tries: [...meant, 'capstan --help'] };
}

function runWith(words: readonly string[], run: CommandDefinition): string {
  const operands = operandsOf(run, words);
  if (!operands) return 'capstan run --help';
  const task = operands.length > 0 ? [] : ['"task"'];
  return ['capstan run', ...words.map(shellWord), ...task].join(' ');
}

const shellWord = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : quoteWord(word);

/** For no word at all while stdin has text, which is a task only for `run -`. */
export const noTask: UnknownCommand = { error: usage(NO_TASK), tries: ['capstan --help'] };

/** The nearest command, earlier words included, and the nearest subcommand, if they are close. */
function nearest(word: string, commands: Commands): readonly string[] {
  const known = new Map([
    ...Object.entries(aliases).map(([alias, path]) => [alias, `capstan ${path}`] as const),
    ...commands.map(({ name }) => [name, `capstan ${name}`] as const),
  ]);
  const below = new Map<string, string>();
  for (const { name, subcommands = [] } of commands) {
    for (const { name: sub } of subcommands)
      if (!below.has(sub)) below.set(sub, `capstan ${name} ${sub}`);
  }
  const found = [
    known.get(closest(word, known.keys()) ?? ''),
    below.get(word) ?? below.get(closest(word, below.keys()) ?? ''),
  ];
  return [...new Set(found.filter((one) => one !== undefined))];
}
