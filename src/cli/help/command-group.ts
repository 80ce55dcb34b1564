import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../errors/exit-codes.ts';

/** Commands under the headings of their parent's overview. */
export const byTopic = (topics: Readonly<Record<string, readonly CommandDefinition[]>>) =>
  Object.entries(topics).flatMap(([topic, all]) => all.map((one) => ({ ...one, topic })));

type Group = Omit<CommandDefinition, 'name' | 'options' | 'examples' | 'run'> & {
  readonly subcommands: readonly CommandDefinition[];
};

/** A command that only has subcommands, such as `capstan runs`. Without one it prints its overview on stderr and ends with 2. */
export function commandGroup(path: string, group: Group): CommandDefinition {
  const definition: CommandDefinition = {
    ...group,
    subcommands: group.subcommands.map((one) => ({ topic: 'Inspect', ...one })),
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

/** Columns of a topic, before the name of a command. */
const TOPIC_COLUMNS = 9;

/** Whether a command only has subcommands. */
export const isGroup = ({ subcommands = [], options }: CommandDefinition): boolean =>
  subcommands.length > 0 && Object.keys(options).length === 0;

/** The help of a command that only has subcommands, such as `capstan runs`: its usage, and its subcommands by topic. */
export function groupHelp(definition: CommandDefinition, path: string): string {
  const { arguments: operand, argumentsNote, subcommands = [] } = definition;
  const usage = ['Usage:', path, '<command>', operand].filter(Boolean).join(' ');
  const note = argumentsNote === undefined ? '' : `${argumentsNote}\n`;
  return `${usage}\n${note}${topicLines(subcommands)}`;
}

/** Commands by topic, one per line: `Inspect  list     List the runs of this folder, newest first`. */
export function topicLines(commands: readonly CommandDefinition[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const lines = commands.map(({ topic = '', name, summary }, at) => {
    const heading = topic === commands[at - 1]?.topic ? '' : topic;
    return `${heading.padEnd(TOPIC_COLUMNS)}${name.padEnd(width)}${summary}\n`;
  });
  return lines.join('');
}

/** `capstan --help`: a description, and the commands by topic. */
export const rootHelp = (commands: readonly CommandDefinition[]): string =>
  `${head}\n${topicLines(commands)}${foot}\n`;

const head = `Usage: capstan ["task"] | capstan <command> [options]
Runs AI agents on your own machine without handing them the keys to it.
Without a command it opens a conversation in this folder; -c continues the last.`;

const foot = '-h, --help · -V, --version · capstan <command> --help · capstan help exit-codes';
