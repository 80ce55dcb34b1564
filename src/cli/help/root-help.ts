import type { CommandDefinition } from '../command.ts';
import { lowerFirst, TOPIC_COLUMNS } from './group-help.ts';

/** `capstan --help`: a description, and the commands by topic. */
export function rootHelp(commands: readonly CommandDefinition[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const topics = [...new Set(commands.map(({ topic = '' }) => topic))];
  const lines = topics.flatMap((topic) =>
    commands
      .filter((one) => one.topic === topic)
      .map(
        (one, index) =>
          `${(index === 0 ? topic : '').padEnd(TOPIC_COLUMNS)}${one.name.padEnd(width)}${lowerFirst(one.summary)}`,
      ),
  );
  return `${head}\n${lines.join('\n')}\n${foot}\n`;
}

const head = `Usage: capstan ["task"] | capstan <command> [options]
Runs AI agents on your own machine without handing them the keys to it.
Without a command it opens a conversation in this folder.`;

const foot = '-h, --help · -V, --version · capstan <command> --help · capstan help exit-codes';
