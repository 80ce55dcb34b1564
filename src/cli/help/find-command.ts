import type { CommandDefinition } from '../command.ts';
import { withoutAlias } from './aliases.ts';

/** The words without an alias at their beginning. A first word with a space in it is a task to run, also after `-c`. */
const commandWords = (argv: readonly string[]): readonly string[] => {
  const word = /^(?:-c|--continue)$/.test(argv[0] ?? '') ? argv[1] : argv[0];
  return /^[^-].*\s|^\s/s.test(word ?? '') ? ['run', ...argv] : withoutAlias(argv);
};

/** The command that the first words name, as far as they name one. */
export type FoundCommand = ReturnType<typeof findCommand>;

/** Follows words down the table of commands. `definition`: undefined if the first is none; `path`: `capstan runs show`. */
export function findCommand(argv: readonly string[], commands: readonly CommandDefinition[]) {
  const words = commandWords(argv);
  let known: readonly CommandDefinition[] = commands;
  let definition: CommandDefinition | undefined;
  let depth = 0;
  for (const word of words) {
    const next = known.find(({ name }) => name === word);
    if (!next) break;
    definition = next;
    known = next.subcommands ?? [];
    depth += 1;
  }
  const path = ['capstan', ...words.slice(0, depth)].join(' ');
  return { definition, path, rest: words.slice(depth) };
}
