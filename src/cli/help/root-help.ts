import type { CommandDefinition } from '../command.ts';
import { topicLines } from './group-help.ts';

/** `capstan --help`: a description, and the commands by topic. */
export const rootHelp = (commands: readonly CommandDefinition[]): string =>
  `${head}\n${topicLines(commands)}${foot}\n`;

const head = `Usage: capstan ["task"] | capstan <command> [options]
Runs AI agents on your own machine without handing them the keys to it.
Without a command it opens a conversation in this folder.`;

const foot = '-h, --help · -V, --version · capstan <command> --help · capstan help exit-codes';
