import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { groupHelp } from './group-help.ts';

/** Commands under the headings of their parent's overview. */
export const byTopic = (
  topics: Readonly<Record<string, readonly CommandDefinition[]>>,
): readonly CommandDefinition[] =>
  Object.entries(topics).flatMap(([topic, all]) => all.map((one) => ({ ...one, topic })));

type Group = Omit<CommandDefinition, 'name' | 'options' | 'examples' | 'run'> & {
  readonly subcommands: readonly CommandDefinition[];
};

/** A command that only has subcommands, such as `capstan runs`. Without one it prints its overview on stderr and ends with 2. */
export function commandGroup(path: string, group: Group): CommandDefinition {
  const definition: CommandDefinition = {
    ...group,
    name: path.slice(path.lastIndexOf(' ') + 1),
    options: {},
    examples: [],
    run: async (_args, io) => {
      io.stderr(groupHelp(definition, path));
      return exitCodes.usage;
    },
  };
  return definition;
}
