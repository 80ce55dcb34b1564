import type { CommandDefinition } from '../command.ts';

/** Columns of a topic, before the name of a command. */
const TOPIC_COLUMNS = 9;

/** Whether a command only has subcommands. */
export const isGroup = ({ subcommands = [], options }: CommandDefinition): boolean =>
  subcommands.length > 0 && Object.keys(options).length === 0;

/**
 * The help of a command that only has subcommands: its usage, and its subcommands by topic.
 *
 * @param path `capstan runs`.
 */
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
